package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Checks on the trial itself: whether the client, the schedule or the generator limited it. */
public final class ValidityChecks {
  private static final ValidityLimits LIMITS = ValidityLimits.USUAL;

  private ValidityChecks() {}

  /** The checks of a trial whose load a process generated. */
  public static List<Check> of(ProcessUsage used, LoadTotals totals, OptionalDouble ceiling) {
    List<Check> checks = new ArrayList<>();
    double cpu = mostOf(used, agent -> agent.cpuSeconds() / Math.max(1, agent.cores()));
    checks.add(Check.above(Check.CLIENT_CPU, cpu, LIMITS.clientCpu()));
    checks.add(Check.above(Check.JIT_COMPILERS, used.compilerShare(), LIMITS.jitCompilers()));
    double gc = mostOf(used, Answer.Used::gcSeconds);
    checks.add(Check.above("client GC", gc, LIMITS.clientGc()));
    double calls = Math.max(1, totals.calls() + totals.failedCalls());
    checks.add(Check.above("errors", totals.failedCalls() / calls, LIMITS.errors()));
    long faults = used.byProcess().values().stream().mapToLong(Answer.Used::majorFaults).sum();
    checks.add(new Check("major page faults", faults, 0, "faults", faults > 0));
    totals.arrivals().ifPresent(arrivals -> checks.addAll(openLoop(totals, arrivals)));
    if (used.networkCpuSeconds() > 0) {
      double cores = used.agents().stream().mapToInt(Answer.Used::cores).max().orElse(1);
      double share = used.networkCpuSeconds() / Math.max(used.seconds() * cores, 1e-9);
      checks.add(Check.above("network CPU", share, LIMITS.networkCpu()));
    }
    if (ceiling.isPresent() && totals.recordsPerSecond() > 0) {
      double times = ceiling.getAsDouble() / totals.recordsPerSecond();
      checks.add(
          new Check("generator", times, LIMITS.generator(), "×", times < LIMITS.generator()));
    }
    return checks;
  }

  private static List<Check> openLoop(LoadTotals totals, Arrivals arrivals) {
    List<Check> checks = new ArrayList<>();
    double achieved = arrivals.completed() / Math.max(1.0, (double) arrivals.offered());
    checks.add(
        new Check(
            Attempts.ACHIEVED_RATE,
            achieved * 100,
            LIMITS.achieved() * 100,
            "%",
            achieved < LIMITS.achieved() || achieved > 2 - LIMITS.achieved()));
    totals.latencies().values().stream()
        .flatMap(calls -> LatencyStatistic.P99.of(calls).stream())
        .min(Double::compare)
        .map(p99 -> totals.slipP99Micros() / Math.max(p99, 1e-9))
        .ifPresent(slip -> checks.add(Check.above(Check.SCHEDULE_SLIP, slip, LIMITS.slipOfP99())));
    return checks;
  }

  /** The largest share of an agent's time. */
  private static double mostOf(ProcessUsage used, ToDoubleFunction<Answer.Used> seconds) {
    return used.agents().stream()
        .mapToDouble(agent -> seconds.applyAsDouble(agent) / Math.max(agent.upSeconds(), 1e-9))
        .max()
        .orElse(0);
  }
}
