package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@link DataFacts} of a product as a function of a treatment's settings, declared as data so
 * that the coordinator and reports evaluate it without the driver's classes.
 *
 * @param rules of each fact the first that applies decides
 */
public record DataFactRules(@JsonValue List<Rule> rules) {

  public static final DataFactRules NONE = new DataFactRules(List.of());

  private static final String COPIES = "copies";

  /**
   * One value of one fact.
   *
   * @param fact {@code copies} or the name of an enumeration in {@link DataFacts}
   * @param value of an enumeration a constant; of copies a number
   * @param plus settings whose values are added to a number; a rule with an absent one is skipped
   * @param when settings and the values that they must have for the rule to apply
   */
  public record Rule(String fact, String value, List<String> plus, Map<String, String> when) {

    private boolean appliesTo(Settings settings) {
      return plus.stream().allMatch(settings::has)
          && when.entrySet().stream()
              .allMatch(
                  wanted ->
                      settings.has(wanted.getKey())
                          && settings.text(wanted.getKey()).equals(wanted.getValue()));
    }

    private long number(Settings settings) {
      return Long.parseLong(value) + plus.stream().mapToLong(settings::number).sum();
    }
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public DataFactRules {
    rules = List.copyOf(rules);
  }

  /**
   * The facts of a treatment. What no rule decides is one partitioned copy in memory, acknowledged
   * by all, that answers every read.
   *
   * @param settings complete, in canonical units
   */
  DataFacts of(Settings settings) {
    return new DataFacts(
        copies(settings),
        value(Placement.PARTITIONED, settings),
        value(Acknowledgement.ALL, settings),
        value(Durability.MEMORY, settings),
        value(Reads.PRIMARY, settings));
  }

  private int copies(Settings settings) {
    return rule(COPIES, settings)
        .map(rule -> Math.max(1, Math.toIntExact(rule.number(settings))))
        .orElse(1);
  }

  private <T extends Enum<T>> T value(T otherwise, Settings settings) {
    Class<T> fact = otherwise.getDeclaringClass();
    return rule(fact.getSimpleName(), settings)
        .map(rule -> Enum.valueOf(fact, rule.value()))
        .orElse(otherwise);
  }

  private Optional<Rule> rule(String fact, Settings settings) {
    return rules.stream()
        .filter(rule -> rule.fact().equals(fact) && rule.appliesTo(settings))
        .findFirst();
  }
}
