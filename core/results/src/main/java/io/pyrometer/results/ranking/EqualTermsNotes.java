package io.pyrometer.results.ranking;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.Phrases;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Notes on the terms that a run holds equal between products. */
public final class EqualTermsNotes {

  private EqualTermsNotes() {}

  /** A mark that names the terms that stay unequal in a treatment; empty if all are equal. */
  static Optional<Mark> mark(PlannedRun plan, Settings treatment) {
    List<String> terms =
        EqualTerm.of(treatment).entrySet().stream()
            .filter(
                term ->
                    plan.driver(treatment)
                        .equalTerm(term.getKey(), term.getValue())
                        .filter(mapping -> mapping.isUnequal(treatment.get(CoreSettings.PATH)))
                        .isPresent())
            .map(Map.Entry::getKey)
            .toList();
    return terms.isEmpty()
        ? Optional.empty()
        : Optional.of(Mark.of(Mark.Kind.UNEQUAL, Phrases.and(terms)));
  }

  /** Reasons why terms stay unequal with the paths of a run, each with its product and term. */
  public static List<String> unequal(PlannedRun plan) {
    TreeSet<String> unequal = new TreeSet<>();
    for (TrialSpec trial : plan.trials()) {
      DriverDescription driver = plan.driver(trial.settings());
      EqualTerm.of(trial.settings())
          .forEach(
              (term, value) ->
                  driver
                      .equalTerm(term, value)
                      .filter(mapping -> mapping.isUnequal(trial.path()))
                      .flatMap(EqualTerm::caveat)
                      .map(why -> driver.product() + ", " + words(term, value) + ": " + why)
                      .ifPresent(unequal::add));
    }
    return List.copyOf(unequal);
  }

  /** How each product makes each term true: product, term, settings and what stays unequal. */
  public static List<List<String>> rows(PlannedRun plan) {
    TreeMap<String, List<String>> rows = new TreeMap<>();
    plan.groups()
        .forEach(
            group ->
                group
                    .trials()
                    .forEach(
                        trial ->
                            EqualTerm.of(trial.settings())
                                .forEach(
                                    (term, value) ->
                                        row(plan.driver(trial.settings()), term, value)
                                            .ifPresent(row -> rows.put(row.toString(), row)))));
    return List.copyOf(rows.values());
  }

  private static Optional<List<String>> row(DriverDescription driver, String term, Object value) {
    return driver
        .equalTerm(term, value)
        .map(
            mapping ->
                List.of(
                    driver.product(),
                    words(term, value),
                    mapping.settings().isEmpty()
                        ? "always so"
                        : new TreeMap<>(mapping.settings())
                            .entrySet().stream()
                                .map(e -> e.getKey() + ": " + text(e.getValue(), value))
                                .collect(Collectors.joining(", ")),
                    mapping.caveat().orElse("nothing")));
  }

  /** As an experiment's file would have it: {@code heap: 512m}. */
  private static String words(String term, Object value) {
    return EqualTerm.ALL.stream()
        .filter(key -> key.name().equals(EqualTerm.PREFIX + term))
        .map(key -> term + ": " + SettingText.written(key.description(), value))
        .findFirst()
        .orElseThrow();
  }

  private static String text(String setting, Object value) {
    return setting.equals(EqualTerm.GIVEN) ? value.toString() : setting;
  }
}
