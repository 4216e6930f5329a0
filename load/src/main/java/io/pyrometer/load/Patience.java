package io.pyrometer.load;

import io.pyrometer.protocol.Settings;
import java.time.Duration;

/** How long calls may be in flight after the end of the load, by the setting {@code patience}. */
public final class Patience {
  private static final double USUAL_SECONDS = 50;

  private Patience() {}

  public static Duration of(Settings settings) {
    double seconds = settings.has("patience") ? settings.decimal("patience") : USUAL_SECONDS;
    return Duration.ofMillis((long) (seconds * 1_000));
  }
}
