package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;

/**
 * How much CPU time a process gets, as the kernel's bandwidth control grants it: so much in each
 * period, and nothing more until the next one begins.
 *
 * @param cpus CPU seconds a second, such as 0.5; 0 for no quota
 * @param periodSeconds after which the process gets its next share
 */
public record CpuQuota(double cpus, double periodSeconds) {
  public static final CpuQuota NONE = new CpuQuota(0, 0.1);

  /** The kernel takes no shorter quota. */
  private static final long MIN_MICROS = 1_000;

  /** Quota that a trial asks for a node or an agent. */
  public static CpuQuota of(String kind, Settings trial) {
    return trial
        .find(CoreSettings.OfProcess.of(kind).cpus())
        .filter(cpus -> cpus > 0)
        .map(cpus -> new CpuQuota(cpus, trial.get(CoreSettings.QUOTA_PERIOD)))
        .orElse(NONE);
  }

  boolean limits() {
    return cpus > 0;
  }

  /** CPU time in a period, in microseconds. */
  long micros() {
    return Math.max(MIN_MICROS, Math.round(cpus * periodSeconds * 1e6));
  }

  /** The period in microseconds, longer than asked for where the quota would be too small. */
  long periodMicros() {
    return limits() ? Math.round(micros() / cpus) : Math.round(periodSeconds * 1e6);
  }
}
