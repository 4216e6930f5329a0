package io.pyrometer.results.ranking;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.Phrases;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Terms that a run holds equal between products and that stay unequal with some of its paths. */
public final class EqualTermsNotes {
  private EqualTermsNotes() {}

  /**
   * A term that stays unequal.
   *
   * @param text as an experiment's file has it: {@code heap: 512m}
   * @param why what stays unequal, a clause
   */
  public record Unequal(String product, String term, String text, String why) {}

  /** A mark that names the terms that stay unequal in a treatment; empty if all are equal. */
  static Optional<Mark> mark(PlannedRun plan, Settings treatment) {
    List<String> terms = unequal(plan, treatment).map(Unequal::term).toList();
    return terms.isEmpty()
        ? Optional.empty()
        : Optional.of(Mark.of(Mark.Kind.UNEQUAL, Phrases.and(terms)));
  }

  /** Each such term of each product in a run, once. */
  public static List<Unequal> unequal(PlannedRun plan) {
    return plan.trials().stream()
        .flatMap(trial -> unequal(plan, trial.settings()))
        .distinct()
        .toList();
  }

  private static Stream<Unequal> unequal(PlannedRun plan, Settings treatment) {
    String path = treatment.get(CoreSettings.PATH);
    return EqualTerm.of(treatment).entrySet().stream()
        .flatMap(
            term ->
                plan
                    .driver(treatment)
                    .equalTerm(term.getKey(), term.getValue())
                    .filter(mapping -> mapping.isUnequal(path))
                    .map(
                        mapping ->
                            new Unequal(
                                plan.driver(treatment).product(),
                                term.getKey(),
                                text(term.getKey(), term.getValue()),
                                mapping.caveat().orElse("")))
                    .stream());
  }

  private static String text(String term, Object value) {
    return EqualTerm.ALL.stream()
        .filter(key -> key.name().equals(EqualTerm.PREFIX + term))
        .map(key -> term + ": " + SettingText.written(key, value))
        .findFirst()
        .orElseThrow();
  }
}
