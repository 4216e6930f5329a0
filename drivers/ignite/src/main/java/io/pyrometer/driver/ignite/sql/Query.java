package io.pyrometer.driver.ignite.sql;

import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * One query of a mix.
 *
 * @param weight how often it is drawn, relative to the others
 * @param parameters one for each of its question marks
 */
public record Query(String name, double weight, List<Parameter> parameters, String sql) {
  public Query {
    parameters = List.copyOf(parameters);
  }

  /** How many drawn keys its parameters use; the first is there even if none does. */
  public int keys() {
    return 1 + (int) parameters.stream().filter(Parameter::usesKey).count();
  }

  /**
   * The values of its question marks.
   *
   * @param key the drawn key of an index below {@link #keys()}
   */
  public Object[] arguments(IntToLongFunction key) {
    Object[] values = new Object[parameters.size()];
    int used = 0;
    long previous = 0;
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = parameters.get(i);
      previous = parameter.value(key.applyAsLong(parameter.usesKey() ? ++used : 0), previous);
      values[i] = previous;
    }
    return values;
  }
}
