package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.hipparchus.distribution.continuous.FDistribution;

/**
 * Levene's test of equal spreads of the treatments, in Brown and Forsythe's form: an analysis of
 * variance of the distances from the medians. Blocks are taken out by their medians, since a mean
 * would spread a loud treatment's noise over the quiet.
 */
final class LeveneTest {
  private static final int ENOUGH_TREATMENTS = 3;

  /** The test takes so many values of a treatment. */
  private static final int ENOUGH_VALUES = 3;

  private LeveneTest() {}

  /**
   * The probability of such different spreads if they were the same; empty with too few treatments
   * or values to tell.
   *
   * @param y the logarithm of each row's value
   * @param blocks whether rows share blocks
   */
  static OptionalDouble p(List<Measurement> rows, double[] y, boolean blocks) {
    long treatments = rows.stream().map(Measurement::treatment).distinct().count();
    if (treatments < ENOUGH_TREATMENTS || rows.size() == treatments) {
      return OptionalDouble.empty();
    }
    double[] left = y.clone();
    takeOutMedians(rows, left, Measurement::treatment);
    if (blocks) {
      takeOutMedians(rows, left, Measurement::place);
      takeOutMedians(rows, left, Measurement::treatment);
    }
    Map<String, List<Double>> distances = new LinkedHashMap<>();
    for (int i = 0; i < left.length; i++) {
      distances
          .computeIfAbsent(rows.get(i).treatment(), key -> new ArrayList<>())
          .add(Math.abs(left[i]));
    }
    double[] all = Arrays.stream(left).map(Math::abs).toArray();
    double mean = Samples.mean(all);
    double between = 0;
    double within = 0;
    for (List<Double> distance : distances.values()) {
      double[] own = distance.stream().mapToDouble(Double::doubleValue).toArray();
      if (own.length < ENOUGH_VALUES) {
        return OptionalDouble.empty();
      }
      between += own.length * Math.pow(Samples.mean(own) - mean, 2);
      within += Samples.sumOfSquares(own);
    }
    int groups = distances.size();
    int free = left.length - groups;
    if (!(within > 0)) {
      return OptionalDouble.empty();
    }
    double f = between / (groups - 1) / (within / free);
    return OptionalDouble.of(1 - new FDistribution(groups - 1, free).cumulativeProbability(f));
  }

  private static void takeOutMedians(
      List<Measurement> rows, double[] left, Function<Measurement, String> group) {
    Map<String, List<Integer>> members = new HashMap<>();
    for (int i = 0; i < left.length; i++) {
      members.computeIfAbsent(group.apply(rows.get(i)), key -> new ArrayList<>()).add(i);
    }
    for (List<Integer> own : members.values()) {
      double median = Samples.median(own.stream().mapToDouble(i -> left[i]).toArray());
      own.forEach(i -> left[i] -= median);
    }
  }
}
