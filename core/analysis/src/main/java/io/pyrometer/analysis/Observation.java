package io.pyrometer.analysis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measured values of one trial, or of one row of a table.
 *
 * @param levels factor name to level: the treatment
 * @param block the block that the trial belongs to; rows of one block and treatment are no
 *     replicates of each other, their mean is one
 * @param start the start of processes within the block that the trial shares with others; empty
 *     where every trial has its own
 * @param values response name to measured value
 */
public record Observation(
    Map<String, String> levels, String block, String start, Map<String, Double> values) {

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

  /** A trial with a start of its own. */
  public Observation(Map<String, String> levels, String block, Map<String, Double> values) {
    this(levels, block, "", values);
  }

  /** The level of a factor; throws {@link BadDataException} if this trial has no such factor. */
  public String level(String factor) {
    return existing(levels, factor, "factor");
  }

  /** A response's value; throws {@link BadDataException} if this trial has no such response. */
  public double value(String response) {
    return existing(values, response, "response");
  }

  private <T> T existing(Map<String, T> all, String name, String kind) {
    T found = all.get(name);
    if (found == null) {
      throw BadDataException.of(
          "There is no %s %s at %s in block %s; there are %s.",
          kind, name, levels, block, all.keySet());
    }
    return found;
  }
}
