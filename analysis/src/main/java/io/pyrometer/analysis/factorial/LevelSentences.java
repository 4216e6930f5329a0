package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What factors of several levels do, in words. */
final class LevelSentences {
  private LevelSentences() {}

  static List<Finding> of(
      List<LevelEffects.Term> terms,
      List<CellMean> means,
      List<LevelEffects.Outlying> outliers,
      int df,
      FactorialOptions options) {
    List<Finding> findings = new ArrayList<>();
    outliers.forEach(outlier -> findings.add(outlying(outlier)));
    boolean anyActive = terms.stream().anyMatch(LevelEffects.Term::active);
    terms.stream()
        .filter(LevelEffects.Term::active)
        .forEach(term -> findings.add(active(term, means, options)));
    if (df == 0) {
      findings.add(
          few("There are as many parameters as values, so nothing is left to judge them by."));
    } else if (!anyActive) {
      findings.add(
          few(
              "No factor is statistically significant; the largest, %s, explains %s of the variation."
                  .formatted(terms.get(0).name(), Figures.percent(terms.get(0).share()))));
    }
    return findings;
  }

  private static Finding active(
      LevelEffects.Term term, List<CellMean> means, FactorialOptions options) {
    List<CellMean> own =
        means.stream()
            .filter(cell -> cell.levels().containsKey(term.name()))
            .sorted(Comparator.comparingDouble(cell -> -cell.mean().value()))
            .toList();
    String share = Figures.percent(term.share()) + " of the variation";
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    own.forEach(cell -> estimates.put(level(cell), cell.mean()));
    if (term.change().isPresent()) {
      return twoLevels(term, means, options, share);
    }
    if (own.isEmpty()) {
      return finding(
          "What one of %s does depends on the other (%s).".formatted(term.name(), share),
          estimates);
    }
    CellMean most = own.get(0);
    CellMean least = own.get(own.size() - 1);
    return finding(
        "%s: %s is largest at %s with %s and smallest at %s with %s (%s)."
            .formatted(
                term.name(),
                options.response(),
                level(most),
                Figures.plain(most.mean().value()),
                level(least),
                Figures.plain(least.mean().value()),
                share),
        estimates);
  }

  private static Finding twoLevels(
      LevelEffects.Term term, List<CellMean> means, FactorialOptions options, String share) {
    List<CellMean> own =
        means.stream().filter(cell -> cell.levels().containsKey(term.name())).toList();
    Estimate change = term.change().orElseThrow();
    return finding(
        "%s from %s to %s changes %s by %s (%s interval %s to %s, %s), %s."
            .formatted(
                term.name(),
                level(own.get(0)),
                level(own.get(1)),
                options.response(),
                changed(change.value(), options),
                Figures.percent(change.confidence()),
                changed(change.low(), options),
                changed(change.high(), options),
                Figures.p(term.adjustedP().orElse(1)),
                share),
        Map.of(term.name(), change));
  }

  private static String changed(double change, FactorialOptions options) {
    if (options.scale() == ResponseScale.LN) {
      return Figures.change(change);
    }
    String unit = options.unit().isEmpty() ? "" : " " + options.unit();
    return (change > 0 ? "+" : "") + Figures.plain(change).replace('-', '−') + unit;
  }

  private static Finding outlying(LevelEffects.Outlying outlier) {
    return new Finding(
        Kind.OUTLYING_RUN,
        Severity.WARNING,
        "%s in block %s gave %s where the other runs predict %s (studentised residual %s, %s): check that it ran as configured, and repeat it; it was not left out."
            .formatted(
                outlier.treatment(),
                outlier.block(),
                Figures.plain(outlier.observed()),
                Figures.plain(outlier.expected()),
                Figures.plain(outlier.studentised()).replace('-', '−'),
                Figures.p(outlier.p())),
        Map.of(),
        "A repeat of that trial that gives the same.");
  }

  private static String level(CellMean cell) {
    return String.join(", ", cell.levels().values());
  }

  private static Finding finding(String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Kind.EFFECT,
        Severity.INFO,
        sentence,
        estimates,
        "Further blocks, or an interaction left out.");
  }

  private static Finding few(String sentence) {
    return new Finding(
        Kind.NOT_ENOUGH_RUNS, Severity.NOTICE, sentence, Map.of(), "More blocks, or less noise.");
  }
}
