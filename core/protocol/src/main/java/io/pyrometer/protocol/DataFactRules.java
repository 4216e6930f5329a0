package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The {@link DataFacts} of a product as a function of a treatment's settings, declared as data so
 * that the coordinator and reports evaluate it without the driver's classes.
 *
 * <pre>{@code
 * DataFactRules.NONE
 *     .copiesWhere(CACHE_MODE, "REPLICATED", 0, CoreSettings.NODES)
 *     .copies(1, BACKUPS)
 *     .where(CACHE_MODE, "REPLICATED", Placement.REPLICATED)
 *     .always(Placement.PARTITIONED);
 * }</pre>
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

  /** So many copies plus the values of these settings. */
  public DataFactRules copies(int base, SettingKey<?>... plus) {
    return and(new Rule(COPIES, String.valueOf(base), names(plus), Map.of()));
  }

  /** So many copies plus the values of these settings where a setting has a value. */
  public DataFactRules copiesWhere(
      SettingKey<?> setting, Object value, int base, SettingKey<?>... plus) {
    return and(new Rule(COPIES, String.valueOf(base), names(plus), when(setting, value)));
  }

  /** A fact that no setting changes, or that holds where no earlier rule applies. */
  public DataFactRules always(Enum<?> fact) {
    return and(
        new Rule(fact.getDeclaringClass().getSimpleName(), fact.name(), List.of(), Map.of()));
  }

  /** A fact that holds where a setting has a value. */
  public DataFactRules where(SettingKey<?> setting, Object value, Enum<?> fact) {
    return and(
        new Rule(
            fact.getDeclaringClass().getSimpleName(),
            fact.name(),
            List.of(),
            when(setting, value)));
  }

  private DataFactRules and(Rule rule) {
    List<Rule> all = new ArrayList<>(rules);
    all.add(rule);
    return new DataFactRules(all);
  }

  private static List<String> names(SettingKey<?>... keys) {
    return List.of(keys).stream().<String>map(SettingKey::name).toList();
  }

  private static Map<String, String> when(SettingKey<?> setting, Object value) {
    return Map.of(setting.name(), value.toString());
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
        value(Placement.class, Placement::valueOf, settings).orElse(Placement.PARTITIONED),
        value(Acknowledgement.class, Acknowledgement::valueOf, settings)
            .orElse(Acknowledgement.ALL),
        value(Durability.class, Durability::valueOf, settings).orElse(Durability.MEMORY),
        value(Reads.class, Reads::valueOf, settings).orElse(Reads.PRIMARY));
  }

  private int copies(Settings settings) {
    return rule(COPIES, settings)
        .map(rule -> Math.max(1, Math.toIntExact(rule.number(settings))))
        .orElse(1);
  }

  private <T extends Enum<T>> Optional<T> value(
      Class<T> fact, Function<String, T> valueOf, Settings settings) {
    return rule(fact.getSimpleName(), settings).map(rule -> valueOf.apply(rule.value()));
  }

  private Optional<Rule> rule(String fact, Settings settings) {
    return rules.stream()
        .filter(rule -> rule.fact().equals(fact) && rule.appliesTo(settings))
        .findFirst();
  }
}
