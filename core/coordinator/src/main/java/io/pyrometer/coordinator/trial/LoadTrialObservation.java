package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.telemetry.Readings;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What a load trial observed so far; its record is made of it, however the trial ends. */
public final class LoadTrialObservation {
  private final TrialSpec spec;
  private final int attempt;
  private final String started;

  private final PhaseTimer phases;
  private final SampleSeries samples;

  /** How many samples the warm-up took. */
  public int measuredFrom;

  /** Whether the warm-up ended because the samples were steady. */
  public boolean steady;

  /** The configuration read back from the grid. */
  public Map<String, String> configuration = Map.of();

  public List<Check> checks = List.of();
  public final List<Artefact> artefacts = new ArrayList<>();
  private final Map<String, Metric> telemetry = new TreeMap<>();

  /** What a kind of trial measures besides. */
  public final Map<String, Metric> more = new TreeMap<>();

  /** CPU time of all processes over the measured part. */
  public ProcessUsage used = new ProcessUsage(Map.of());

  /** What the processes used while nothing was done; empty where that was not measured. */
  public Optional<ProcessUsage> idle = Optional.empty();

  /** Bytes that the servers' data took before the trial; empty where the product does not tell. */
  public OptionalLong storedBefore = OptionalLong.empty();

  public OptionalLong storedEmpty = OptionalLong.empty();

  /** The same at the end of the measured part. */
  public OptionalLong storedAfter = OptionalLong.empty();

  /** Live bytes of the servers' heaps without records; empty where servers are no JVMs. */
  public OptionalLong heapBefore = OptionalLong.empty();

  /** The same after the measured part. */
  public OptionalLong heapAfter = OptionalLong.empty();

  /** Different keys stored; 0 where that is not known. */
  public long storedRecords;

  /** Seconds for which its CPU quota stopped each process in the measured part. */
  public final Map<String, Double> throttledSeconds = new TreeMap<>();

  /**
   * @param started when, as ISO 8601 writes it
   */
  public LoadTrialObservation(
      TrialSpec spec, int attempt, String started, PhaseTimer phases, SampleSeries samples) {
    this.spec = spec;
    this.attempt = attempt;
    this.started = started;
    this.phases = phases;
    this.samples = samples;
  }

  /** Keeps what telemetry read; why a device read nothing stands with the configuration. */
  public void add(Readings readings, RunFolder folder) {
    readings.metrics().forEach((name, reading) -> telemetry.put(name, Metric.of(reading)));
    for (Readings.Artefact artefact : readings.artefacts()) {
      String file = folder.path().relativize(artefact.file()).toString();
      artefacts.add(new Artefact(artefact.kind(), artefact.process(), file));
    }
    if (!readings.unavailable().isEmpty()) {
      configuration = new TreeMap<>(configuration);
      configuration.put(TrialRecord.UNAVAILABLE, String.join(" ", readings.unavailable()));
    }
  }

  /** The record of a completed trial, whether it passed verification or not. */
  public TrialRecord ended(LoadTotals totals, Verification verification) {
    boolean ok = verification.passed() && totals.records() > 0;
    Map<String, Metric> metrics = new TreeMap<>(totals.latencies().metrics());
    if (ok) {
      metrics.put(Metric.THROUGHPUT, Metric.higherIsBetter(totals.recordsPerSecond(), "records/s"));
    }
    totals
        .events()
        .forEach(
            (name, count) ->
                metrics.put(
                    Metric.EVENTS + name,
                    Metric.lowerIsBetter(
                        1_000.0 * count / Math.max(1, totals.calls()), "per 1,000 calls")));
    long merged = totals.events().getOrDefault("records-merged", 0L);
    if (merged > 0) {
      double handedOver = (totals.records() + merged) / totals.seconds();
      metrics.put(Metric.HANDED_OVER, Metric.higherIsBetter(handedOver, "records/s"));
    }
    if (spec.job() == Job.WRITE && storedRecords > 0) {
      metrics.put(Metric.DISTINCT_KEYS, Metric.neutral((double) storedRecords, "keys"));
    }
    if (totals.firstCallMicros() > 0 && spec.settings().get(CoreSettings.COMMON_WARM_UP) == 0) {
      metrics.put(Metric.FIRST_CALL, Metric.neutral(totals.firstCallMicros() / 1e3, "ms"));
    }
    totals.arrivals().ifPresent(arrivals -> addArrivals(metrics, arrivals, totals.seconds()));
    metrics.putAll(DemandMetrics.of(used, totals));
    idle.ifPresent(usage -> addIfThere(metrics, Metric.IDLE_SERVER, DemandMetrics.idle(usage)));
    addIfThere(
        metrics,
        Metric.MEMORY,
        DemandMetrics.stored(storedEmpty, storedBefore, storedAfter, storedRecords));
    addIfThere(
        metrics, Metric.HEAP_MEMORY, DemandMetrics.memory(heapBefore, heapAfter, storedRecords));
    return record(
        new Result(
            ok ? Outcome.OK : Outcome.WRONG,
            ok ? Optional.empty() : Optional.of(problem(totals, verification)),
            Optional.of(verification)),
        totals,
        metrics);
  }

  private static void addIfThere(
      Map<String, Metric> metrics, String name, Optional<Metric> metric) {
    metric.ifPresent(there -> metrics.put(name, there));
  }

  private static void addArrivals(Map<String, Metric> metrics, Arrivals arrivals, double seconds) {
    double offered = arrivals.offered() / Math.max(seconds, 1e-9);
    metrics.put(Metric.OFFERED_RATE, Metric.neutral(offered, "calls/s"));
    metrics.put(
        Metric.COMPLETED_OF_OFFERED,
        Metric.neutral(100.0 * arrivals.completed() / Math.max(1, arrivals.offered()), "%"));
    metrics.put(
        Metric.BACKLOG_AT_START, Metric.neutral((double) arrivals.backlogAtStart(), "calls"));
    metrics.put(Metric.BACKLOG_AT_END, Metric.neutral((double) arrivals.backlogAtEnd(), "calls"));
  }

  private static String problem(LoadTotals totals, Verification verification) {
    if (totals.records() == 0) {
      String errors =
          totals.errors().isEmpty() ? "" : ": " + totals.errors().get(0).replaceFirst("\\.$", "");
      return "No operation completed during the measurement%s.".formatted(errors);
    }
    return "Expected %s, found %s.".formatted(verification.expected(), verification.found());
  }

  /** The record of a trial that could not continue. */
  public TrialRecord failed(String sentence) {
    String why = "Failed during %s: %s".formatted(phases.phase().words, sentence);
    return record(
        new Result(Outcome.FAILED, Optional.of(why), Optional.empty()),
        LoadTotals.of(List.of()),
        Map.of());
  }

  private TrialRecord record(Result result, LoadTotals totals, Map<String, Metric> measured) {
    List<Long> series = samples.complete();
    Map<String, Metric> metrics = new TreeMap<>(telemetry);
    metrics.putAll(more);
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
    throttledSeconds.forEach(
        (process, seconds) ->
            metrics.put(Metric.THROTTLED_SECONDS_OF + process, Metric.neutral(seconds, "s")));
    return new TrialRecord(
        TrialRecord.SCHEMA,
        Identity.of(spec, attempt),
        started,
        result,
        new Timeline(
            phases.stop(),
            Steadiness.judge(spec.settings(), samples, measuredFrom, steady),
            series,
            measuredFrom),
        new Counts(
            totals.seconds(),
            totals.records(),
            totals.calls(),
            totals.failedCalls(),
            totals.errors()),
        metrics,
        artefacts,
        checks,
        configuration);
  }
}
