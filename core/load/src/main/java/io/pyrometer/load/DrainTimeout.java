package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.time.Duration;

/**
 * How long calls may stay in flight after the load was stopped, by the setting {@code patience}.
 */
public final class DrainTimeout {
  private static final double DEFAULT_SECONDS = 50;

  private DrainTimeout() {}

  /** The setting's value; 50 s where it is absent. */
  public static Duration of(Settings settings) {
    double seconds =
        settings.has(CoreSettings.PATIENCE) ? settings.get(CoreSettings.PATIENCE) : DEFAULT_SECONDS;
    return Duration.ofMillis((long) (seconds * 1_000));
  }
}
