package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The highest offered rate that keeps the stated p99, up a ladder of rates: kept is a rate that in
 * every block was really reached and kept it. A lower one that did not is told beside it: what more
 * load puts right is no limit of load.
 */
final class RunHighestRate {
  private static final String RATE = "rate";
  private static final String LIMIT = "p99-limit";
  private static final double REACHED = 0.98;

  private final double limitMicros;
  private final TreeMap<Double, List<TrialRecord>> byRate = new TreeMap<>();

  private RunHighestRate(List<TrialRecord> trials) {
    limitMicros = trials.get(0).settings().decimal(LIMIT) * 1e6;
    for (TrialRecord trial : trials) {
      byRate.computeIfAbsent(trial.settings().decimal(RATE), r -> new ArrayList<>()).add(trial);
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    Map<Map<String, String>, List<TrialRecord>> parts = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      if (trial.settings().decimal(RATE) > 0) {
        Map<String, String> part = new LinkedHashMap<>(trial.levels());
        part.remove(RATE);
        parts.computeIfAbsent(part, p -> new ArrayList<>()).add(trial);
      }
    }
    List<RunAnalysis> analyses = new ArrayList<>();
    parts.forEach(
        (part, trials) ->
            analyses.add(
                new RunAnalysis(
                    "highest-rate",
                    Phrases.differing(part, List.copyOf(parts.keySet())),
                    "latency against load",
                    "calls/s",
                    true,
                    RunAnalyses.studied(() -> new RunHighestRate(trials).studied()))));
    return analyses;
  }

  private StudyResult studied() {
    if (byRate.isEmpty()) {
      throw new BadDataException(
          "No trial has an offered rate, so there is no highest rate to find.");
    }
    List<List<String>> rows = new ArrayList<>();
    byRate.forEach((rate, trials) -> rows.add(row(rate, trials)));
    Section section =
        new Section(
            "load",
            "Latency against load",
            "Open loop: calls are begun when they are due, however late earlier ones are, and"
                + " latency counts from then. Kept is a rate that was reached in every block with a"
                + " p99 within the limit.",
            List.of(
                Exhibit.of(
                    "Milliseconds; the worst of the operations and blocks",
                    Table.of(
                        List.of("offered/s", "reached/s", "p50", "p99", "blocks", "kept"),
                        0,
                        rows))));
    return new StudyResult("", List.of(finding()), List.of(section), List.of());
  }

  private List<String> row(double rate, List<TrialRecord> trials) {
    return List.of(
        Numbers.whole(rate),
        Numbers.whole(trials.stream().mapToDouble(RunHighestRate::reached).min().orElse(0)),
        millis(worst(trials, LatencyStatistic.P50)),
        millis(worst(trials, LatencyStatistic.P99)),
        String.valueOf(trials.size()),
        verdict(rate, trials));
  }

  private String verdict(double rate, List<TrialRecord> trials) {
    if (!told(trials)) {
      return "too few calls";
    }
    return kept(rate, trials) ? "yes" : "no";
  }

  private Finding finding() {
    if (byRate.values().stream().noneMatch(RunHighestRate::told)) {
      return new Finding(
          Finding.Kind.NOT_ENOUGH_RUNS,
          Finding.Severity.NOTICE,
          "Every rate had too few calls for a p99, so no highest rate was found.",
          Map.of(),
          "Trials that are measured for longer: ten calls must lie beyond the p99.");
    }
    List<Double> told = byRate.keySet().stream().filter(rate -> told(at(rate))).toList();
    Optional<Double> kept = told.stream().filter(rate -> kept(rate, at(rate))).max(Double::compare);
    double last = kept.orElse(0.0);
    String limit = millis(Optional.of(limitMicros)) + " ms";
    String sentence =
        kept.map(rate -> "%s calls a second keep a p99 of %s".formatted(words(rate), limit))
                .orElse("No rate of the ladder keeps a p99 of %s".formatted(limit))
            + told.stream()
                .filter(rate -> rate > last)
                .findFirst()
                .map(rate -> "; %s do not.".formatted(words(rate)))
                .orElse("; the ladder holds no higher rate, so the limit lies beyond.")
            + belowThatMissed(told, last);
    return new Finding(
        Finding.Kind.LATENCY,
        Finding.Severity.INFO,
        sentence,
        Map.of(),
        "Rates between these steps, more blocks, or another limit (p99-limit).");
  }

  private String belowThatMissed(List<Double> told, double last) {
    List<String> missed =
        told.stream()
            .filter(rate -> rate < last && !kept(rate, at(rate)))
            .map(this::words)
            .toList();
    return missed.isEmpty()
        ? ""
        : " %s did not either, below rates that do: that is not for their load; a disturbance or a cold start may be why."
            .formatted(Phrases.and(missed));
  }

  private List<TrialRecord> at(double rate) {
    return byRate.getOrDefault(rate, List.of());
  }

  private String words(double rate) {
    return "%s (p99 %s ms)"
        .formatted(Figures.plain(rate), millis(worst(at(rate), LatencyStatistic.P99)));
  }

  /** Whether some trial has calls enough for a p99, or came to none. */
  private static boolean told(List<TrialRecord> trials) {
    return worst(trials, LatencyStatistic.P99).isPresent()
        || trials.stream().anyMatch(trial -> trial.outcome() != Outcome.OK);
  }

  private boolean kept(double rate, List<TrialRecord> trials) {
    return trials.stream()
        .allMatch(
            trial ->
                trial.outcome() == Outcome.OK
                    && reached(trial) >= REACHED * rate
                    && worst(List.of(trial), LatencyStatistic.P99)
                        .filter(p -> p <= limitMicros)
                        .isPresent());
  }

  private static double reached(TrialRecord trial) {
    return trial.counts().calls() / Math.max(trial.counts().seconds(), 1e-9);
  }

  private static Optional<Double> worst(List<TrialRecord> trials, LatencyStatistic statistic) {
    return trials.stream()
        .flatMap(trial -> trial.metrics().entrySet().stream())
        .filter(
            metric ->
                io.pyrometer.journal.Metric.parseLatency(metric.getKey())
                    .filter(latency -> latency.statistic() == statistic)
                    .isPresent())
        .map(metric -> metric.getValue().value())
        .max(Double::compare);
  }

  private static String millis(Optional<Double> micros) {
    return micros.map(value -> Figures.plain(value / 1e3)).orElse("–");
  }
}
