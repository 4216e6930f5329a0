package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.results.Oversubscription;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The findings of rankings: a missed rate, then the recommended treatments, then the details. */
public final class RankingFindings {
  private final List<Ranking> rankings;
  private final RunIntervals intervals;

  private RankingFindings(List<Ranking> rankings, RunIntervals intervals) {
    this.rankings = rankings;
    this.intervals = intervals;
  }

  /** Never empty. */
  public static List<Finding> of(RunRecord run, List<Ranking> rankings) {
    RankingFindings ranked = new RankingFindings(rankings, RunIntervals.of(run));
    List<Finding> findings = new ArrayList<>();
    rankings.forEach(ranking -> findings.addAll(rates(ranking)));
    findings.add(ranked.answer());
    rankings.forEach(ranking -> findings.addAll(details(ranking)));
    rankings.forEach(ranking -> findings.addAll(ranked.outliers(ranking)));
    Oversubscription.of(
            run.counting(),
            "the ranking compares CPU cost, not what a cluster on machines of its own can do")
        .ifPresent(findings::add);
    return findings;
  }

  /** Labels of the treatments below one that are not significantly worse and promise as much. */
  public static List<String> similar(RunRecord run, Ranking ranking, Ranking.Row best) {
    return new RankingFindings(List.of(ranking), RunIntervals.of(run)).similar(ranking, best);
  }

  private static List<Finding> rates(Ranking ranking) {
    List<Finding> findings = new ArrayList<>();
    named(ranking, row -> row.offered().filter(o -> o.least() < OfferedRate.LEAST_HELD).isPresent())
        .ifPresent(
            rows ->
                findings.add(
                    new Finding(
                        Kind.LATENCY,
                        Severity.WARNING,
                        "The offered rate of %s calls/s was not held by %s: that is overload, where latency grows with the length of the trial, so these treatments are not recommended."
                            .formatted(Figures.plain(ranking.rate()), rows),
                        Map.of(),
                        "A lower rate, which they hold.")));
    named(ranking, row -> row.offered().filter(OfferedRate::drained).isPresent())
        .ifPresent(
            rows ->
                findings.add(
                    new Finding(
                        Kind.LATENCY,
                        Severity.WARNING,
                        "A backlog drained into the measured part at the offered rate of %s calls/s, for %s: the latency includes calls that were overdue before, so these treatments are not recommended."
                            .formatted(Figures.plain(ranking.rate()), rows),
                        Map.of(),
                        "A longer warm-up, or a lower rate.")));
    return findings;
  }

  private static Optional<String> named(
      Ranking ranking, java.util.function.Predicate<Ranking.Row> which) {
    List<String> rows =
        ranking.rows().stream()
            .filter(which)
            .map(
                row ->
                    "%s (%s of it)"
                        .formatted(row.label(), row.offered().map(OfferedRate::share).orElse("")))
            .toList();
    return rows.isEmpty() ? Optional.empty() : Optional.of(Phrases.and(rows));
  }

  private Finding answer() {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    for (Ranking ranking : rankings) {
      Optional<Ranking.Row> best = best(ranking);
      if (best.isPresent()) {
        Ranking.Row row = best.get();
        if (ranking.openLoop()) {
          row.latencies()
              .forEach(
                  latency ->
                      latency
                          .of(LatencyStatistic.P99)
                          .ifPresent(
                              p99 ->
                                  estimates.put(
                                      "%s, p99 of %s".formatted(row.label(), latency.operation()),
                                      p99)));
          parts.add(openLoop(ranking, row));
        } else {
          estimates.put(named(ranking, row), row.throughput());
          parts.add(closedLoop(ranking, row));
        }
      } else if (ranking.openLoop() && !ranking.rows().isEmpty()) {
        parts.add(none(ranking));
      }
    }
    if (parts.isEmpty()) {
      return new Finding(
          Kind.NOT_ENOUGH_RUNS,
          Severity.WARNING,
          "No trial is valid, so there is no answer.",
          Map.of(),
          "A run with valid trials; the reasons are listed with each trial.");
    }
    return new Finding(
        Kind.ESTIMATE,
        estimates.isEmpty() ? Severity.WARNING : Severity.INFO,
        Phrases.capital(String.join("; ", parts) + "."),
        estimates,
        "More blocks, other records, or other machines: repeat it with your own.");
  }

  private static String named(Ranking ranking, Ranking.Row row) {
    return ranking.part().isEmpty() ? row.label() : ranking.part() + ", " + row.label();
  }

  private static String none(Ranking ranking) {
    boolean held = ranking.rows().stream().anyMatch(Ranking.Row::heldRate);
    return held
        ? "no treatment that held %s calls/s has enough calls for a p99, so none is recommended"
            .formatted(Figures.plain(ranking.rate()))
        : "no treatment held %s calls/s, so none is recommended"
            .formatted(Figures.plain(ranking.rate()));
  }

