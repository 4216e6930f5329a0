package io.pyrometer.journal;

import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Invented trials in the form of the journal. */
public final class Trials {
  private Trials() {}

  public static TrialRecord ok(String id, int attempt, Check... validity) {
    return of(id, 0, attempt, "put", Outcome.OK, 1000, validity);
  }

  public static TrialRecord of(
      String id,
      int block,
      int attempt,
      String path,
      Outcome outcome,
      double throughput,
      Check... validity) {
    Map<String, Metric> metrics = new TreeMap<>();
    metrics.put(Metric.CPU, Metric.lowerIsBetter(3.5, "µs"));
    metrics.put(Metric.CPU_SECONDS_OF + "node-0", Metric.neutral(1.0, "s"));
    if (outcome == Outcome.OK) {
      metrics.put(Metric.THROUGHPUT, Metric.higherIsBetter(throughput, "records/s"));
    }
    return new TrialRecord(
        TrialRecord.SCHEMA,
        new Identity(
            id,
            0,
            block,
            attempt,
            Map.of("path", path),
            Job.WRITE,
            Settings.NONE.with("path", path),
            Optional.empty(),
            Optional.empty()),
        "2026-11-20T00:00:00Z",
        new Result(
            outcome,
            outcome == Outcome.OK ? Optional.empty() : Optional.of("It broke."),
            Optional.empty()),
        new Timeline(
            new Phases(1, 2, 3, 4, 5), new WarmUp(true, 2, "invented"), List.of(10L, 20L), 1),
        new Counts(2.5, 2500, 2500, 0, List.of()),
        metrics,
        List.of(),
        List.of(validity),
        Map.of("backups", "1"),
        Map.of());
  }

  /** The same trial, settled or not. */
  public static TrialRecord settled(TrialRecord trial, boolean settled) {
    Timeline timeline = trial.timeline();
    return new TrialRecord(
        trial.schema(),
        trial.identity(),
        trial.started(),
        trial.result(),
        new Timeline(
            timeline.phases(),
            new WarmUp(settled, 2, "invented"),
            timeline.samples(),
            timeline.measuredFrom()),
        trial.counts(),
        trial.metrics(),
        trial.artefacts(),
        trial.validity(),
        trial.configuration(),
        trial.latencies());
  }

  /** The same trial with one more figure. */
  public static TrialRecord with(TrialRecord trial, String name, Metric metric) {
    Map<String, Metric> metrics = new TreeMap<>(trial.metrics());
    metrics.put(name, metric);
    return new TrialRecord(
        trial.schema(),
        trial.identity(),
        trial.started(),
        trial.result(),
        trial.timeline(),
        trial.counts(),
        metrics,
        trial.artefacts(),
        trial.validity(),
        trial.configuration(),
        trial.latencies());
  }

  /** A probe that found so many stale keys. */
  public static ProbeResult probe(ProbeKind kind, String path, long stale) {
    return new ProbeResult(
        kind,
        ProbeResult.SCHEMA,
        Map.of("path", path),
        path,
        "2026-11-21T00:00:00Z",
        Optional.empty(),
        Optional.of(
            new ProbeResult.ProbeCounts(100_000, 2_000, stale, 0, 0, List.of(), 0.1, false)));
  }

  public static Check steal() {
    return new Check("steal", 5, 1, "%", true);
  }
}
