package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.analysis.blocks.LeastSquares;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The effect of a start on the first trials after it: least squares of ln value = treatment + block
 * + β/position, for treatments that were measured in several blocks at different positions. Since
 * the order is drawn at random, β is told from the treatments themselves (the analysis of
 * covariance of a randomized block design; Montgomery, Design and Analysis of Experiments, ch. 15).
 */
public final class OrderEffect {
  private OrderEffect() {}

  /**
   * One measurement.
   *
   * @param position after the start, from 1
   * @param value above 0, in any unit
   */
  public record Point(String treatment, int block, int position, double value) {}

  /**
   * The throughput of the first trial after a start relative to later trials of the treatment: e^β,
   * a pure number.
   *
   * @param confidence such as 0.95
   * @return empty where positions do not vary within treatments, or too few points are left
   */
  public static Optional<Estimate> firstAgainstLate(List<Point> points, double confidence) {
    Map<String, Long> seen =
        points.stream().collect(Collectors.groupingBy(Point::treatment, Collectors.counting()));
    List<Point> repeated =
        points.stream().filter(p -> seen.getOrDefault(p.treatment(), 0L) > 1).toList();
    if (repeated.isEmpty()) {
      return Optional.empty();
    }
    List<String> treatments = repeated.stream().map(Point::treatment).distinct().toList();
    int last = treatments.size();
    double[][] x = new double[repeated.size()][last + 1];
    for (int i = 0; i < x.length; i++) {
      x[i][treatments.indexOf(repeated.get(i).treatment())] = 1;
      x[i][0] = 1;
      x[i][last] = 1.0 / repeated.get(i).position();
    }
    double[] y = repeated.stream().mapToDouble(p -> Math.log(p.value())).toArray();
    Grouping blocks = Grouping.of("block", repeated.stream().map(Point::block).toList());
    try {
      return Optional.of(
          LeastSquares.within(y, x, blocks)
              .coefficient(last)
              .estimate(confidence, y.length, "")
              .exp());
    } catch (BadDataException nothingToJudgeBy) {
      return Optional.empty();
    }
  }
}