  /** The first that guarantees at least what the baseline does and, in an open loop, can serve. */
  static Optional<Ranking.Row> best(Ranking ranking) {
    Optional<Guarantee> asked =
        ranking.rows().stream()
            .filter(Ranking.Row::isBaseline)
            .findFirst()
            .flatMap(Ranking.Row::guarantee);
    return ranking.rows().stream()
        .filter(row -> keeps(row, asked))
        .filter(row -> !ranking.openLoop() || (row.heldRate() && row.worstP99().isPresent()))
        .findFirst();
  }

  private static boolean keeps(Ranking.Row row, Optional<Guarantee> asked) {
    if (asked.isEmpty() || row.guarantee().isEmpty()) {
      return true;
    }
    Guarantee has = row.guarantee().get();
    Guarantee wants = asked.get();
    return (has.overwrites() || !wants.overwrites())
        && (has.ordered() || !wants.ordered())
        && (has.durable() || !wants.durable());
  }

  private String closedLoop(Ranking ranking, Ranking.Row row) {
    String against =
        row.ratio()
            .map(ratio -> ", " + times(ratio) + " " + ranking.baseline())
            .orElse(ranking.rows().size() > 1 ? ", the baseline" : "");
    return "%s with %s (%s records/s%s%s)%s"
        .formatted(
            ranking.part().isEmpty() ? Phrases.verb(ranking.job()) : ranking.part(),
            row.label(),
            Figures.plain(row.throughput().value()),
            against,
            EqualTermsNotes.among(row.marks()),
            rivals(ranking, row));
  }

  private String openLoop(Ranking ranking, Ranking.Row row) {
    String figures =
        row.latencies().stream()
            .map(latency -> p99(latency, ranking))
            .collect(Collectors.joining("; "));
    boolean others = ranking.rows().stream().filter(Ranking.Row::heldRate).count() > 1;
    String p99 =
        ranking.severalOperations()
            ? (others ? "lowest p99 of the slowest operation" : "p99") + " (" + figures + ")"
            : (others ? "lowest p99, " : "p99 ") + figures;
    return "%s at %s calls/s with %s: %s%s%s"
        .formatted(
            Phrases.verb(ranking.job()),
            Figures.plain(ranking.rate()),
            row.label(),
            p99,
            EqualTermsNotes.among(row.marks()),
            rivals(ranking, row));
  }

  private static String p99(OperationLatency latency, Ranking ranking) {
    String figure =
        latency.of(LatencyStatistic.P99).map(RankingFindings::milliseconds).orElse("unknown");
    String against =
        latency.ratio().map(r -> ", " + times(r) + " " + ranking.baseline()).orElse("");
    return (ranking.severalOperations() ? latency.operation() + " " : "") + figure + against;
  }

  static String milliseconds(Estimate micros) {
    Estimate ms = micros.times(1e-3, "ms");
    String value = figure(ms.value()) + " ms";
    return ms.hasInterval()
        ? "%s [%s: %s to %s]".formatted(value, confidence(ms), figure(ms.low()), figure(ms.high()))
        : value;
  }

  private static String times(Estimate ratio) {
    String value = figure(ratio.value());
    return ratio.hasInterval()
        ? "%s times [%s: %s to %s]"
            .formatted(value, confidence(ratio), figure(ratio.low()), figure(ratio.high()))
        : value + " times";
  }

  private static String confidence(Estimate estimate) {
    return Figures.percent(estimate.confidence());
  }

  /** Three digits or so. */
  private static String figure(double value) {
    double size = Math.abs(value);
    double step = size >= 100 ? 1 : size >= 10 ? 0.1 : size >= 0.1 ? 0.01 : 1e-4;
    return Figures.plain(Math.round(value / step) * step);
  }

  private String rivals(Ranking ranking, Ranking.Row best) {
    List<String> equals = similar(ranking, best);
    return equals.isEmpty()
        ? ""
        : ", not significantly different from " + Phrases.andOthers(equals);
  }

  private List<String> similar(Ranking ranking, Ranking.Row best) {
    List<String> others =
        ranking.rows().stream()
            .skip(ranking.rows().indexOf(best) + 1L)
            .filter(row -> keeps(row, best.guarantee()) && row.heldRate())
            .map(Ranking.Row::label)
            .toList();
    return others.isEmpty()
        ? others
        : ranking.openLoop()
            ? similarP99(ranking, best, others)
            : List.copyOf(throughput(ranking).notWorse(best.label(), others, 1));
  }

  private RankingModel throughput(Ranking ranking) {
    Map<String, Treatment> values = new LinkedHashMap<>();
    ranking.rows().forEach(row -> values.put(row.label(), row.replicates()));
    return new RankingModel(Rankings.THROUGHPUT, values, intervals);
  }

  /** By what ranks: throughput, or p99 of each operation of the best where a rate is offered. */
  private List<Finding> outliers(Ranking ranking) {
    if (!ranking.openLoop()) {
      return throughput(ranking).outliers(ranking.part());
    }
    Map<String, List<OperationLatency>> byLabel = byLabel(ranking);
    return best(ranking).stream()
        .flatMap(
            best ->
                best.latencies().stream()
                    .map(l -> Rankings.p99Model(l, best.latencies(), byLabel, intervals)))
        .flatMap(model -> model.outliers("").stream())
        .toList();
  }

