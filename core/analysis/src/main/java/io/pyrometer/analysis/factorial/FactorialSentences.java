package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a two-level experiment showed, in words. */
final class FactorialSentences {
  /** Below it a percentage with one decimal would be 0. */
  private static final double SMALL_SHARE = 0.001;

  private final FactorialEffects found;
  private final FactorialOptions options;

  private FactorialSentences(FactorialEffects found) {
    this.found = found;
    this.options = found.options();
  }

  static List<Finding> of(FactorialEffects found) {
    FactorialSentences sentences = new FactorialSentences(found);
    EffectSentences words = new EffectSentences(found);
    List<Finding> findings = new ArrayList<>();
    List<Effect> active = found.effects().stream().filter(Effect::active).toList();
    found.outlyingRuns().stream().limit(3).forEach(run -> findings.add(sentences.outlying(run)));
    active.stream().limit(8).forEach(effect -> findings.add(words.effect(effect)));
    if (active.isEmpty()) {
      findings.add(sentences.nothing());
    }
    if (!found.replicated()) {
      sentences.possible().ifPresent(findings::add);
      findings.add(sentences.unreplicated());
    }
    sentences.mixed(active, words).ifPresent(findings::add);
    FollowUp.of(found, active).ifPresent(findings::add);
    return findings;
  }

  private Finding nothing() {
    Effect largest = found.effects().get(0);
    double size = Math.abs(largest.size());
    Optional<Double> limit =
        found.replicated()
            ? Optional.of(smallestSeen(found.standardErrorOfQ()))
            : found.lenth().map(Lenth::sme);
    String lead =
        limit.isPresent()
            ? "No effect is statistically significant: the largest, %s, is %s, and the limit is %s%s."
                .formatted(
                    largest.chain().first().name(),
                    amount(size),
                    amount(limit.get()),
                    found.replicated() ? "" : " by Lenth's rule for all effects at once")
            : "No effect can be judged: the largest, %s, is %s, but so few runs made once each do not show the noise."
                .formatted(largest.chain().first().name(), amount(size));
    String bound =
        limit
            .map(
                half ->
                    " What is excluded (%s, all effects together) is one of %s and more."
                        .formatted(Figures.percent(options.confidence()), amount(size + half)))
            .orElse("");
    return new Finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        lead + bound,
        Map.of(largest.chain().first().name(), largest.change()),
        "More blocks, or less noise.");
  }

  private double smallestSeen(double standardError) {
    int effects = found.effects().size();
    double each = 1 - (1 - options.confidence()) / effects;
    return 2 * standardError * StudentT.twoSided(each, found.errorDegreesOfFreedom());
  }

  private String amount(double size) {
    if (options.scale() == ResponseScale.LN) {
      double ratio = Math.exp(size);
      if (ratio > 1e6) {
        return "a factor above 1,000,000";
      }
      double share = ratio - 1;
      boolean small = Math.abs(share) < SMALL_SHARE;
      return small ? Figures.plain(100 * share) + " %" : Figures.percent(share);
    }
    return Figures.plain(size) + (options.unit().isEmpty() ? "" : " " + options.unit());
  }

  /** Effects that one alone would show, and of so many may be the largest of the noise. */
  private Optional<Finding> possible() {
    if (found.lenth().isEmpty()) {
      return Optional.empty();
    }
    Lenth lenth = found.lenth().get();
    List<Effect> between =
        found.effects().stream()
            .filter(effect -> !effect.active() && Math.abs(effect.size()) > lenth.me())
            .limit(3)
            .toList();
    if (between.isEmpty()) {
      return Optional.empty();
    }
    String names =
        between.stream()
            .map(
                effect ->
                    "%s (%s)"
                        .formatted(effect.chain().first().name(), amount(Math.abs(effect.size()))))
            .collect(Collectors.joining(", "));
    return Optional.of(
        Finding.notice(
            Kind.NOT_ENOUGH_RUNS,
            "%s %s Lenth's limit for one effect (%s) but not the one for all %d (%s): the largest of so many can be noise; two more blocks would tell."
                .formatted(
                    names,
                    between.size() == 1 ? "passes" : "pass",
                    amount(lenth.me()),
                    found.effects().size(),
                    amount(lenth.sme())),
            "Replicates: the same runs again with fresh processes."));
  }

  private Finding unreplicated() {
    return Finding.notice(
        Kind.NOT_ENOUGH_RUNS,
        "Every run was made once, so the noise is only estimated from the smaller effects; two more"
            + " blocks would measure it.",
        "Replicates: the same runs again with fresh processes.");
  }

  private Finding outlying(OutlyingRun run) {
    String levels =
        found.data().design().levels(run.run()).entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
    String sentence =
        "Run %d (%s) gave %s where the other runs predict %s (studentised %s, %s): check that it ran as configured, and repeat it."
            .formatted(
                run.run() + 1,
                levels,
                Figures.plain(run.observed()),
                Figures.plain(run.expected()),
                Figures.plain(run.studentised()).replace('-', '−'),
                Figures.p(run.p()));
    return Finding.warning(
        Kind.OUTLYING_RUN, sentence, "A repeat of that run that gives the same.");
  }

  private Optional<Finding> mixed(List<Effect> active, EffectSentences words) {
    List<Effect> judged = active.isEmpty() ? found.effects().stream().limit(3).toList() : active;
    String sentence =
        judged.stream()
            .map(Effect::chain)
            .filter(chain -> chain.first().order() <= 2 && !chain.rivals(2).isEmpty())
            .map(chain -> chain.inWords(words.likeliest(chain)))
            .collect(Collectors.joining(" "));
    if (sentence.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.notice(
            Kind.ALIASED,
            sentence,
            "A follow-up that separates them, or knowledge that one of them cannot be."));
  }
}
