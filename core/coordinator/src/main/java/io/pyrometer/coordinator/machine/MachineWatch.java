package io.pyrometer.coordinator.machine;

import io.pyrometer.journal.TrialRecord.Check;
import io.pyrometer.journal.ValidityLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Watches the machine over one measured part and says what disturbed it from outside. */
public final class MachineWatch {

  /** Own processes that use less than this share of the machine do not explain pressure alone. */
  private static final double ROOM = 0.5;

  /** Other processes that use less than this share do not explain it either. */
  private static final double NOTICEABLE = 0.03;

  private final Supplier<MachineReading> machine;
  private final MachineReading before;

  public MachineWatch(Supplier<MachineReading> machine) {
    this.machine = machine;
    this.before = machine.get();
  }

  /**
   * @param ownCpuSeconds that the trial's processes used since this watch began
   * @param quotas whether some of them had a CPU quota, which makes threads wait on purpose
   */
  public List<Check> checks(double ownCpuSeconds, boolean quotas) {
    return checks(before, machine.get(), ownCpuSeconds, quotas);
  }

  static List<Check> checks(
      MachineReading before, MachineReading after, double ownCpuSeconds, boolean quotas) {
    ValidityLimits limits = ValidityLimits.USUAL;
    List<Check> checks = new ArrayList<>();
    if (before.cpu().isPresent() && after.cpu().isPresent()) {
      MachineReading.Cpu from = before.cpu().get();
      MachineReading.Cpu to = after.cpu().get();
      double total = Math.max(to.total() - from.total(), 1e-3);
      double foreign = Math.max(0, to.busy() - from.busy() - ownCpuSeconds) / total;
      checks.add(Check.above(Check.STEAL, (to.steal() - from.steal()) / total, limits.steal()));
      checks.add(Check.above(Check.OTHER_PROCESSES, foreign, limits.foreignCpu()));
      if (before.pressure().isPresent() && after.pressure().isPresent()) {
        boolean ours = quotas || ownCpuSeconds / total >= ROOM || foreign < NOTICEABLE;
        double waited = after.pressure().get() - before.pressure().get();
        double share = waited / Math.max((after.nanos() - before.nanos()) / 1e9, 1e-3);
        checks.add(pressure(share * 100, limits.pressurePercent(), ours));
      }
    }
    if (before.throttled().isPresent() && after.throttled().isPresent()) {
      double times = after.throttled().get() - before.throttled().get();
      checks.add(new Check(Check.CPU_QUOTA, times, 0, "times stopped", times > 0));
    }
    double wall = after.wallMillis() - before.wallMillis();
    double step = Math.abs(wall - (after.nanos() - before.nanos()) / 1e6);
    checks.add(
        new Check(
            Check.CLOCK_STEP,
            step,
            limits.clockStepMillis(),
            "ms",
            step > limits.clockStepMillis()));
    return checks;
  }

  /** Threads of a trial also wait for one another: that is no disturbance. */
  private static Check pressure(double percent, double limit, boolean ours) {
    return new Check(Check.CPU_PRESSURE, percent, limit, "%", percent > limit && !ours);
  }
}
