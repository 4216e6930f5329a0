package io.pyrometer.analysis.factorial;

import static java.util.stream.Collectors.joining;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain.Term;
import io.pyrometer.analysis.factorial.FactorialEffects.Effect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a two-level experiment showed, in words. */
final class FactorialSentences {
  /** Below it a percentage with one decimal would be 0. */
  private static final double SMALL_SHARE = 0.001;

  private static final int MAX_OUTLIERS = 3;
  private static final int MAX_EFFECTS = 8;
  private static final int MAX_POSSIBLE = 3;
  private static final String MORE_BLOCKS = "More blocks, or less noise.";

  private final FactorialEffects found;
  private final FactorialOptions options;
  private final TwoLevelDesign design;
  private final List<Effect> active;

  FactorialSentences(FactorialEffects found) {
    this.found = found;
    this.options = found.options();
    this.design = found.data().design();
    this.active = found.effects().stream().filter(Effect::active).toList();
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    found.outlyingRuns().stream().limit(MAX_OUTLIERS).map(this::outlying).forEach(findings::add);
    active.stream().limit(MAX_EFFECTS).map(this::effect).forEach(findings::add);
    if (active.isEmpty()) {
      findings.add(nothing());
    }
    if (!found.replicated()) {
      String replicates = "Replicates: the same runs again with fresh processes.";
      possible()
          .map(words -> Finding.notice(Kind.NOT_ENOUGH_RUNS, words, replicates))
          .ifPresent(findings::add);
      findings.add(
          Finding.notice(
              Kind.NOT_ENOUGH_RUNS,
              "Every run was made once, so the noise is only estimated from the smaller effects; two more blocks would measure it.",
              replicates));
    }
    aliased().ifPresent(findings::add);
    followUp().ifPresent(findings::add);
    return findings;
  }

  private Finding outlying(OutlyingRun run) {
    String levels =
        design.levels(run.run()).entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(joining(", "));
    return Finding.warning(
        Kind.OUTLYING_RUN,
        "Run %d (%s) gave %s where the other runs predict %s (studentised %s, %s): check that it ran as configured, and repeat it."
            .formatted(
                run.run() + 1,
                levels,
                Figures.plain(run.observed()),
                Figures.plain(run.expected()),
                Figures.plain(run.studentised()).replace('-', '−'),
                Figures.p(run.p())),
        "A repeat of that run that gives the same.");
  }

  private Finding effect(Effect effect) {
    Term term = likeliest(effect.chain());
    List<Term> others =
        effect.chain().terms().stream()
            .filter(other -> other.order() <= 2 && !other.letters().equals(term.letters()))
            .toList();
    String share = Figures.percent(effect.share()) + " of the variation";
    String sentence =
        switch (term.order()) {
          case 1 -> "%s, %s.".formatted(mainEffect(effect.change(), factor(term.letters())), share);
          case 2 ->
              "%s (%s)%s."
                  .formatted(
                      interaction(term),
                      share,
                      others.isEmpty()
                          ? ""
                          : ", unless it is %s, which these runs cannot tell apart"
                              .formatted(names(others, " or ")));
          default ->
              "%s: the interaction of %d factors explains %s."
                  .formatted(term.name(), term.order(), share);
        };
    return Finding.info(
        Kind.EFFECT,
        sentence,
        Map.of(term.name(), effect.change()),
        effect.chain().rivals(2).isEmpty()
            ? "Further blocks."
            : "Runs that part it from %s.".formatted(names(others, " and ")));
  }

