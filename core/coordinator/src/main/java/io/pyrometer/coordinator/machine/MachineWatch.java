package io.pyrometer.coordinator.machine;

import io.pyrometer.journal.Check;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.MachineReading;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what disturbed a machine, the coordinator's or a host, from outside over one measured part.
 */
public final class MachineWatch {

  /** Own processes that use less than this share of the machine do not explain pressure alone. */
  private static final double ROOM = 0.5;

  /** Other processes that use less than this share do not explain it either. */
  private static final double NOTICEABLE = 0.03;

  private MachineWatch() {}

  /**
   * @param over by how much the machine's counters rose
   * @param ownCpuSeconds that the trial's processes on this machine used meanwhile
   * @param quotas whether some of them had a CPU quota, which makes threads wait on purpose
   */
  public static List<Check> checks(MachineReading over, double ownCpuSeconds, boolean quotas) {
    ValidityLimits limits = ValidityLimits.USUAL;
    List<Check> checks = new ArrayList<>();
    if (over.cpu().isPresent()) {
      MachineReading.Cpu cpu = over.cpu().get();
      double total = Math.max(cpu.total(), 1e-3);
      double foreign = Math.max(0, cpu.busy() - ownCpuSeconds) / total;
      checks.add(Check.above(Check.STEAL, cpu.steal() / total, limits.steal()));
      checks.add(Check.above(Check.OTHER_PROCESSES, foreign, limits.foreignCpu()));
      if (over.pressure().isPresent()) {
        boolean ours = quotas || ownCpuSeconds / total >= ROOM || foreign < NOTICEABLE;
        double share = over.pressure().get() / Math.max(over.nanos() / 1e9, 1e-3);
        // Threads of a trial also wait for one another: that is no disturbance.
        boolean disturbed = share * 100 > limits.pressurePercent() && !ours;
        checks.add(
            new Check(Check.CPU_PRESSURE, share * 100, limits.pressurePercent(), "%", disturbed));
      }
    }
    over.throttled()
        .ifPresent(
            by ->
                checks.add(
                    new Check(Check.CPU_QUOTA, by.times(), 0, "times stopped", by.times() > 0)));
    double step = Math.abs(over.wallMillis() - over.nanos() / 1e6);
    checks.add(
        new Check(
            Check.CLOCK_STEP,
            step,
            limits.clockStepMillis(),
            "ms",
            step > limits.clockStepMillis()));
    return checks;
  }
}
