package io.pyrometer.results.study;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Findings on the effects of factors: the significant ones first, then their limits. */
final class EffectFindings {
  private static final int MAX_OUTLIERS = 3;
  private static final int MAX_EFFECTS = 8;
  private static final int MAX_ALIASES = 3;

  private final AnalysisOptions options;
  private final List<Finding> findings = new ArrayList<>();

  private EffectFindings(AnalysisOptions options) {
    this.options = options;
  }

  static List<Finding> of(FactorialEffects found) {
    EffectFindings all = new EffectFindings(found.options());
    List<Term> active = found.terms().stream().filter(Term::active).toList();
    active.stream().limit(MAX_EFFECTS).forEach(term -> all.active(term, found));
    if (found.lenth().isEmpty() && found.excluded().isEmpty()) {
      all.findings.add(Finding.notice("effect.saturated"));
    } else if (active.isEmpty()) {
      Term largest = found.terms().get(0);
      all.none(largest.name(), largest.share(), found.excluded());
    }
    all.model(found);
    List<Term> judged = active.isEmpty() ? found.terms().stream().limit(3).toList() : active;
    judged.stream()
        .flatMap(term -> term.chain().stream())
        .filter(EffectFindings::isMixed)
        .limit(MAX_ALIASES)
        .forEach(chain -> all.aliased(chain, found));
    found
        .design()
        .filter(design -> design.resolution() == 3)
        .map(design -> Finding.notice("effect.foldover").with("runs", design.runs()))
        .ifPresent(all.findings::add);
    return all.findings;
  }

  private void model(FactorialEffects found) {
    if (found.lenth().isPresent()) {
      findings.add(Finding.notice("effect.not-enough-runs"));
    }
    found.outliers().stream().limit(MAX_OUTLIERS).forEach(this::outlier);
    if (found.spreadsDiffer()) {
      findings.add(Finding.notice("effect.spreads"));
    }
  }

  private void outlier(FactorialEffects.Outlying outlier) {
    findings.add(
        Finding.warning("effect.outlier")
            .with("treatment", Labels.of(outlier.treatment(), ""))
            .with("block", Optional.of(outlier.block()).filter(b -> !b.isEmpty()).map(Value::name))
            .with("observed", Value.number(outlier.observed()))
            .with("expected", Value.number(outlier.expected())));
  }

  private void none(String largest, double share, OptionalDouble excluded) {
    // On ln y a difference without a limit says nothing.
    double widest = Math.log(Estimate.WIDEST) / 2;
    Optional<Value> limit =
        excluded.stream()
            .filter(difference -> options.scale() != ResponseScale.LN || difference <= widest)
            .mapToObj(difference -> change(options.scale().back(difference)))
            .findFirst();
    findings.add(
        Finding.notice("effect.none")
            .with("name", largest)
            .with("share", Value.share(share))
            .with("excluded", limit));
  }

  /** A change of the response: a ratio on ln y, a difference on y. */
  private Value change(double change) {
    if (options.scale() == ResponseScale.LN) {
      return Value.change(change);
    }
    String unit = options.unit().isEmpty() ? "" : " " + options.unit();
    return Value.name((change > 0 ? "+" : "") + Value.shorten(change) + unit);
  }

  private Finding main(String factor, String high, String low, Estimate change) {
    boolean wide = options.scale() == ResponseScale.LN && change.tooWide();
    Finding main =
        Finding.info("effect.main")
            .with("factor", factor)
            .with("high", high)
            .with("low", low)
            .with("response", options.name())
            .with("change", change(change.value()))
            .with(factor, change);
    return change.hasInterval() && !wide
        ? main.with("from", change(change.low())).with("to", change(change.high()))
        : main;
  }

