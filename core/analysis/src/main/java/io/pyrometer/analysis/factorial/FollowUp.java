package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Finding;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What to run next to part effects that a design mixes. */
final class FollowUp {
  private FollowUp() {}

  static Optional<Finding> of(FactorialEffects found, List<Effect> active) {
    TwoLevelDesign design = found.data().design();
    boolean mixed = active.stream().anyMatch(effect -> !effect.chain().rivals(2).isEmpty());
    if (design.resolution() == 3) {
      return Optional.of(foldover(design));
    }
    return mixed && design.resolution() == 4
        ? Optional.of(semifold(design, active))
        : Optional.empty();
  }

  private static Finding foldover(TwoLevelDesign design) {
    TwoLevelDesign both = design.withFoldover();
    return finding(
        "Run the foldover, %d further runs with every level reversed: together they have resolution %s (%s), which separates main effects from interactions of two."
            .formatted(design.runs(), roman(both.resolution()), both.definingRelation()));
  }

  private static Finding semifold(TwoLevelDesign design, List<Effect> active) {
    String name = name(design, factorToFold(design, active));
    return finding(
        "Run these %d runs again with only the level of %s reversed: that separates the interactions of %s from all others of two factors."
            .formatted(design.runs(), name, name));
  }

  /** Of the mixed interactions' factors the one that is in most of them. */
  private static int factorToFold(TwoLevelDesign design, List<Effect> active) {
    int[] counts = new int[design.factors().size()];
    active.stream()
        .filter(effect -> !effect.chain().rivals(2).isEmpty())
        .flatMap(effect -> effect.chain().terms().stream().filter(term -> term.order() == 2))
        .flatMapToInt(term -> EffectAliases.factors(EffectAliases.ofLetters(term.letters())))
        .forEach(factor -> counts[factor]++);
    return IntStream.range(0, counts.length)
        .reduce((a, b) -> counts[b] > counts[a] ? b : a)
        .orElse(0);
  }

  private static String name(TwoLevelDesign design, int factor) {
    return design.factors().get(factor).name();
  }

  private static Finding finding(String sentence) {
    return Finding.notice(
        Finding.Kind.FOLLOW_UP, sentence, "Knowledge that the interactions concerned cannot be.");
  }

  private static String roman(int resolution) {
    return switch (resolution) {
      case 3 -> "III";
      case 4 -> "IV";
      case 5 -> "V";
      case 6 -> "VI";
      case 7 -> "VII";
      case 8 -> "VIII";
      default -> String.valueOf(resolution);
    };
  }
}
