package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What is left of a start in the first trials after it: least squares of ln value = treatment +
 * block + β/position, for treatments that were measured in several blocks at different positions.
 * Since the order is drawn at random, β is told from the treatments themselves (the analysis of
 * covariance of a randomized block design; Montgomery, Design and Analysis of Experiments, ch. 15).
 */
public final class OrderEffect {
  private static final int SWEEPS = 1_000;
  private static final double CONVERGED = 1e-12;

  private OrderEffect() {}

  /**
   * One measurement.
   *
   * @param position after the start, from 1
   * @param value above 0, in any unit
   */
  public record Point(String treatment, int block, int position, double value) {}

  /**
   * What the first trial after a start reaches of what the same treatment reaches late: e^β, a pure
   * number.
   *
   * @param confidence such as 0.95
   * @return empty where positions do not vary within treatments, or too few points are left
   */
  public static Optional<Estimate> firstAgainstLate(List<Point> points, double confidence) {
    Map<String, Long> seen =
        points.stream().collect(Collectors.groupingBy(Point::treatment, Collectors.counting()));
    List<Point> repeated =
        points.stream().filter(p -> seen.getOrDefault(p.treatment(), 0L) > 1).toList();
    int treatments = (int) repeated.stream().map(Point::treatment).distinct().count();
    int blocks = (int) repeated.stream().map(Point::block).distinct().count();
    int free = repeated.size() - treatments - blocks;
    if (free < 1) {
      return Optional.empty();
    }
    double[] x = centred(repeated, repeated.stream().mapToDouble(p -> 1.0 / p.position()));
    double[] y = centred(repeated, repeated.stream().mapToDouble(p -> Math.log(p.value())));
    double sxx = dot(x, x);
    if (sxx < CONVERGED) {
      return Optional.empty();
    }
    double slope = dot(x, y) / sxx;
    double rest = Math.max(0, dot(y, y) - slope * dot(x, y));
    double half = StudentT.twoSided(confidence, free) * Math.sqrt(rest / free / sxx);
    return Optional.of(
        new Estimate(slope, slope - half, slope + half, confidence, repeated.size(), "").exp());
  }

  /** Without what treatments and blocks have in common, which sweeps over both take out in turn. */
  private static double[] centred(List<Point> points, DoubleStream values) {
    double[] v = values.toArray();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      double[] before = v.clone();
      takeOut(points, v, Point::treatment);
      takeOut(points, v, Point::block);
      if (change(before, v) < CONVERGED) {
        break;
      }
    }
    return v;
  }

  private static double change(double[] before, double[] after) {
    double most = 0;
    for (int i = 0; i < after.length; i++) {
      most = Math.max(most, Math.abs(after[i] - before[i]));
    }
    return most;
  }

  private static void takeOut(List<Point> points, double[] v, Function<Point, Object> group) {
    Map<Object, List<Integer>> members = new HashMap<>();
    for (int i = 0; i < v.length; i++) {
      members.computeIfAbsent(group.apply(points.get(i)), any -> new ArrayList<>()).add(i);
    }
    for (List<Integer> indices : members.values()) {
      double mean = indices.stream().mapToDouble(i -> v[i]).average().orElse(0);
      indices.forEach(i -> v[i] -= mean);
    }
  }

  private static double dot(double[] a, double[] b) {
    double[] products = new double[a.length];
    Arrays.setAll(products, i -> a[i] * b[i]);
    return Arrays.stream(products).sum();
  }
}
