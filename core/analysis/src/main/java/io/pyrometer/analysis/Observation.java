package io.pyrometer.analysis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one trial (or one row of a table) showed.
 *
 * @param levels factor name to level: the treatment
 * @param block the block that the trial belongs to; rows of one block and treatment are no
 *     replicates of each other, their mean is one
 * @param values response name to measured value
 */
public record Observation(Map<String, String> levels, String block, Map<String, Double> values) {

  /** Copies the maps; throws {@link BadDataException} if a value is no measurement. */
  public Observation {
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    for (Map.Entry<String, Double> value : values.entrySet()) {
      if (!Samples.usable(value.getValue())) {
        throw BadDataException.of(
            "The value of %s in block %s at %s is no measurement; remove or repeat that trial.",
            value.getKey(), block, levels);
      }
    }
  }

  /** The level of a factor; throws {@link BadDataException} if this trial has no such factor. */
  public String level(String factor) {
    String level = levels.get(factor);
    if (level == null) {
      throw BadDataException.of(
          "There is no factor %s in block %s; the factors there are %s.",
          factor, block, levels.keySet());
    }
    return level;
  }

  /** A response's value; throws {@link BadDataException} if this trial has no such response. */
  public double value(String response) {
    Double value = values.get(response);
    if (value == null) {
      throw BadDataException.of(
          "There is no response %s at %s in block %s; the responses there are %s.",
          response, levels, block, values.keySet());
    }
    return value;
  }
}
