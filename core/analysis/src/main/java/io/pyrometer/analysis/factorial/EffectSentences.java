package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.ResponseScale;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What one effect does, in words. */
final class EffectSentences {
  private final FactorialEffects found;
  private final FactorialOptions options;

  EffectSentences(FactorialEffects found) {
    this.found = found;
    this.options = found.options();
  }

  Finding effect(Effect effect) {
    AliasChain.Term term = likeliest(effect.chain());
    String share = Figures.percent(effect.share()) + " of the variation";
    String sentence =
        switch (term.order()) {
          case 1 -> mainEffect(effect, term) + ", " + share + ".";
          case 2 -> interaction(term) + " (" + share + ")" + but(effect.chain(), term) + ".";
          default ->
              "%s: the interaction of %d factors explains %s."
                  .formatted(term.name(), term.order(), share);
        };
    return new Finding(
        Kind.EFFECT,
        Severity.INFO,
        sentence,
        Map.of(term.name(), effect.change()),
        effect.chain().rivals(2).isEmpty()
            ? "Further blocks."
            : "Runs that part it from " + names(others(effect.chain(), term), " and ") + ".");
  }

  /**
   * The interaction that a chain most likely shows: the one whose factors both act by themselves.
   * Which of them it is the runs do not tell, so the sentence names the others too.
   */
  AliasChain.Term likeliest(AliasChain chain) {
    AliasChain.Term first = chain.first();
    if (first.order() != 2) {
      return first;
    }
    return chain.terms().stream()
        .filter(term -> term.order() == 2)
        .max(Comparator.comparingDouble(this::weakestParent))
        .orElse(first);
  }

  private double weakestParent(AliasChain.Term pair) {
    return pair.letters()
        .chars()
        .mapToObj(letter -> found.effect(String.valueOf((char) letter)))
        .mapToDouble(effect -> Math.abs(effect.size()))
        .min()
        .orElse(0);
  }

  private static List<AliasChain.Term> others(AliasChain chain, AliasChain.Term term) {
    return chain.terms().stream()
        .filter(other -> other.order() <= 2 && !other.letters().equals(term.letters()))
        .toList();
  }

  private static String but(AliasChain chain, AliasChain.Term term) {
    List<AliasChain.Term> others = others(chain, term);
    return others.isEmpty()
        ? ""
        : ", unless it is " + names(others, " or ") + ", which these runs cannot tell apart";
  }

  private String mainEffect(Effect effect, AliasChain.Term term) {
    Factor factor =
        found.data().design().factors().get(EffectAliases.LETTERS.indexOf(term.letters()));
    Estimate change = effect.change();
    String interval =
        change.hasInterval()
            ? " (%s interval %s to %s)"
                .formatted(
                    Figures.percent(change.confidence()),
                    options.changed(change.low()),
                    options.changed(change.high()))
            : "";
    return "%s from %s to %s changes %s by %s%s"
        .formatted(
            factor.name(),
            factor.low(),
            factor.high(),
            options.response(),
            options.changed(change.value()),
            interval);
  }

  private String interaction(AliasChain.Term term) {
    int[] pair = EffectAliases.factors(EffectAliases.ofLetters(term.letters())).toArray();
    Factor a = found.data().design().factors().get(pair[0]);
    Factor b = found.data().design().factors().get(pair[1]);
    return found.interactionMeans().stream()
        .filter(cells -> cells.get(0).levels().keySet().containsAll(List.of(a.name(), b.name())))
        .findFirst()
        .map(
            cells ->
                "what %s does depends on %s: from %s to %s changes %s by %s at %s and by %s at %s"
                    .formatted(
                        a.name(),
                        b.name(),
                        a.low(),
                        a.high(),
                        options.response(),
                        between(cells.get(0), cells.get(1)),
                        b.low(),
                        between(cells.get(2), cells.get(3)),
                        b.high()))
        .orElse("what %s does depends on %s".formatted(a.name(), b.name()));
  }

  private String between(CellMean from, CellMean to) {
    double a = from.mean().value();
    double b = to.mean().value();
    return options.scale() == ResponseScale.LN ? options.changed(b / a) : options.changed(b - a);
  }

  private static String names(List<AliasChain.Term> terms, String between) {
    return terms.stream().map(AliasChain.Term::name).collect(Collectors.joining(between));
  }
}
