package io.pyrometer.coordinator.run;

import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Latency;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Checks on the trial itself: whether the client, the schedule or the generator limited it. */
final class Validity {
  private Validity() {}

  static List<Check> checks(
      Usage used,
      Counted counted,
      Settings settings,
      OptionalDouble ceiling,
      ValidityLimits limits) {
    List<Check> checks = new ArrayList<>();
    checks.add(above("client CPU", mostOf(used, Validity::cpuShare), limits.clientCpu()));
    checks.add(above("client GC", mostOf(used, Validity::gcShare), limits.clientGc()));
    double calls = Math.max(1, counted.calls() + counted.failedCalls());
    checks.add(above("errors", counted.failedCalls() / calls, limits.errors()));
    long faults = used.byProcess().values().stream().mapToLong(Answer.Used::majorFaults).sum();
    checks.add(new Check("major page faults", faults, 0, "faults", faults > 0));
    if (settings.has("rate") && settings.decimal("rate") > 0) {
      checks.addAll(openLoop(counted, settings.decimal("rate"), limits));
    }
    if (used.networkCpuSeconds() > 0) {
      double cores = used.agents().stream().mapToInt(Answer.Used::cores).max().orElse(1);
      double share = used.networkCpuSeconds() / Math.max(used.seconds() * cores, 1e-9);
      checks.add(above("network CPU", share, limits.networkCpu()));
    }
    if (ceiling.isPresent() && counted.recordsPerSecond() > 0) {
      double times = ceiling.getAsDouble() / counted.recordsPerSecond();
      checks.add(
          new Check("generator", times, limits.generator(), "×", times < limits.generator()));
    }
    return checks;
  }

  private static List<Check> openLoop(Counted counted, double offered, ValidityLimits limits) {
    List<Check> checks = new ArrayList<>();
    double achieved = counted.callsPerSecond() / offered;
    checks.add(
        new Check(
            "achieved of offered rate",
            achieved * 100,
            limits.achieved() * 100,
            "%",
            achieved < limits.achieved()));
    Optional<Double> p99 = counted.latencies().overall().flatMap(Latency::p99);
    if (p99.isPresent()) {
      double share = counted.slipP99Micros() / Math.max(p99.get(), 1e-9);
      checks.add(above("schedule slip of p99", share, limits.slipOfP99()));
    }
    return checks;
  }

  private static double mostOf(Usage used, java.util.function.ToDoubleFunction<Answer.Used> share) {
    return used.agents().stream().mapToDouble(share).max().orElse(0);
  }

  private static double cpuShare(Answer.Used used) {
    return used.cpuSeconds() / Math.max(used.upSeconds() * used.cores(), 1e-9);
  }

  private static double gcShare(Answer.Used used) {
    return used.gcSeconds() / Math.max(used.upSeconds(), 1e-9);
  }

  private static Check above(String name, double share, double limit) {
    return new Check(name, share * 100, limit * 100, "%", share > limit);
  }
}