  /**
   * The interaction that a chain most likely shows: the one whose factors both act by themselves.
   * Which of them it is the runs do not tell, so the sentence names the others too.
   */
  private Term likeliest(AliasChain chain) {
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

  private String mainEffect(Estimate change, Factor factor) {
    return "%s, %s against %s: %s %s%s"
        .formatted(
            factor.name(),
            factor.high(),
            factor.low(),
            options.response(),
            options.changed(change.value()),
            change.hasInterval() ? " (" + options.interval(change) + ")" : "");
  }

  private String interaction(Term term) {
    Factor a = factor(term.letters().substring(0, 1));
    Factor b = factor(term.letters().substring(1));
    String lead = "what %s does depends on %s".formatted(a.name(), b.name());
    return found.interactionMeans().stream()
        .filter(cells -> cells.get(0).levels().keySet().containsAll(List.of(a.name(), b.name())))
        .findFirst()
        .map(
            cells ->
                "%s: %s against %s changes %s by %s at %s and by %s at %s"
                    .formatted(
                        lead,
                        a.high(),
                        a.low(),
                        options.response(),
                        between(cells.get(0), cells.get(1)),
                        b.low(),
                        between(cells.get(2), cells.get(3)),
                        b.high()))
        .orElse(lead);
  }

  private Factor factor(String letter) {
    return design.factors().get(EffectAliases.LETTERS.indexOf(letter));
  }

  private String between(CellMean from, CellMean to) {
    double a = from.mean().value();
    double b = to.mean().value();
    return options.changed(options.scale() == ResponseScale.LN ? b / a : b - a);
  }

  private static String names(List<Term> terms, String between) {
    return terms.stream().map(Term::name).collect(joining(between));
  }

  private Finding nothing() {
    Effect largest = found.effects().get(0);
    String name = largest.chain().first().name();
    double size = Math.abs(largest.size());
    Optional<Double> limit =
        found.replicated() ? Optional.of(smallestSeen()) : found.lenth().map(Lenth::sme);
    String sentence =
        limit.isEmpty()
            ? "No effect can be judged: the largest, %s, is %s, but so few runs made once each do not show the noise."
                .formatted(name, amount(size))
            : "No effect is statistically significant: the largest, %s, is %s%s.%s"
                .formatted(name, amount(size), than(limit.get()), excluded(size + limit.get()));
    return Finding.notice(
        Kind.NOT_ENOUGH_RUNS, sentence, Map.of(name, largest.change()), MORE_BLOCKS);
  }

  /** A limit that says nothing is not printed as a number. */
  private String than(double limit) {
    return options.tooLarge(limit)
        ? ""
        : ", and the limit is %s%s"
            .formatted(
                amount(limit),
                found.replicated() ? "" : " by Lenth's rule for all effects at once");
  }

  private String excluded(double size) {
    return options.tooLarge(size)
        ? " There are too few blocks to exclude an effect of any size."
        : " What is excluded (%s, all effects together) is one of %s and more."
            .formatted(Figures.percent(options.confidence()), amount(size));
  }

  private double smallestSeen() {
    double each = 1 - (1 - options.confidence()) / found.effects().size();
    return 2 * found.widest(each);
  }

  private String amount(double size) {
    if (options.scale() == ResponseScale.PLAIN) {
      return Figures.plain(size) + (options.unit().isEmpty() ? "" : " " + options.unit());
    }
    double share = Math.exp(size) - 1;
    if (share > 1e6) {
      return "a factor above 1,000,000";
    }
    boolean small = Math.abs(share) < SMALL_SHARE;
    return small ? Figures.plain(100 * share) + " %" : Figures.percent(share);
  }

  /** Effects that one alone would show, and of so many may be the largest of the noise. */
  private Optional<String> possible() {
    return found
        .lenth()
        .flatMap(
            lenth -> {
              List<String> names =
                  found.effects().stream()
                      .filter(effect -> !effect.active() && Math.abs(effect.size()) > lenth.me())
                      .limit(MAX_POSSIBLE)
                      .map(e -> "%s (%s)".formatted(name(e), amount(Math.abs(e.size()))))
                      .toList();
              return names.isEmpty()
                  ? Optional.empty()
                  : Optional.of(
                      "%s %s Lenth's limit for one effect (%s) but not the one for all %d (%s): the largest of so many can be noise; two more blocks would tell."
                          .formatted(
                              String.join(", ", names),
                              names.size() == 1 ? "passes" : "pass",
                              amount(lenth.me()),
                              found.effects().size(),
                              amount(lenth.sme())));
            });
  }

  private static String name(Effect effect) {
    return effect.chain().first().name();
  }

  private Optional<Finding> aliased() {
    List<Effect> judged = active.isEmpty() ? found.effects().stream().limit(3).toList() : active;
    String sentence =
        judged.stream()
            .map(Effect::chain)
            .filter(chain -> chain.first().order() <= 2 && !chain.rivals(2).isEmpty())
            .map(chain -> chain.inWords(likeliest(chain)))
            .collect(joining(" "));
    return Optional.of(sentence)
        .filter(words -> !words.isEmpty())
        .map(
            words ->
                Finding.notice(
                    Kind.ALIASED,
                    words,
                    "A follow-up that separates them, or knowledge that one of them cannot be."));
  }

  /** What to run next to part effects that the design mixes. */
  private Optional<Finding> followUp() {
    List<AliasChain> mixed =
        active.stream().map(Effect::chain).filter(c -> !c.rivals(2).isEmpty()).toList();
    String sentence = "";
    if (design.resolution() == 3) {
      TwoLevelDesign both = design.withFoldover();
      sentence =
          "Run the foldover, %d further runs with every level reversed: together they have resolution %s (%s), which separates main effects from interactions of two."
              .formatted(design.runs(), roman(both.resolution()), both.definingRelation());
    } else if (design.resolution() == 4 && !mixed.isEmpty()) {
      String name = mostMixed(mixed).name();
      sentence =
          "Run these %d runs again with only the level of %s reversed: that separates the interactions of %s from all others of two factors."
              .formatted(design.runs(), name, name);
    }
    return sentence.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.FOLLOW_UP, sentence, "Knowledge that the interactions concerned cannot be."));
  }

  /** The factor that is in most of the mixed interactions of two. */
  private Factor mostMixed(List<AliasChain> mixed) {
    List<String> pairs =
        mixed.stream()
            .flatMap(chain -> chain.terms().stream().filter(term -> term.order() == 2))
            .map(Term::letters)
            .toList();
    long[] counts =
        design.factors().stream()
            .map(factor -> EffectAliases.LETTERS.charAt(design.factors().indexOf(factor)))
            .mapToLong(letter -> pairs.stream().filter(p -> p.indexOf(letter) >= 0).count())
            .toArray();
    int most =
        IntStream.range(0, counts.length).reduce((a, b) -> counts[b] > counts[a] ? b : a).orElse(0);
    return design.factors().get(most);
  }

  private static String roman(int resolution) {
    List<String> numerals = List.of("III", "IV", "V", "VI", "VII", "VIII");
    return resolution <= 8 ? numerals.get(resolution - 3) : String.valueOf(resolution);
  }
}
