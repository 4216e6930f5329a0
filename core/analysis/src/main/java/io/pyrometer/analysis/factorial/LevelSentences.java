package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.ResponseScale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What factors of several levels do, in words. */
final class LevelSentences {
  /** Of more levels that are not told from the largest only the first are named. */
  private static final int NAMED = 4;

  private final List<LevelEffects.Term> terms;
  private final List<CellMean> means;
  private final FactorialOptions options;

  LevelSentences(List<LevelEffects.Term> terms, List<CellMean> means, FactorialOptions options) {
    this.terms = terms;
    this.means = means;
    this.options = options;
  }

  /**
   * All of them.
   *
   * @param excluded what no two levels differ by or more; empty where nothing is left to judge by
   * @param lenth the limits for the effects of a screen that was made once
   * @param spreadsDiffer whether each treatment has a variance of its own
   */
  List<Finding> of(
      List<LevelEffects.Outlying> outliers,
      Optional<Double> excluded,
      Optional<Lenth> lenth,
      boolean spreadsDiffer) {
    List<Finding> findings = new ArrayList<>();
    outliers.forEach(outlier -> findings.add(outlying(outlier)));
    terms.stream().filter(LevelEffects.Term::active).forEach(term -> findings.add(active(term)));
    int effects = findings.size();
    if (spreadsDiffer) {
      findings.add(
          Finding.notice(
              Kind.EFFECT,
              "The spreads of the treatments differ (Brown and Forsythe's test), so Welch's test replaces the pooled one.",
              "More replicates, or the logarithm as the scale."));
    }
    if (lenth.isPresent()) {
      findings.add(
          few(
              "Every run was made once, so effects are judged by Lenth's rule for all at once (limit %s); interactions are taken to be small, as main effects are aliased with them in part."
                  .formatted(options.changed(options.scale().back(lenth.get().sme())))));
    } else if (excluded.isEmpty()) {
      findings.add(
          few("There are as many parameters as values, so nothing is left to judge them by."));
    } else if (effects == outliers.size()) {
      findings.add(few(nothing(excluded.get())));
    }
    return findings;
  }

  /** No effect is seen; what is excluded is said with it. */
  private String nothing(double most) {
    String lead =
        "No factor is statistically significant; the largest, %s, explains %s of the variation."
            .formatted(terms.get(0).name(), Figures.percent(terms.get(0).share()));
    if (options.tooLarge(most)) {
      return lead + " There are too few blocks to exclude a difference of any size.";
    }
    String bound =
        options.scale() == ResponseScale.LN
            ? "%s (or %s)"
                .formatted(Figures.change(Math.exp(most)), Figures.change(Math.exp(-most)))
            : options.changed(most);
    return "%s What is excluded (%s, all factors together) is a difference between two levels of %s and more."
        .formatted(lead, Figures.percent(options.confidence()), bound);
  }

  private Finding active(LevelEffects.Term term) {
    List<CellMean> own =
        means.stream()
            .filter(cell -> cell.levels().containsKey(term.name()))
            .sorted(Comparator.comparingDouble(cell -> -cell.mean().value()))
            .toList();
    String share = Figures.percent(term.share()) + " of the variation";
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    own.forEach(cell -> estimates.put(level(cell), cell.mean()));
    if (term.change().isPresent()) {
      return twoLevels(term, share);
    }
    return finding(
        term.extremes()
            .map(extremes -> extremes(term, extremes, own, share))
            .orElseGet(
                () ->
                    "%s: the effect of one depends on the level of the other%s (%s, %s)."
                        .formatted(
                            term.name(),
                            term.name().split(" × ").length > 2 ? "s" : "",
                            Figures.p(term.adjustedP().orElse(1)),
                            share)),
        estimates);
  }

  private String extremes(
      LevelEffects.Term term, LevelEffects.Extremes extremes, List<CellMean> own, String share) {
    Estimate difference = extremes.difference();
    String interval =
        options.tooWide(difference)
            ? "too few blocks for an interval"
            : "%s to %s, %s for all pairs of levels"
                .formatted(
                    options.changed(difference.low()),
                    options.changed(difference.high()),
                    Figures.percent(options.confidence()));
    return "%s: %s is largest at %s with %s and smallest at %s with %s; the difference is %s (%s), %s.%s"
        .formatted(
            term.name(),
            options.response(),
            extremes.largest(),
            Figures.plain(own.get(0).mean().value()),
            extremes.smallest(),
            Figures.plain(own.get(own.size() - 1).mean().value()),
            options.changed(difference.value()),
            interval,
            share,
            alike(extremes));
  }

  private static String alike(LevelEffects.Extremes extremes) {
    List<String> alike = extremes.alike();
    if (alike.isEmpty()) {
      return "";
    }
    int more = alike.size() - NAMED;
    return " Not significantly different from %s: %s%s."
        .formatted(
            extremes.largest(),
            String.join(", ", alike.subList(0, Math.min(NAMED, alike.size()))),
            more > 0 ? " and %d more".formatted(more) : "");
  }

  private Finding twoLevels(LevelEffects.Term term, String share) {
    List<CellMean> own =
        means.stream().filter(cell -> cell.levels().containsKey(term.name())).toList();
    Estimate change = term.change().orElseThrow();
    return finding(
        "%s, %s against %s: %s %s (%s%s), %s."
            .formatted(
                term.name(),
                level(own.get(1)),
                level(own.get(0)),
                options.response(),
                options.changed(change.value()),
                options.interval(change),
                term.adjustedP().isPresent()
                    ? ", " + Figures.p(term.adjustedP().getAsDouble())
                    : "",
                share),
        Map.of(term.name(), change));
  }

  private static Finding outlying(LevelEffects.Outlying outlier) {
    return Finding.warning(
        Kind.OUTLYING_RUN,
        "%s in %s gave %s where the other runs predict %s (studentised residual %s, %s): check that it ran as configured, and repeat it; it was not left out."
            .formatted(
                outlier.treatment(),
                outlier.place(),
                Figures.plain(outlier.observed()),
                Figures.plain(outlier.expected()),
                Figures.plain(outlier.studentised()).replace('-', '−'),
                Figures.p(outlier.p())),
        "A repeat of that trial that gives the same.");
  }

  private static String level(CellMean cell) {
    return String.join(", ", cell.levels().values());
  }

  private static Finding finding(String sentence, Map<String, Estimate> estimates) {
    return Finding.info(
        Kind.EFFECT, sentence, estimates, "Further blocks, or an interaction left out.");
  }

  private static Finding few(String sentence) {
    return Finding.notice(Kind.NOT_ENOUGH_RUNS, sentence, "More blocks, or less noise.");
  }
}
