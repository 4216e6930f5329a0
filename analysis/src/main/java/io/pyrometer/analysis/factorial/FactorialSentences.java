package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a two-level experiment showed, in words. */
final class FactorialSentences {
  private final FactorialEffects found;
  private final FactorialOptions options;

  private FactorialSentences(FactorialEffects found) {
    this.found = found;
    this.options = found.options();
  }

  static List<Finding> of(FactorialEffects found) {
    FactorialSentences sentences = new FactorialSentences(found);
    List<Finding> findings = new ArrayList<>();
    List<Effect> active = found.effects().stream().filter(Effect::active).toList();
    found.outlyingRuns().stream().limit(3).forEach(run -> findings.add(sentences.outlying(run)));
    active.stream().limit(8).forEach(effect -> findings.add(sentences.effect(effect)));
    if (active.isEmpty()) {
      findings.add(sentences.nothing());
    }
    if (!found.replicated()) {
      findings.add(sentences.unreplicated());
    }
    sentences.mixed(active).ifPresent(findings::add);
    FollowUp.of(found, active).ifPresent(findings::add);
    if (!found.data().blocksLeftOut().isEmpty()) {
      findings.add(sentences.leftOut());
    }
    return findings;
  }

  private Finding effect(Effect effect) {
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
  private AliasChain.Term likeliest(AliasChain chain) {
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
    Factor factor = factor(term.name());
    Estimate change = effect.change();
    String interval =
        change.hasInterval()
            ? " (%s interval %s to %s)"
                .formatted(
                    Figures.percent(change.confidence()),
                    changed(change.low()),
                    changed(change.high()))
            : "";
    return "%s from %s to %s changes %s by %s%s"
        .formatted(
            factor.name(),
            factor.low(),
            factor.high(),
            options.response(),
            changed(change.value()),
            interval);
  }

  private String interaction(AliasChain.Term term) {
    List<String> pair = List.of(term.name().split(" × ", -1));
    Factor a = factor(pair.get(0));
    Factor b = factor(pair.get(1));
    return found.interactionMeans().stream()
        .filter(cells -> cells.get(0).levels().keySet().containsAll(pair))
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
    return options.scale() == ResponseScale.LN ? changed(b / a) : changed(b - a);
  }

  private String changed(double change) {
    if (options.scale() == ResponseScale.LN) {
      return Figures.change(change);
    }
    String unit = options.unit().isEmpty() ? "" : " " + options.unit();
    return (change > 0 ? "+" : "") + Figures.plain(change).replace('-', '−') + unit;
  }

  private Factor factor(String name) {
    return found.data().design().factors().stream()
        .filter(factor -> factor.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Finding nothing() {
    Effect largest = found.effects().get(0);
    String limit =
        found.replicated()
            ? smallestSeen(found.standardErrorOfQ())
            : found
                .lenth()
                .map(lenth -> amount(lenth.me()) + " by Lenth's rule")
                .orElse("nothing that so few runs could show");
    return new Finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        "No effect stands out of the noise: the largest, %s, is %s where it takes %s."
            .formatted(largest.chain().first().name(), amount(Math.abs(largest.size())), limit),
        Map.of(largest.chain().first().name(), largest.change()),
        "More blocks, or less noise.");
  }

  private String smallestSeen(double standardError) {
    int effects = found.effects().size();
    double each = 1 - (1 - options.confidence()) / effects;
    return amount(2 * standardError * StudentT.twoSided(each, found.errorDegreesOfFreedom()));
  }

  private String amount(double size) {
    if (options.scale() == ResponseScale.LN) {
      return Figures.percent(Math.exp(size) - 1);
    }
    return Figures.plain(size) + (options.unit().isEmpty() ? "" : " " + options.unit());
  }

  private Finding unreplicated() {
    return new Finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        "Every run was made once, so the noise is only guessed from the smaller effects; two more"
            + " blocks would measure it.",
        Map.of(),
        "Replicates: the same runs again with fresh processes.");
  }

  private Finding outlying(OutlyingRun run) {
    String levels =
        found.data().design().levels(run.run()).entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
    String sentence =
        "Run %d (%s) gave %s where the others make one expect %s (studentised %s, p %s): look whether it ran as configured, and repeat it."
            .formatted(
                run.run() + 1,
                levels,
                Figures.plain(run.observed()),
                Figures.plain(run.expected()),
                Figures.plain(run.studentised()).replace('-', '−'),
                Figures.plain(run.p()));
    return new Finding(
        Kind.OUTLYING_RUN,
        Severity.WARNING,
        sentence,
        Map.of(),
        "A repeat of that run that gives the same.");
  }

  private Optional<Finding> mixed(List<Effect> active) {
    List<Effect> judged = active.isEmpty() ? found.effects().stream().limit(3).toList() : active;
    String sentence =
        judged.stream()
            .map(Effect::chain)
            .filter(chain -> chain.first().order() <= 2 && !chain.rivals(2).isEmpty())
            .map(chain -> chain.inWords(likeliest(chain)))
            .collect(Collectors.joining(" "));
    if (sentence.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Kind.ALIASED,
            Severity.NOTICE,
            sentence,
            Map.of(),
            "A follow-up that parts them, or knowledge that one of them cannot be."));
  }

  private Finding leftOut() {
    return new Finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        "Left out, as not every treatment was run in them: blocks "
            + String.join(", ", found.data().blocksLeftOut())
            + ".",
        Map.of(),
        "Resuming the run until its blocks are complete.");
  }

  private static String names(List<AliasChain.Term> terms, String between) {
    return terms.stream().map(AliasChain.Term::name).collect(Collectors.joining(between));
  }
}
