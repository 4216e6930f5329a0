package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** Ladders of nodes with known laws: how often the intervals cover the truth. */
public final class LawSimulation {
  private static final double[][] LADDERS = {
    {1, 2, 3, 4, 6, 8},
    {1, 2, 4, 6, 8, 12, 16},
    {1, 2, 3, 4, 5, 6, 8, 10, 12},
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20}
  };

  private LawSimulation() {}

  /** A law with its name. */
  public record Law(String name, DoubleUnaryOperator x) {}

  /** Laws that the models hold, with and without a peak in reach. */
  public static final List<Law> LAWS =
      List.of(
          new Law("linear", n -> 1000 * n),
          new Law("Amdahl", n -> 1000 * n / (1 + 0.05 * (n - 1))),
          new Law("peak at 30", n -> 1000 * n / (1 + 0.03 * (n - 1) + 0.00108 * n * (n - 1))),
          new Law("peak at 8", n -> 1000 * n / (1 + 0.05 * (n - 1) + 0.0148 * n * (n - 1))),
          new Law("hop", n -> 1000 / (1 + 1.2 * (1 - 1 / n) + 0.02 * (n - 1))));

  /** Counts of one cell of the grid. */
  public record HitCounts(int covered, int lambda, int trials) {
    HitCounts plus(HitCounts other) {
      return new HitCounts(covered + other.covered, lambda + other.lambda, trials + other.trials);
    }
  }

  static List<ScalePoint> ladder(
      Law law, double[] ns, int replicates, double noise, double blockSd, Random random) {
    List<ScalePoint> points = new ArrayList<>();
    for (int r = 0; r < replicates; r++) {
      double block = blockSd * random.nextGaussian();
      for (double n : ns) {
        double x = law.x().applyAsDouble(n) * Math.exp(block + noise * random.nextGaussian());
        points.add(new ScalePoint(n, x, "b" + r));
      }
    }
    return points;
  }

  /** At twice the range, over all ladders and noises of 1 to 8 %. */
  public static HitCounts atTwiceTheRange(
      Law law, int replicates, double blockSd, int trials, Random random) {
    HitCounts all = new HitCounts(0, 0, 0);
    for (double[] ns : LADDERS) {
      for (double noise : new double[] {0.01, 0.03, 0.08}) {
        for (int t = 0; t < trials; t++) {
          all = all.plus(one(law, ns, replicates, noise, blockSd, random));
        }
      }
    }
    return all;
  }

  private static HitCounts one(
      Law law, double[] ns, int replicates, double noise, double blockSd, Random random) {
    List<ScalePoint> points = ladder(law, ns, replicates, noise, blockSd, random);
    double n = 2 * ns[ns.length - 1];
    try {
      Scalability found = Scalability.fitted(points, FitOptions.DEFAULT);
      Estimate ahead = found.at(n).throughput();
      Estimate lambda = found.law().parameters().get(0).estimate();
      return new HitCounts(
          ahead.contains(law.x().applyAsDouble(n)) ? 1 : 0,
          lambda.contains(law.x().applyAsDouble(1)) ? 1 : 0,
          1);
    } catch (BadDataException e) {
      return new HitCounts(0, 0, 0);
    }
  }
}
