package io.pyrometer.results.study;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.AliasChain.Term;
import io.pyrometer.analysis.factorial.CellMean;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.Effect;
import io.pyrometer.analysis.factorial.FactorialOptions;
import io.pyrometer.analysis.factorial.LevelEffects;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Findings on the effects of factors: the significant ones first, then their limits. */
final class EffectFindings {
  private static final int MAX_OUTLIERS = 3;
  private static final int MAX_EFFECTS = 8;
  private static final int MAX_ALIASES = 3;

  private final FactorialOptions options;
  private final List<Finding> findings = new ArrayList<>();

  private EffectFindings(FactorialOptions options) {
    this.options = options;
  }

  static List<Finding> of(LevelEffects found) {
    EffectFindings all = new EffectFindings(found.options());
    found.terms().stream()
        .filter(LevelEffects.Term::active)
        .limit(MAX_EFFECTS)
        .forEach(term -> all.active(term, found.levelMeans()));
    if (found.lenth().isEmpty() && found.excluded().isEmpty()) {
      all.findings.add(Finding.notice("effect.saturated"));
    } else if (all.findings.isEmpty()) {
      all.none(found.terms().get(0).name(), found.terms().get(0).share(), found.excluded());
    }
    all.model(found, found.outliers(), found.lenth().isPresent());
    return all.findings;
  }

  static List<Finding> of(FactorialEffects found) {
    EffectFindings all = new EffectFindings(found.options());
    List<Effect> active = found.effects().stream().filter(Effect::active).toList();
    active.stream().limit(MAX_EFFECTS).forEach(effect -> all.active(effect, found));
    boolean lenth = !found.replicated() && found.lenth().isPresent();
    if (!found.replicated() && !lenth) {
      all.findings.add(Finding.notice("effect.saturated"));
    } else if (active.isEmpty()) {
      Effect largest = found.effects().get(0);
      all.none(largest.chain().first().name(), largest.share(), found.excluded());
    }
    all.model(found.levels(), found.outliers(), lenth);
    List<Effect> judged = active.isEmpty() ? found.effects().stream().limit(3).toList() : active;
    judged.stream()
        .map(Effect::chain)
        .filter(EffectFindings::isMixed)
        .limit(MAX_ALIASES)
        .forEach(chain -> all.aliased(chain, found));
    TwoLevelDesign design = found.data().design();
    if (design.resolution() == 3) {
      all.findings.add(Finding.notice("effect.foldover").with("runs", design.runs()));
    }
    return all.findings;
  }

  private void model(LevelEffects found, List<LevelEffects.Outlying> outliers, boolean lenth) {
    if (lenth) {
      findings.add(Finding.notice("effect.not-enough-runs"));
    }
    outliers.stream().limit(MAX_OUTLIERS).forEach(this::outlier);
    if (found.spreadsDiffer()) {
      findings.add(Finding.notice("effect.spreads"));
    }
  }

  private void outlier(LevelEffects.Outlying outlier) {
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
            .with("response", options.response())
            .with("change", change(change.value()))
            .with(factor, change);
    return change.hasInterval() && !wide
        ? main.with("from", change(change.low())).with("to", change(change.high()))
        : main;
  }

  private void active(LevelEffects.Term term, List<CellMean> means) {
    List<CellMean> own =
        means.stream().filter(cell -> cell.levels().containsKey(term.name())).toList();
    if (term.change().isPresent()) {
      findings.add(main(term.name(), level(own.get(1)), level(own.get(0)), term.change().get()));
    } else if (term.extremes().isPresent()) {
      levels(term, term.extremes().get(), own);
    } else {
      joint(term.name(), term.share());
    }
  }

  private void joint(String name, double share) {
    findings.add(Finding.info("effect.joint").with("name", name).with("share", Value.share(share)));
  }

  private void levels(
      LevelEffects.Term term, LevelEffects.Extremes extremes, List<CellMean> means) {
    Finding levels =
        Finding.info("effect.levels")
            .with("factor", term.name())
            .with("response", options.response())
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

  private void active(Effect effect, FactorialEffects found) {
    Term term = likeliest(effect.chain(), found);
    List<Factor> factors =
        found.data().design().factors().stream()
            .filter(factor -> List.of(term.name().split(" × ")).contains(factor.name()))
            .toList();
    if (term.order() == 1) {
      Factor factor = factors.get(0);
      findings.add(main(factor.name(), factor.high(), factor.low(), effect.change()));
    } else if (term.order() == 2) {
      interaction(term, factors.get(0), factors.get(1), effect.change(), found);
    } else {
      joint(term.name(), effect.share());
    }
  }

  private void interaction(Term term, Factor a, Factor b, Estimate change, FactorialEffects found) {
    List<CellMean> cells =
        found.interactionMeans().stream()
            .filter(four -> four.get(0).levels().keySet().containsAll(List.of(a.name(), b.name())))
            .findFirst()
            .orElseThrow();
    findings.add(
        Finding.info("effect.interaction")
            .with("a", a.name())
            .with("b", b.name())
            .with("high", a.high())
            .with("low", a.low())
            .with("response", options.response())
            .with("first", between(cells.get(0), cells.get(1)))
            .with("b-low", b.low())
            .with("second", between(cells.get(2), cells.get(3)))
            .with("b-high", b.high())
            .with(term.name(), change));
  }

  private Value between(CellMean from, CellMean to) {
    double a = from.mean().value();
    double b = to.mean().value();
    return change(options.scale() == ResponseScale.LN ? b / a : b - a);
  }

  /** The interaction that a chain most likely shows: the one of the factors with large effects. */
  private static Term likeliest(AliasChain chain, FactorialEffects found) {
    Comparator<Term> byWeakestParent =
        Comparator.comparingDouble(
            pair ->
                pair.letters()
                    .chars()
                    .mapToObj(letter -> found.effect(String.valueOf((char) letter)))
                    .mapToDouble(effect -> Math.abs(effect.size()))
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
    Term about = likeliest(chain, found);
    List<String> others =
        chain.terms().stream()
            .filter(term -> term.order() <= 2 && !term.equals(about))
            .map(term -> (term.sign() * about.sign() < 0 ? "−" : "") + term.name())
            .toList();
    findings.add(
        Finding.notice("effect.aliased").with("effect", about.name()).with("others", others));
  }
}
