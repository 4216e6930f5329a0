package io.pyrometer.analysis.blocks;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;

/** Brown and Forsythe's test of equal spreads. */
final class Spreads {
  /** Spreads that differ as surely as this are not pooled. */
  static final double DIFFER = 0.05;

  private static final int MIN_TREATMENTS = 3;
  private static final int MIN_VALUES = 3;

  private Spreads() {}

  /**
   * The probability of such different spreads if they were the same: an analysis of variance of the
   * distances from the medians. Blocks are taken out by their medians, since a mean would spread a
   * loud treatment's noise over the quiet. Empty with too few treatments or values.
   *
   * @param block of each value, where they share blocks
   */
  static OptionalDouble brownForsythe(double[] y, Grouping treatment, Optional<Grouping> block) {
    List<int[]> treatments = treatment.members();
    if (treatments.size() < MIN_TREATMENTS
        || treatments.stream().anyMatch(own -> own.length < MIN_VALUES)) {
      return OptionalDouble.empty();
    }
    double[] left = y.clone();
    takeOutMedians(treatments, left);
    if (block.isPresent()) {
      takeOutMedians(block.get().members(), left);
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

  private static void takeOutMedians(List<int[]> groups, double[] left) {
    for (int[] own : groups) {
      double median = Samples.median(IntStream.of(own).mapToDouble(i -> left[i]).toArray());
      IntStream.of(own).forEach(i -> left[i] -= median);
    }
  }
}
