package io.pyrometer.protocol;

/**
 * The effects of a network on its traffic: a relay to the bytes between clients and nodes, a link
 * to the frames that its host sends.
 *
 * @param delaySeconds added in each direction
 * @param jitterSeconds added on top, drawn evenly from 0 to this for each piece passed on
 * @param bitsPerSecond in each direction, of a relay's connections together or of one link; 0 for
 *     no limit
 * @param loss share of frames that are lost; of a relay's segments that stand for lost ones: what
 *     follows in their connection waits for a retransmission
 * @param disorder of links alone
 */
public record Shape(
    double delaySeconds,
    double jitterSeconds,
    double bitsPerSecond,
    double loss,
    Disorder disorder) {

  /**
   * @param duplicated share of frames that arrive twice
   * @param reordered share of frames that arrive after the next one of their host
   * @param corrupted share of frames of which a byte is changed
   */
  public record Disorder(double duplicated, double reordered, double corrupted) {
    public static final Disorder NONE = new Disorder(0, 0, 0);
  }

  public Shape(double delaySeconds, double jitterSeconds, double bitsPerSecond, double loss) {
    this(delaySeconds, jitterSeconds, bitsPerSecond, loss, Disorder.NONE);
  }

  /** Bytes are passed on as they come. */
  public static final Shape PLAIN = new Shape(0, 0, 0, 0);

  /** The shape of a relay by a trial's settings; plain by default. */
  public static Shape of(Settings settings) {
    return settings.has(PathSettings.CLIENT_RELAY)
        ? new Shape(
            settings.get(PathSettings.CLIENT_DELAY),
            settings.get(PathSettings.CLIENT_JITTER),
            settings.get(PathSettings.CLIENT_RATE),
            settings.get(PathSettings.CLIENT_LOSS))
        : PLAIN;
  }

  /** The shape of the links between hosts by a trial's settings; plain by default. */
  public static Shape ofLinks(Settings settings) {
    return new Shape(
        settings.get(CoreSettings.LINK_DELAY),
        settings.get(CoreSettings.LINK_JITTER),
        settings.get(CoreSettings.LINK_RATE),
        settings.get(CoreSettings.LINK_LOSS));
  }

  /** Checks whether a trial's clients go through a relay. */
  public static boolean relayed(Settings settings) {
    return settings.has(PathSettings.CLIENT_RELAY)
        && (settings.get(PathSettings.CLIENT_RELAY) || !of(settings).equals(PLAIN));
  }
}
