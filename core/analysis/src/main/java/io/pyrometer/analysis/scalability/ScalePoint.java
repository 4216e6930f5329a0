package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One replicate's throughput at one N.
 *
 * @param n the number of nodes (or clients, or threads), above 0
 * @param throughput above 0
 * @param block that it was measured in; points of one block share what the block has in common
 */
public record ScalePoint(double n, double throughput, String block) {

  private static final int MOST_POINTS = 400;
  private static final int GROUPS = 30;

  /** A point of no block in particular. */
  public ScalePoint(double n, double throughput) {
    this(n, throughput, "");
  }

  /** Throws {@link BadDataException} unless both are finite and above 0. */
  public ScalePoint {
    if (!(n > 0) || !Samples.usable(n) || !(throughput > 0) || !Samples.usable(throughput)) {
      throw BadDataException.of(
          "A throughput of %s at N = %s cannot be fitted, both must be above 0; remove or repeat that trial.",
          throughput, n);
    }
  }

  /**
   * One point for each block and level of {@code factor}.
   *
   * @throws BadDataException if a level is not a number
   */
  public static List<ScalePoint> of(
      List<Observation> observations, String factor, String response) {
    List<ScalePoint> points = new ArrayList<>();
    for (Treatment treatment : Treatment.group(observations, List.of(factor), response)) {
      double n = number(factor, String.valueOf(treatment.levels().get(factor)));
      treatment
          .replicates()
          .forEach((block, throughput) -> points.add(new ScalePoint(n, throughput, block)));
    }
    return bounded(points);
  }

  /**
   * Very many blocks are averaged in groups, geometrically at each N: groups of blocks differ as
   * blocks do, only less, so that the intervals stay what they are, and fits stay quick.
   */
  private static List<ScalePoint> bounded(List<ScalePoint> points) {
    List<String> blocks = points.stream().map(ScalePoint::block).distinct().toList();
    if (points.size() <= MOST_POINTS || blocks.size() <= GROUPS) {
      return List.copyOf(points);
    }
    Map<String, Integer> group = new HashMap<>();
    blocks.forEach(block -> group.put(block, (int) ((long) group.size() * GROUPS / blocks.size())));
    Map<Integer, Map<Double, List<Double>>> logs = new TreeMap<>();
    for (ScalePoint point : points) {
      logs.computeIfAbsent(group.getOrDefault(point.block(), 0), g -> new TreeMap<>())
          .computeIfAbsent(point.n(), n -> new ArrayList<>())
          .add(Math.log(point.throughput()));
    }
    List<ScalePoint> grouped = new ArrayList<>();
    logs.forEach(
        (g, byN) ->
            byN.forEach(
                (n, values) -> {
                  double mean =
                      values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
                  grouped.add(new ScalePoint(n, Math.exp(mean), "blocks " + (g + 1)));
                }));
    return List.copyOf(grouped);
  }

  static double number(String factor, String level) {
    try {
      return Double.parseDouble(level);
    } catch (NumberFormatException e) {
      throw BadDataException.of(
          "The level %s of %s is not a number, so throughput cannot be fitted against it.",
          level, factor);
    }
  }
}
