package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.linear.RealMatrix;

/**
 * The covariance of a model's coefficients where every treatment has a variance of its own: the sum
 * of the treatments' parts, each with the degrees of freedom of its variance. A contrast has those
 * of Welch and Satterthwaite.
 */
record Spreads(List<Part> parts) {
  /** Spreads that differ as surely as this are not pooled. */
  static final double DIFFER = 0.05;

  private static final int MIN_TREATMENTS = 3;

  /** Levene's test takes so many values of a treatment. */
  private static final int MIN_VALUES = 3;

  /** What one treatment's noise adds. */
  record Part(RealMatrix covariance, double degreesOfFreedom) {}

  /** The covariance of the coefficients. */
  RealMatrix covariance() {
    return parts.stream().map(Part::covariance).reduce(RealMatrix::add).orElseThrow();
  }

  Contrast contrast(double value, double[] weights) {
    double variance = 0;
    double squares = 0;
    for (Part part : parts) {
      double own = Math.max(0, Matrices.dot(weights, part.covariance().operate(weights)));
      variance += own;
      squares += own * own / part.degreesOfFreedom();
    }
    double least = parts.stream().mapToDouble(Part::degreesOfFreedom).min().orElseThrow();
    return new Contrast(
        value, Math.sqrt(variance), squares > 0 ? variance * variance / squares : least);
  }

  /**
   * The probability of such different spreads if they were the same: Levene's test in Brown and
   * Forsythe's form, an analysis of variance of the distances from the medians. Blocks are taken
   * out by their medians, since a mean would spread a loud treatment's noise over the quiet. Empty
   * with too few treatments or values to tell.
   *
   * @param treatment of each value, numbered
   * @param block of each value, where they share blocks
   */
  static OptionalDouble levene(double[] y, int[] treatment, Optional<int[]> block) {
    List<int[]> treatments = members(treatment);
    if (treatments.size() < MIN_TREATMENTS
        || treatments.stream().anyMatch(own -> own.length < MIN_VALUES)) {
      return OptionalDouble.empty();
    }
    double[] left = y.clone();
    takeOutMedians(treatments, left);
    if (block.isPresent()) {
      takeOutMedians(members(block.get()), left);
      takeOutMedians(treatments, left);
    }
    double[] distances = Arrays.stream(left).map(Math::abs).toArray();
    double mean = Samples.mean(distances);
    double between = 0;
    double within = 0;
    for (int[] members : treatments) {
      double[] own = IntStream.of(members).mapToDouble(i -> distances[i]).toArray();
      between += own.length * Math.pow(Samples.mean(own) - mean, 2);
      within += Samples.sumOfSquares(own);
    }
    if (!(within > 0)) {
      return OptionalDouble.empty();
    }
    int groups = treatments.size() - 1;
    int free = y.length - treatments.size();
    double f = between / groups / (within / free);
    return OptionalDouble.of(1 - new FDistribution(groups, free).cumulativeProbability(f));
  }

  /** The values of each group. */
  static List<int[]> members(int[] group) {
    List<List<Integer>> members = new ArrayList<>();
    for (int i = 0; i < group.length; i++) {
      while (members.size() <= group[i]) {
        members.add(new ArrayList<>());
      }
      members.get(group[i]).add(i);
    }
    return members.stream().map(own -> own.stream().mapToInt(i -> i).toArray()).toList();
  }

  private static void takeOutMedians(List<int[]> groups, double[] left) {
    for (int[] own : groups) {
      double median = Samples.median(IntStream.of(own).mapToDouble(i -> left[i]).toArray());
      IntStream.of(own).forEach(i -> left[i] -= median);
    }
  }
}
