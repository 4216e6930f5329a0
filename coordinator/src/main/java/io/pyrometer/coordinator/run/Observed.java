package io.pyrometer.coordinator.run;

import io.pyrometer.journal.TrialResult;
import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Outcome;
import io.pyrometer.journal.TrialResult.Verification;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a trial observed so far; its line in the journal is made from that, however it ends. */
final class Observed {
  private final TrialSpec spec;
  private final int attempt;
  private final String started;

  private final Stopwatch watch;
  private final Samples samples;

  /** How many samples the warm-up took. */
  int measuredFrom;

  /** Whether the warm-up ended because the samples were steady. */
  boolean steady;

  /** As read back from the grid. */
  Map<String, String> configuration = Map.of();

  List<Check> checks = List.of();

  /** CPU time of all processes over the measured part. */
  Usage used = new Usage(Map.of());

  /**
   * @param started when, as ISO 8601 writes it
   */
  Observed(TrialSpec spec, int attempt, String started, Stopwatch watch, Samples samples) {
    this.spec = spec;
    this.attempt = attempt;
    this.started = started;
    this.watch = watch;
    this.samples = samples;
  }

  /** The line of a trial that came to its end, right or wrong. */
  TrialResult ended(Counted counted, Verification verification) {
    boolean ok = verification.passed() && counted.records() > 0;
    double window = used.seconds() > 0 ? used.seconds() : counted.seconds();
    double perRecord =
        used.gridCpuSeconds() * 1e6 * (counted.seconds() / window) / Math.max(1, counted.records());
    return line(
        ok ? Outcome.OK : Outcome.WRONG,
        ok ? Optional.empty() : Optional.of(wrong(counted, verification)),
        counted,
        ok ? Optional.of(counted.recordsPerSecond()) : Optional.empty(),
        counted.records() > 0 ? Optional.of(perRecord) : Optional.empty(),
        Optional.of(verification));
  }

  private static String wrong(Counted counted, Verification verification) {
    if (counted.records() == 0) {
      String errors = counted.errors().isEmpty() ? "" : ": " + counted.errors().get(0);
      return "Nothing was finished in the measured time%s.".formatted(errors);
    }
    return "Expected %s, found %s.".formatted(verification.expected(), verification.found());
  }

  /** The line of a trial that could not go on. */
  TrialResult failed(String sentence) {
    return line(
        Outcome.FAILED,
        Optional.of("While it was to %s: %s".formatted(watch.phase().words, sentence)),
        Counted.of(List.of()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private TrialResult line(
      Outcome outcome,
      Optional<String> why,
      Counted counted,
      Optional<Double> throughput,
      Optional<Double> cpuMicros,
      Optional<Verification> verification) {
    List<Long> series = samples.complete();
    return new TrialResult(
        TrialResult.SCHEMA,
        spec.id(),
        spec.ordinal(),
        spec.block(),
        attempt,
        spec.levels(),
        spec.job(),
        spec.settings(),
        started,
        watch.stop(),
        outcome,
        why,
        Steadiness.judge(series, measuredFrom, steady),
        series,
        measuredFrom,
        counted.seconds(),
        counted.records(),
        counted.calls(),
        counted.failedCalls(),
        counted.errors(),
        throughput,
        cpuMicros,
        used.cpuSecondsByProcess(),
        counted.latencies().summary(),
        verification,
        configuration,
        checks);
  }
}
