package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.time.Duration;

/** How long calls may stay in flight after the load was stopped. */
public final class DrainTimeout {
  private DrainTimeout() {}

  public static Duration of(Settings settings) {
    return Duration.ofMillis((long) (settings.get(CoreSettings.DRAIN_TIMEOUT) * 1_000));
  }
}
