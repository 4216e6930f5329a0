package io.pyrometer.results.ranking;

import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run says of the terms that it holds equal between products. */
public final class EqualTermsNotes {

  private static final String UNEQUAL = "unequal ";

  private EqualTermsNotes() {}

  /** What stays unequal in a treatment, one note a term. */
  static List<String> caveats(PlannedRun plan, Settings treatment) {
    List<String> caveats = new ArrayList<>();
    EqualTerm.of(treatment)
        .forEach(
            (term, value) ->
                plan.driver(treatment)
                    .equalTerm(term, value)
                    .filter(mapping -> mapping.isUnequal(treatment.get(CoreSettings.PATH)))
                    .ifPresent(mapping -> caveats.add(UNEQUAL + term)));
    return caveats;
  }

  /** Those of a row's marks that tell of such a term, each after a comma; empty for none. */
  static String among(List<String> marks) {
    return marks.stream()
        .filter(mark -> mark.startsWith(UNEQUAL))
        .map(mark -> ", " + mark)
        .collect(Collectors.joining());
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
                    term + ": " + value,
                    mapping.settings().isEmpty()
                        ? "always so"
                        : new TreeMap<>(mapping.settings())
                            .entrySet().stream()
                                .map(e -> e.getKey() + ": " + text(e.getValue(), value))
                                .collect(Collectors.joining(", ")),
                    mapping.caveat().orElse("nothing")));
  }

  private static String text(String setting, Object value) {
    return setting.equals(EqualTerm.GIVEN) ? value.toString() : setting;
  }
}
