package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
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
  private final RunRecord run;
  private final List<Recommendation> recommendations;

  private RankingFindings(RunRecord run, List<Ranking> rankings) {
    this.run = run;
    this.recommendations =
        rankings.stream().map(ranking -> Recommendation.of(run, ranking)).toList();
  }

  /** Never empty. */
  public static List<Finding> of(RunRecord run, List<Ranking> rankings) {
    RankingFindings ranked = new RankingFindings(run, rankings);
    List<Finding> findings = new ArrayList<>();
    rankings.forEach(ranking -> findings.addAll(rates(ranking)));
    findings.add(NoAnswer.ofDisturbed(run).orElseGet(ranked::answer));
    ranked.recommendations.forEach(each -> findings.addAll(details(each)));
    ranked.recommendations.forEach(
        each ->
            each.models()
                .forEach(
                    model ->
                        findings.addAll(
                            model.outliers(
                                each.ranking().openLoop() ? "" : each.ranking().part()))));
    Oversubscription.of(
            run.counting(),
            "the ranking compares CPU cost, not what a cluster on machines of its own can do")
        .ifPresent(findings::add);
    return findings;
  }

  private static List<Finding> rates(Ranking ranking) {
    List<Finding> findings = new ArrayList<>();
    named(ranking, row -> row.offered().filter(o -> o.least() < OfferedRate.LEAST_HELD).isPresent())
        .ifPresent(
            rows ->
                findings.add(
                    Finding.warning(
                        Kind.LATENCY,
                        "The offered rate of %s calls/s was not held by %s: that is overload, where latency grows with the length of the trial, so these treatments are not recommended."
                            .formatted(Figures.plain(ranking.rate()), rows),
                        "A lower rate, which they hold.")));
    named(ranking, row -> row.offered().filter(OfferedRate::drained).isPresent())
        .ifPresent(
            rows ->
                findings.add(
                    Finding.warning(
                        Kind.LATENCY,
                        "A backlog drained into the measured part at the offered rate of %s calls/s, for %s: the latency includes calls that were overdue before, so these treatments are not recommended."
                            .formatted(Figures.plain(ranking.rate()), rows),
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
    for (Recommendation each : recommendations) {
      if (each.best().isEmpty() || each.isOpen()) {
        none(each).ifPresent(parts::add);
      } else {
        parts.add(part(each, estimates));
      }
    }
    if (estimates.isEmpty()) {
      return NoAnswer.of(run, recommendations, parts);
    }
    return new Finding(
        Kind.ESTIMATE,
        Severity.INFO,
        Phrases.capital(String.join("; ", parts) + "."),
        estimates,
        "More blocks, other records, or other machines: repeat it with your own.");
  }

  private static String part(Recommendation of, Map<String, Estimate> estimates) {
    Ranking ranking = of.ranking();
    Ranking.Row row = of.best().orElseThrow();
    if (!ranking.openLoop()) {
      estimates.put(named(ranking, row), row.throughput());
      return closedLoop(of, row);
    }
    for (OperationLatency latency : row.latencies()) {
      latency
          .of(LatencyStatistic.P99)
          .ifPresent(
              p99 ->
                  estimates.put("%s, p99 of %s".formatted(row.label(), latency.operation()), p99));
    }
    return openLoop(of, row);
  }

  private static String named(Ranking ranking, Ranking.Row row) {
    return ranking.part().isEmpty() ? row.label() : ranking.part() + ", " + row.label();
  }

  /** Why a ranking has no answer; empty where none of its trials is valid. */
  private static Optional<String> none(Recommendation of) {
    Ranking ranking = of.ranking();
    if (ranking.rows().isEmpty()) {
      return Optional.empty();
    }
    String verb = ranking.part().isEmpty() ? Phrases.verb(ranking.job()) : ranking.part();
    if (of.isOpen()) {
      Ranking.Row first = of.best().orElseThrow();
      return Optional.of(
          "to %s, no treatment is significantly different from %s, which had the %s in %s"
              .formatted(
                  verb,
                  first.label(),
                  ranking.openLoop() ? "lowest p99" : "highest mean throughput",
                  Figures.count(first.replicates().replicates().size(), "block")));
    }
    boolean held = ranking.rows().stream().anyMatch(Ranking.Row::heldRate);
    boolean kept = ranking.rows().stream().anyMatch(row -> row.refuted().isEmpty());
    if (!kept) {
      return Optional.of("to %s, probes refuted the guarantees of every treatment".formatted(verb));
    }
    String rate = Figures.plain(ranking.rate());
    return Optional.of(
        !held
            ? "no treatment held %s calls/s, so none is recommended".formatted(rate)
            : ranking.openLoop()
                ? "no treatment that held %s calls/s has enough calls for a p99, so none is recommended"
                    .formatted(rate)
                : "to %s, no treatment has the guarantees of the baseline".formatted(verb));
  }

  private static String closedLoop(Recommendation of, Ranking.Row row) {
    Ranking ranking = of.ranking();
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
            rivals(of));
  }

  private static String openLoop(Recommendation of, Ranking.Row row) {
    Ranking ranking = of.ranking();
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
            rivals(of));
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

  private static String rivals(Recommendation of) {
    List<String> equals = of.similar();
    return equals.isEmpty()
        ? ""
        : ", not significantly different from " + Phrases.andOthers(equals);
  }

  private static List<Finding> details(Recommendation of) {
    List<Finding> findings = new ArrayList<>();
    Ranking ranking = of.ranking();
    Optional<Ranking.Row> best = of.best();
    if (best.isPresent()) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.equals(best.get())) {
          break;
        }
        if (row.refuted().isEmpty()) {
          findings.add(faster(ranking, row, best.get()));
        }
      }
      findings.addAll(byOperation(ranking, best.get()));
      PathChoice.of(
              ranking.rows().stream()
                  .filter(row -> Recommendation.keeps(row, best.get().guarantee()))
                  .filter(Ranking.Row::heldRate)
                  .toList(),
              ranking.openLoop())
          .ifPresent(findings::add);
    }
    ranking.rows().forEach(row -> refuted(row).ifPresent(findings::add));
    untested(ranking).ifPresent(findings::add);
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
          .filter(
              row ->
                  row.heldRate()
                      && Recommendation.keeps(row, best.guarantee())
                      && !row.equals(best))
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
    return row.refuted().isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Kind.COMPARISON,
                "%s does not keep its guarantees and is not recommended: %s."
                    .formatted(row.label(), Phrases.and(row.refuted())),
                "Nothing: one stale or lost key is proof."));
  }

  /** A probe that says nothing of a treatment is no reason to trust it. */
  private static Optional<Finding> untested(Ranking ranking) {
    List<String> rows =
        ranking.rows().stream()
            .filter(row -> row.refuted().isEmpty() && !row.probes().untested().isEmpty())
            .map(
                row -> "%s (%s)".formatted(row.label(), String.join(", ", row.probes().untested())))
            .toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.COMPARISON,
                "Not tested, because a probe failed or checked fewer than %d keys or reads: %s."
                    .formatted(ProbeCounts.MIN_CHECKED, Phrases.andOthers(rows)),
                "A probe of more keys in its time, as with a smaller batch or more threads."));
  }

  private static Finding withoutP99(Ranking.Row row) {
    return Finding.warning(
        Kind.LATENCY,
        "%s has too few calls for a p99 of every operation, which takes 1,000 calls of each, so it is ranked last."
            .formatted(row.label()),
        "A longer measured part.");
  }

  private static Finding unranked(Ranking.Unranked row) {
    return Finding.warning(
        Kind.DISTURBED,
        "%s has no valid trial: %s".formatted(row.label(), row.why()),
        "A valid trial of it.");
  }
}
