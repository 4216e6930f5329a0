package io.pyrometer.results.run;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.Analysis;
import io.pyrometer.protocol.Guarantee;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a run answers: the experiment's question in one sentence first, then what limits it. */
public final class Answers {
  private final List<Ranking> rankings;

  private Answers(List<Ranking> rankings) {
    this.rankings = rankings;
  }

  /** The answer first, of the analyses in the order of the file; never empty. */
  public static List<Finding> of(
      RunRecord run, List<Ranking> rankings, List<RunAnalysis> analyses) {
    Answers answers = new Answers(rankings);
    List<Finding> findings = new ArrayList<>();
    for (String asked : run.plan().experiment().analyses()) {
      if (asked.equals(Analysis.RANKING.word())) {
        findings.addAll(answers.ranked());
      }
      analyses.stream()
          .filter(analysis -> analysis.analysis().equals(asked) && analysis.leading())
          .forEach(analysis -> findings.addAll(analysis.findings()));
    }
    run.plan()
        .experiment()
        .published()
        .ifPresent(published -> findings.addAll(Compared.of(published.source(), rankings)));
    findings.addAll(Reservations.of(run));
    run.plan().experiment().shortcomings().forEach(each -> findings.add(shortcoming(each)));
    return findings.isEmpty() ? answers.ranked() : findings;
  }

  private List<Finding> ranked() {
    List<Finding> findings = new ArrayList<>();
    findings.add(answer());
    rankings.forEach(ranking -> findings.addAll(details(ranking)));
    return findings;
  }

  private static Finding shortcoming(String sentence) {
    return new Finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        "This run is shorter than the full one and does not say: " + sentence,
        Map.of(),
        "The same command with --full.");
  }

  private Finding answer() {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    for (Ranking ranking : rankings) {
      best(ranking)
          .ifPresent(
              row -> {
                estimates.put(row.label(), row.throughput());
                parts.add(part(ranking, row));
              });
    }
    if (parts.isEmpty()) {
      return new Finding(
          Kind.NOT_ENOUGH_RUNS,
          Severity.WARNING,
          "No trial came out right, so there is no answer.",
          Map.of(),
          "A run whose trials are right; the reasons stand beside each trial.");
    }
    String sentence = String.join("; ", parts) + ".";
    return new Finding(
        Kind.ESTIMATE,
        Severity.INFO,
        Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1),
        estimates,
        "More blocks, other records, or other machines: run it again with yours.");
  }

  /** The fastest that promises at least what the plainest path does, which has no ratio. */
  private static Optional<Ranking.Row> best(Ranking ranking) {
    Optional<Guarantee> asked =
        ranking.rows().stream()
            .filter(row -> row.ratio().isEmpty())
            .findFirst()
            .flatMap(Ranking.Row::guarantee);
    return ranking.rows().stream().filter(row -> keeps(row, asked)).findFirst();
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

  private String part(Ranking ranking, Ranking.Row row) {
    String against =
        row.ratio()
            .map(ratio -> ", " + times(ratio) + " " + ranking.baseline())
            .orElse(ranking.rows().size() > 1 ? ", the plainest way" : "");
    return "%s with %s (%s records/s%s)%s"
        .formatted(
            Words.verb(ranking.job()),
            row.label(),
            Figures.plain(row.throughput().value()),
            against,
            rival(ranking, row));
  }

  private static String times(Estimate ratio) {
    String value = Figures.plain(round(ratio.value()));
    return ratio.hasInterval()
        ? "%s times [95 %%: %s to %s]"
            .formatted(value, Figures.plain(round(ratio.low())), Figures.plain(round(ratio.high())))
        : value + " times";
  }

  private static double round(double ratio) {
    double step = ratio >= 100 ? 1 : ratio >= 10 ? 0.1 : 0.01;
    return Math.round(ratio / step) * step;
  }

  /** Whoever cannot be told from the best, or beats it at the price of a promise. */
  private static String rival(Ranking ranking, Ranking.Row best) {
    List<String> equals = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      boolean keeps = keeps(row, best.guarantee()) && !row.equals(best);
      if (keeps && row.throughput().value() <= best.throughput().value() && like(best, row)) {
        equals.add(row.label());
      }
    }
    return equals.isEmpty() ? "" : ", which " + Words.andOthers(equals) + " cannot be told from";
  }

  private static boolean like(Ranking.Row best, Ranking.Row other) {
    return Rankings.compare(best.replicates(), best.label(), other.replicates(), other.label())
        .map(c -> c.ratio().hasInterval() && c.verdict() != Verdict.WORSE)
        .orElse(false);
  }

  private List<Finding> details(Ranking ranking) {
    List<Finding> findings = new ArrayList<>();
    Optional<Ranking.Row> best = best(ranking);
    if (best.isPresent()) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.equals(best.get())) {
          break;
        }
        findings.add(faster(row, best.get()));
      }
      PathChoice.of(
              ranking.rows().stream().filter(row -> keeps(row, best.get().guarantee())).toList())
          .ifPresent(findings::add);
    }
    ranking.rows().forEach(row -> refuted(row).ifPresent(findings::add));
    ranking.unranked().forEach(row -> findings.add(unranked(row)));
    return findings;
  }

  private static Finding faster(Ranking.Row row, Ranking.Row best) {
    return new Finding(
        Kind.COMPARISON,
        Severity.NOTICE,
        "%s is faster still (%s records/s) but %s."
            .formatted(
                row.label(),
                Figures.plain(row.throughput().value()),
                Words.lacks(row.guarantee(), best.guarantee())),
        Map.of(row.label(), row.throughput()),
        "A use that can do without that promise.");
  }

  private static Optional<Finding> refuted(Ranking.Row row) {
    if (row.claimed().equals(row.guarantee())) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Kind.COMPARISON,
            Severity.WARNING,
            "%s breaks what it promises: %s."
                .formatted(
                    row.label(),
                    Words.and(row.claimed().map(row.probed()::verdicts).orElse(List.of()))),
            Map.of(),
            "Nothing: one harmed key is proof."));
  }

  private static Finding unranked(Ranking.Unranked row) {
    return new Finding(
        Kind.DISTURBED,
        Severity.WARNING,
        "%s has no throughput: %s".formatted(row.label(), row.why()),
        Map.of(),
        "A trial of it that comes out right.");
  }
}