  private void active(Term term, FactorialEffects found) {
    String name = term.chain().map(chain -> likeliest(chain, found).name()).orElse(term.name());
    List<CellMean> own =
        found.levelMeans().stream().filter(cell -> cell.levels().containsKey(name)).toList();
    List<String> pair = List.of(name.split(" × "));
    if (term.extremes().isPresent()) {
      levels(term, term.extremes().get(), own);
    } else if (!own.isEmpty() && term.change().isPresent()) {
      findings.add(main(name, level(own.get(1)), level(own.get(0)), term.change().get()));
    } else if (pair.size() == 2 && term.change().isPresent()) {
      interaction(name, pair.get(0), pair.get(1), term.change().get(), found);
    } else {
      joint(name, term.share());
    }
  }

  private void joint(String name, double share) {
    findings.add(Finding.info("effect.joint").with("name", name).with("share", Value.share(share)));
  }

  private void levels(Term term, FactorialEffects.Extremes extremes, List<CellMean> means) {
    Finding levels =
        Finding.info("effect.levels")
            .with("factor", term.name())
            .with("response", options.name())
            .with("largest", extremes.largest())
            .with("smallest", extremes.smallest())
            .with("difference", change(extremes.difference().value()));
    for (CellMean cell : means) {
      levels = levels.with(level(cell), cell.mean());
    }
    findings.add(levels);
    if (!extremes.alike().isEmpty()) {
      findings.add(
          Finding.info("effect.similar-levels")
              .with("factor", term.name())
              .with("largest", extremes.largest())
              .with("levels", extremes.alike()));
    }
  }

  private static String level(CellMean cell) {
    return String.join(", ", cell.levels().values());
  }

  private void interaction(
      String name, String a, String b, Estimate change, FactorialEffects found) {
    List<CellMean> cells =
        found.pairMeans().stream()
            .filter(four -> four.get(0).levels().keySet().containsAll(List.of(a, b)))
            .findFirst()
            .orElseThrow();
    Map<String, String> low = cells.get(0).levels();
    Map<String, String> high = cells.get(3).levels();
    findings.add(
        Finding.info("effect.interaction")
            .with("a", a)
            .with("b", b)
            .with("high", String.valueOf(high.get(a)))
            .with("low", String.valueOf(low.get(a)))
            .with("response", options.name())
            .with("first", between(cells.get(0), cells.get(1)))
            .with("b-low", String.valueOf(low.get(b)))
            .with("second", between(cells.get(2), cells.get(3)))
            .with("b-high", String.valueOf(high.get(b)))
            .with(name, change));
  }

  private Value between(CellMean from, CellMean to) {
    double a = from.mean().value();
    double b = to.mean().value();
    return change(options.scale() == ResponseScale.LN ? b / a : b - a);
  }

  /** The interaction that a chain most likely shows: the one of the factors with large effects. */
  private static AliasChain.Term likeliest(AliasChain chain, FactorialEffects found) {
    Comparator<AliasChain.Term> byWeakestParent =
        Comparator.comparingDouble(
            pair ->
                pair.letters()
                    .chars()
                    .mapToObj(letter -> found.term(String.valueOf((char) letter)))
                    .mapToDouble(term -> Math.abs(term.size(found.options().scale())))
                    .min()
                    .orElse(0));
    return chain.first().order() != 2
        ? chain.first()
        : chain.terms().stream()
            .filter(term -> term.order() == 2)
            .max(byWeakestParent)
            .orElse(chain.first());
  }

  private static boolean isMixed(AliasChain chain) {
    return chain.first().order() <= 2 && !chain.rivals(2).isEmpty();
  }

  private void aliased(AliasChain chain, FactorialEffects found) {
    AliasChain.Term about = likeliest(chain, found);
    List<String> others =
        chain.terms().stream()
            .filter(term -> term.order() <= 2 && !term.equals(about))
            .map(term -> (term.sign() * about.sign() < 0 ? "−" : "") + term.name())
            .toList();
    findings.add(
        Finding.notice("effect.aliased").with("effect", about.name()).with("others", others));
  }
}
