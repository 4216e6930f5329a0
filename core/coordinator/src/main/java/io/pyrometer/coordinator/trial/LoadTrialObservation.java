package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.telemetry.Readings;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Observations of a trial under load; its record is made of them, however the trial ends. */
public final class LoadTrialObservation {
  private final TrialSpec spec;
  private final int attempt;
  private final Time time;
  private final String started;
  private final SampleSeries samples;
  private final Map<String, String> configuration = new TreeMap<>();
  private final List<Check> checks = new ArrayList<>();
  private final List<Artefact> artefacts = new ArrayList<>();
  private final Map<String, Metric> more = new TreeMap<>();
  private ProcessUsage used = new ProcessUsage(Map.of());
  private int measuredFrom;
  private boolean steady;
  private final Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
  private Phase phase = Phase.SET_UP;
  private long phaseFrom;

  /** Phases of a trial, one after the other. */
  enum Phase {
    SET_UP("set-up"),
    WARM_UP("warm-up"),
    MEASURE("measurement"),
    VERIFY("verification"),
    TEAR_DOWN("tear-down");

    final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  LoadTrialObservation(TrialSpec spec, int attempt, Time time, SampleSeries samples) {
    this.spec = spec;
    this.attempt = attempt;
    this.time = time;
    this.started = time.now().toString();
    this.phaseFrom = time.nanoTime();
    this.samples = samples;
  }

  void enter(Phase next) {
    leave();
    phase = next;
  }

  private void leave() {
    long now = time.nanoTime();
    seconds.merge(phase, (now - phaseFrom) / 1e9, Double::sum);
    phaseFrom = now;
  }

  Phase phase() {
    return phase;
  }

  private Phases phases() {
    leave();
    double[] of =
        Stream.of(Phase.values()).mapToDouble(each -> seconds.getOrDefault(each, 0.0)).toArray();
    return new Phases(of[0], of[1], of[2], of[3], of[4]);
  }

  /** Begins the measured part with the next sample. */
  public void measurementStarted() {
    measuredFrom = samples.complete().size();
  }

  public int measuredFrom() {
    return measuredFrom;
  }

  /** The warm-up ends because the samples are steady. */
  void settled() {
    steady = true;
  }

  boolean isSettled() {
    return steady;
  }

  /** Adds to the configuration that was read back from the grid. */
  public void configured(Map<String, String> facts) {
    configuration.putAll(facts);
  }

  public void configured(String name, String value) {
    configuration.put(name, value);
  }

  public void checked(List<Check> found) {
    checks.addAll(found);
  }

  public void measured(Map<String, Metric> metrics) {
    more.putAll(metrics);
  }

  public void measured(String name, Metric metric) {
    more.put(name, metric);
  }

  /**
   * Adds a file.
   *
   * @param process that it belongs to; empty for the whole trial
   * @param name within the run's folder
   */
  public void kept(String kind, String process, String name) {
    artefacts.add(new Artefact(kind, process, name));
  }

  /** Sets the usage of all processes over the measured part. */
  public void used(ProcessUsage over) {
    used = over;
  }

  public ProcessUsage used() {
    return used;
  }

  /** Adds the readings of telemetry; the reason why a device read nothing is configuration. */
  public void add(Readings readings, RunFolder folder) {
    readings.metrics().forEach((name, reading) -> more.put(name, Metric.of(reading)));
    for (Readings.Artefact artefact : readings.artefacts()) {
      String file = folder.path().relativize(artefact.file()).toString();
      kept(artefact.kind(), artefact.process(), file);
    }
    if (!readings.unavailable().isEmpty()) {
      configured(TrialRecord.UNAVAILABLE, String.join(" ", readings.unavailable()));
    }
  }

