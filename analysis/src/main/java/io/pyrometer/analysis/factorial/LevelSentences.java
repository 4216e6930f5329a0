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
      List<LevelEffects.Term> terms, List<CellMean> means, int df, FactorialOptions options) {
    List<Finding> findings = new ArrayList<>();
    terms.stream()
        .filter(LevelEffects.Term::active)
        .forEach(term -> findings.add(active(term, means, options)));
    if (df == 0) {
      findings.add(
          few("There are as many parameters as values, so nothing is left to judge them by."));
    } else if (findings.isEmpty()) {
      findings.add(
          few(
              "No factor stands out of the noise; the largest, %s, explains %s of the variation."
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
