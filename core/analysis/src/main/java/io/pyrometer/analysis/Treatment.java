package io.pyrometer.analysis;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One combination of levels with its replicates of one response: block to the mean of that block's
 * rows.
 */
public record Treatment(Map<String, String> levels, Map<String, Double> replicates) {
  /** Block 2 before block 10: shorter names first, then by letters. */
  public static final Comparator<String> BY_NUMBER =
      Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

  /** Copies the maps, keeping their order. */
  public Treatment {
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    replicates = Collections.unmodifiableMap(new LinkedHashMap<>(replicates));
  }

  /** The replicates' values in the order of their blocks. */
  public double[] values() {
    return replicates.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * Groups observations by the levels of {@code factors}, in order of first appearance, and
   * averages the rows that share a block.
   *
   * @throws BadDataException if there are no observations, or one lacks a factor or the response
   */
  public static List<Treatment> group(
      List<Observation> observations, List<String> factors, String response) {
    if (observations.isEmpty()) {
      throw BadDataException.of("There is no observation of %s to analyse.", response);
    }
    return observations.stream()
        .collect(
            groupingBy(
                observation -> levels(observation, factors),
                LinkedHashMap::new,
                groupingBy(
                    Observation::block,
                    () -> new TreeMap<>(BY_NUMBER),
                    averagingDouble(observation -> observation.value(response)))))
        .entrySet()
        .stream()
        .map(treatment -> new Treatment(treatment.getKey(), treatment.getValue()))
        .toList();
  }

  private static Map<String, String> levels(Observation observation, List<String> factors) {
    Map<String, String> levels = new LinkedHashMap<>();
    factors.forEach(factor -> levels.put(factor, observation.level(factor)));
    return levels;
  }
}
