package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.MixedFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The differences between the levels of factors, the other factors averaged evenly. Which levels
 * are compared is chosen by their figures, so p and intervals hold for all pairs of a family
 * together (Bonferroni).
 */
final class LevelDifferences {
  private static final double SIGNIFICANT = 0.05;

  private final MixedFit fit;
  private final LevelData data;
  private final FactorialOptions options;

  LevelDifferences(MixedFit fit, LevelData data, FactorialOptions options) {
    this.fit = fit;
    this.data = data;
    this.options = options;
  }

  /** The largest and the smallest level of a factor; the family is all its pairs of levels. */
  LevelEffects.Extremes extremes(int factor) {
    List<String> levels = data.factors().get(factor).levels();
    int pairs = pairs(levels.size());
    double[] means =
        IntStream.range(0, levels.size()).mapToDouble(level -> mean(factor, level)).toArray();
    List<Integer> order =
        IntStream.range(0, means.length)
            .boxed()
            .sorted(Comparator.comparingDouble(level -> -means[level]))
            .toList();
    int largest = order.get(0);
    int smallest = order.get(means.length - 1);
    List<String> alike = new ArrayList<>();
    for (int level : order.subList(1, means.length)) {
      if (pairs * difference(factor, level, largest).p() >= SIGNIFICANT) {
        alike.add(levels.get(level));
      }
    }
    double confidence = 1 - (1 - options.confidence()) / pairs;
    boolean ratio = options.scale() == ResponseScale.LN;
    Estimate difference =
        difference(factor, smallest, largest)
            .estimate(confidence, data.y().length, ratio ? "" : options.unit());
    return new LevelEffects.Extremes(
        levels.get(largest), levels.get(smallest), ratio ? difference.exp() : difference, alike);
  }

  /**
   * What no two levels of any factor differ by or more, on the scale of the analysis; the family is
   * all pairs of levels of all factors.
   */
  double excluded() {
    int family = data.factors().stream().mapToInt(f -> pairs(f.levels().size())).sum();
    double confidence = 1 - (1 - options.confidence()) / family;
    double most = 0;
    for (int f = 0; f < data.factors().size(); f++) {
      int levels = data.factors().get(f).levels().size();
      for (int one = 0; one < levels; one++) {
        for (int other = one + 1; other < levels; other++) {
          Contrast difference = difference(f, one, other);
          most = Math.max(most, Math.abs(difference.value()) + difference.halfWidth(confidence));
        }
      }
    }
    return most;
  }

  private static int pairs(int levels) {
    return levels * (levels - 1) / 2;
  }

  private double mean(int factor, int level) {
    double[] weights = weights(factor, level);
    return IntStream.range(0, weights.length)
        .mapToDouble(i -> weights[i] * fit.coefficients()[i])
        .sum();
  }

  private Contrast difference(int factor, int from, int to) {
    double[] weights = weights(factor, to);
    double[] less = weights(factor, from);
    Arrays.setAll(weights, i -> weights[i] - less[i]);
    return fit.contrast(weights);
  }

  private double[] weights(int factor, int level) {
    double[] weights = new double[fit.coefficients().length];
    double[] code = ModelMatrix.code(level, data.factors().get(factor).levels().size());
    System.arraycopy(code, 0, weights, data.model().from(factor), code.length);
    return weights;
  }
}
