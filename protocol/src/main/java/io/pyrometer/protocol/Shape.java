package io.pyrometer.protocol;

/**
 * What a relay does to the bytes between clients and nodes.
 *
 * @param delaySeconds added in each direction
 * @param jitterSeconds added on top, drawn evenly from 0 to this for each piece passed on
 * @param bitsPerSecond of payload in each direction, over all connections together; 0 for no limit
 * @param loss share of segments that stand for lost ones: what follows in their connection waits
 *     for a retransmission
 */
public record Shape(double delaySeconds, double jitterSeconds, double bitsPerSecond, double loss) {

  /** Bytes are passed on as they come. */
  public static final Shape PLAIN = new Shape(0, 0, 0, 0);

  private static final String RELAY = "client-relay";

  /** What a trial's settings ask for; plain where they do not speak of it. */
  public static Shape of(Settings settings) {
    return settings.has(RELAY)
        ? new Shape(
            settings.decimal("client-delay"),
            settings.decimal("client-jitter"),
            settings.decimal("client-rate"),
            settings.decimal("client-loss"))
        : PLAIN;
  }

  /** Whether a trial's clients go through a relay. */
  public static boolean relayed(Settings settings) {
    return settings.has(RELAY) && (settings.flag(RELAY) || !of(settings).equals(PLAIN));
  }
}
