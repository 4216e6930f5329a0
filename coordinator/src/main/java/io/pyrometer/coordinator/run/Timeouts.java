package io.pyrometer.coordinator.run;

import io.pyrometer.protocol.Settings;
import java.time.Duration;

/** How long a worker may take before it is given up. */
final class Timeouts {
  static final Duration QUICK = Duration.ofSeconds(20);
  static final Duration START = Duration.ofSeconds(90);
  static final Duration PREPARE = Duration.ofMinutes(3);
  static final Duration TEAR_DOWN = Duration.ofSeconds(60);
  static final Duration VERIFY = Duration.ofMinutes(3);
  static final Duration STOP = Duration.ofSeconds(10);

  private static final double USUAL_PATIENCE_SECONDS = 50;
  private static final Duration TO_SAY_SO = Duration.ofSeconds(10);

  private Timeouts() {}

  /** As long as a server may take, and a little for its worker to say why it did not come up. */
  static Duration server(double seconds) {
    return TO_SAY_SO.plusMillis((long) (seconds * 1_000));
  }

  /** As long as an agent may wait for its calls in flight, and a little for it to say why. */
  static Duration finish(Settings settings) {
    double patience =
        settings.has("patience") ? settings.decimal("patience") : USUAL_PATIENCE_SECONDS;
    return TO_SAY_SO.plusMillis((long) (patience * 1_000));
  }

  /** Of a probe, which also reads back. */
  static Duration probe(Settings settings) {
    return finish(settings).plus(VERIFY);
  }
}