  private static Map<String, List<OperationLatency>> byLabel(Ranking ranking) {
    Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    ranking.rows().forEach(row -> byLabel.put(row.label(), row.latencies()));
    return byLabel;
  }

  /** Those of which no operation is significantly slower. */
  private List<String> similarP99(Ranking ranking, Ranking.Row best, List<String> others) {
    Map<String, List<OperationLatency>> byLabel = byLabel(ranking);
    List<String> similar = new ArrayList<>(others);
    for (OperationLatency latency : best.latencies()) {
      similar.retainAll(
          Rankings.p99Model(latency, best.latencies(), byLabel, intervals)
              .notWorse(best.label(), others, best.latencies().size()));
    }
    return similar;
  }

  private static List<Finding> details(Ranking ranking) {
    List<Finding> findings = new ArrayList<>();
    Optional<Ranking.Row> best = best(ranking);
    if (best.isPresent()) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.equals(best.get())) {
          break;
        }
        findings.add(faster(ranking, row, best.get()));
      }
      findings.addAll(byOperation(ranking, best.get()));
      PathChoice.of(
              ranking.rows().stream()
                  .filter(row -> keeps(row, best.get().guarantee()))
                  .filter(Ranking.Row::heldRate)
                  .toList(),
              ranking.openLoop())
          .ifPresent(findings::add);
    }
    ranking.rows().forEach(row -> refuted(row).ifPresent(findings::add));
    if (ranking.openLoop()) {
      ranking.rows().stream()
          .filter(row -> row.worstP99().isEmpty())
          .forEach(row -> findings.add(withoutP99(row)));
    }
    ranking.unranked().forEach(row -> findings.add(unranked(row)));
    return findings;
  }

  private static Finding faster(Ranking ranking, Ranking.Row row, Ranking.Row best) {
    String what =
        ranking.openLoop()
            ? "has a lower p99 (%s µs)".formatted(Figures.plain(row.worstP99().orElse(0)))
            : "is faster (%s records/s)".formatted(Figures.plain(row.throughput().value()));
    return new Finding(
        Kind.COMPARISON,
        Severity.NOTICE,
        "%s %s but %s."
            .formatted(row.label(), what, Phrases.lacks(row.guarantee(), best.guarantee())),
        Map.of(row.label(), row.throughput()),
        "A use that does not need that guarantee.");
  }

  /** Where another treatment has the lower p99 of one operation. */
  private static List<Finding> byOperation(Ranking ranking, Ranking.Row best) {
    List<Finding> findings = new ArrayList<>();
    if (!ranking.openLoop() || best.latencies().size() < 2) {
      return findings;
    }
    for (OperationLatency latency : best.latencies()) {
      double own = latency.of(LatencyStatistic.P99).map(Estimate::value).orElse(0.0);
      ranking.rows().stream()
          .filter(row -> row.heldRate() && keeps(row, best.guarantee()) && !row.equals(best))
          .flatMap(
              row ->
                  row.latencies().stream()
                      .filter(l -> l.operation().equals(latency.operation()))
                      .flatMap(l -> l.of(LatencyStatistic.P99).stream())
                      .filter(p99 -> p99.value() < own)
                      .map(p99 -> Map.entry(row.label(), p99)))
          .min(java.util.Comparator.comparingDouble(e -> e.getValue().value()))
          .ifPresent(
              lower ->
                  findings.add(
                      new Finding(
                          Kind.LATENCY,
                          Severity.NOTICE,
                          "For %s alone, %s has the lowest p99: %s. The ranking goes by the slowest operation of a treatment."
                              .formatted(
                                  latency.operation(),
                                  lower.getKey(),
                                  milliseconds(lower.getValue())),
                          Map.of(lower.getKey(), lower.getValue()),
                          "A use in which that operation matters most.")));
    }
    return findings;
  }

  private static Optional<Finding> refuted(Ranking.Row row) {
    if (row.claimed().equals(row.guarantee())) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Kind.COMPARISON,
            Severity.WARNING,
            "%s does not keep its guarantees: %s."
                .formatted(
                    row.label(),
                    Phrases.and(row.claimed().map(row.probes()::verdicts).orElse(List.of()))),
            Map.of(),
            "Nothing: one stale or lost key is proof."));
  }

  private static Finding withoutP99(Ranking.Row row) {
    return new Finding(
        Kind.LATENCY,
        Severity.WARNING,
        "%s has too few calls for a p99 of every operation, which takes 1,000 calls of each, so it is ranked last."
            .formatted(row.label()),
        Map.of(),
        "A longer measured part.");
  }

  private static Finding unranked(Ranking.Unranked row) {
    return new Finding(
        Kind.DISTURBED,
        Severity.WARNING,
        "%s has no valid trial: %s".formatted(row.label(), row.why()),
        Map.of(),
        "A valid trial of it.");
  }
}