  /** The record of a completed trial, whether it passed verification or not. */
  public TrialRecord ended(LoadTotals totals, Verification verification) {
    // A call of a load once that failed is not made again, and its records are not there.
    boolean whole = totals.failedCalls() == 0 || !CoreSettings.loadsOnce(spec.settings());
    boolean ok = verification.passed() && totals.records() > 0 && whole;
    Map<String, Metric> metrics = new TreeMap<>(Latencies.metrics(totals.latencies()));
    if (ok) {
      metrics.put(Metric.THROUGHPUT, Metric.higherIsBetter(totals.recordsPerSecond(), "records/s"));
    }
    double calls = Math.max(1, totals.calls()) / 1e3;
    totals
        .events()
        .forEach(
            (name, count) ->
                metrics.put(
                    Metric.EVENTS + name, Metric.lowerIsBetter(count / calls, "per 1,000 calls")));
    long merged = totals.events().getOrDefault("records-merged", 0L);
    if (merged > 0) {
      double handedOver = (totals.records() + merged) / totals.seconds();
      metrics.put(Metric.HANDED_OVER, Metric.higherIsBetter(handedOver, "records/s"));
    }
    if (totals.firstCallMicros() > 0 && spec.settings().get(CoreSettings.COMMON_WARM_UP) == 0) {
      metrics.put(Metric.FIRST_CALL, Metric.neutral(totals.firstCallMicros() / 1e3, "ms"));
    }
    totals.arrivals().ifPresent(arrivals -> addArrivals(metrics, arrivals, totals.seconds()));
    metrics.putAll(DemandMetrics.of(used, totals, CoreSettings.loadsOnce(spec.settings())));
    return record(
        new Result(
            ok ? Outcome.OK : Outcome.WRONG,
            ok ? Optional.empty() : Optional.of(problem(totals, verification)),
            Optional.of(verification)),
        totals,
        metrics);
  }

  private static void addArrivals(Map<String, Metric> metrics, Arrivals arrivals, double seconds) {
    double offered = arrivals.offered() / Math.max(seconds, 1e-9);
    double completed = 100.0 * arrivals.completed() / Math.max(1, arrivals.offered());
    metrics.put(Metric.OFFERED_RATE, Metric.neutral(offered, "calls/s"));
    metrics.put(Metric.COMPLETED_OF_OFFERED, Metric.neutral(completed, "%"));
    metrics.put(
        Metric.BACKLOG_AT_START, Metric.neutral((double) arrivals.backlogAtStart(), "calls"));
    metrics.put(Metric.BACKLOG_AT_END, Metric.neutral((double) arrivals.backlogAtEnd(), "calls"));
  }

  private static String problem(LoadTotals totals, Verification verification) {
    String errors =
        totals.errors().isEmpty() ? "" : ": " + totals.errors().get(0).replaceFirst("\\.$", "");
    if (totals.records() == 0) {
      return Messages.format("coordinator.nothing-completed", errors);
    } else if (verification.passed()) {
      return Messages.format("coordinator.load-incomplete", totals.failedCalls(), errors);
    }
    return "Expected %s, found %s.".formatted(verification.expected(), verification.found());
  }

  public TrialRecord failed(String sentence) {
    String why = "Failed during %s: %s".formatted(phase.words, sentence);
    return record(
        new Result(Outcome.FAILED, Optional.of(why), Optional.empty()),
        LoadTotals.of(List.of()),
        Map.of());
  }

  private TrialRecord record(Result result, LoadTotals totals, Map<String, Metric> measured) {
    List<Long> series = samples.complete();
    Map<String, Metric> metrics = new TreeMap<>(more);
    metrics.putAll(measured);
    used.byProcess()
        .forEach(
            (process, of) -> {
              metrics.put(Metric.CPU_SECONDS_OF + process, Metric.neutral(of.cpuSeconds(), "s"));
              if (of.residentBytes() > 0) { // 0 where it is not known
                metrics.put(
                    Metric.RESIDENT_BYTES_OF + process,
                    Metric.neutral((double) of.residentBytes(), "bytes"));
              }
            });
    return new TrialRecord(
        TrialRecord.SCHEMA,
        Identity.of(spec, attempt),
        started,
        result,
        new Timeline(
            phases(),
            Steadiness.judge(spec.settings(), samples, measuredFrom, steady),
            series,
            measuredFrom),
        totals.counts(),
        metrics,
        artefacts,
        checks,
        configuration,
        totals.latencies());
  }
}
