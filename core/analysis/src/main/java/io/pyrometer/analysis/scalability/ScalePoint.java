package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.List;

/**
 * One replicate's throughput at one N.
 *
 * @param n the number of nodes (or clients, or threads), above 0
 * @param throughput above 0
 * @param block that it was measured in; points of one block share what the block has in common
 */
public record ScalePoint(double n, double throughput, String block) {

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
    return List.copyOf(points);
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
