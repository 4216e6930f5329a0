package io.pyrometer.protocol;

/**
 * What a network does to what it carries: a relay to the bytes between clients and nodes, a link to
 * the frames that its host sends.
 *
 * @param delaySeconds added in each direction
 * @param jitterSeconds added on top, drawn evenly from 0 to this for each piece passed on
 * @param bitsPerSecond in each direction, of a relay's connections together or of one link; 0 for
 *     no limit
 * @param loss share of frames that are lost; of a relay's segments that stand for lost ones: what
 *     follows in their connection waits for a retransmission
 */
public record Shape(double delaySeconds, double jitterSeconds, double bitsPerSecond, double loss) {

  /** Bytes are passed on as they come. */
  public static final Shape PLAIN = new Shape(0, 0, 0, 0);

  private static final String RELAY = "client-relay";

  private static final String LINK = "link-delay";

  /** What a trial's settings ask of a relay; plain where they do not speak of it. */
  public static Shape of(Settings settings) {
    return settings.has(RELAY)
        ? new Shape(
            settings.decimal("client-delay"),
            settings.decimal("client-jitter"),
            settings.decimal("client-rate"),
            settings.decimal("client-loss"))
        : PLAIN;
  }

  /**
   * What a trial's settings ask of the links between hosts; plain where they do not speak of it.
   */
  public static Shape ofLinks(Settings settings) {
    return settings.has(LINK)
        ? new Shape(
            settings.decimal(LINK),
            settings.decimal("link-jitter"),
            settings.decimal("link-rate"),
            settings.decimal("link-loss"))
        : PLAIN;
  }

  /** Whether a trial's clients go through a relay. */
  public static boolean relayed(Settings settings) {
    return settings.has(RELAY) && (settings.flag(RELAY) || !of(settings).equals(PLAIN));
  }
}
