package io.pyrometer.protocol;

import java.util.Map;
import java.util.TreeMap;

/**
 * The answer of a job that reads the whole set.
 *
 * @param count records read
 * @param highest the highest value of each field aggregated over
 */
public record Aggregate(long count, Map<String, Double> highest) {

  public static final Aggregate NOTHING = new Aggregate(0, Map.of());

  public Aggregate plus(Aggregate other) {
    TreeMap<String, Double> merged = new TreeMap<>(highest);
    other.highest.forEach((field, value) -> merged.merge(field, value, Math::max));
    return new Aggregate(count + other.count, merged);
  }
}
