package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.MixedFit;
import io.pyrometer.analysis.mixed.MixedModel;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The effects of blocks on the points: ln X = curve + block + noise. How much blocks vary is
 * estimated by restricted maximum likelihood with a mean for every N in place of the curve, so that
 * no model's misfit is taken for it; then every residual loses its share of its block's mean, which
 * leaves uncorrelated ones.
 */
final class Blocks {
  /** Points that share no blocks. */
  static final Blocks NONE = new Blocks(new int[0], new int[0], 0, Double.POSITIVE_INFINITY);

  private final int[] group;
  private final int[] sizes;

  /** ρ, the variance of blocks over that of the noise. */
  private final double ratio;

  private final double levelDegreesOfFreedom;

  private Blocks(int[] group, int[] sizes, double ratio, double levelDegreesOfFreedom) {
    this.group = group;
    this.sizes = sizes;
    this.ratio = ratio;
    this.levelDegreesOfFreedom = levelDegreesOfFreedom;
  }

  static Blocks of(List<ScalePoint> points, ResponseScale scale) {
    Grouping grouping = Grouping.of("block", points.stream().map(ScalePoint::block).toList());
    int blocks = grouping.groups();
    if (scale == ResponseScale.PLAIN || blocks < 2 || blocks >= points.size()) {
      return NONE;
    }
    double[] levels = points.stream().mapToDouble(ScalePoint::n).distinct().toArray();
    double[] y = points.stream().mapToDouble(p -> Math.log(p.throughput())).toArray();
    double[][] x =
        points.stream()
            .map(p -> Arrays.stream(levels).map(level -> p.n() == level ? 1 : 0).toArray())
            .toArray(double[][]::new);
    try {
      MixedFit fit = MixedModel.fit(y, x, List.of(grouping));
      double ratio = fit.variances().getOrDefault("block", 0.0) / fit.residualVariance();
      if (!Double.isFinite(ratio)) {
        return NONE;
      }
      double df =
          IntStream.range(0, levels.length)
              .mapToDouble(l -> fit.coefficient(l).degreesOfFreedom())
              .min()
              .orElseThrow();
      int[] group = grouping.group();
      return new Blocks(group, sizes(group, blocks), Math.max(0, ratio), df);
    } catch (BadDataException oneValueALevel) {
      return NONE; // with one point at each N nothing tells blocks from the curve
    }
  }

  private static int[] sizes(int[] group, int blocks) {
    int[] sizes = new int[blocks];
    Arrays.stream(group).forEach(g -> sizes[g]++);
    return sizes;
  }

  /** The same where one of the points is left out, without estimating anew how much they vary. */
  Blocks without(int point) {
    int[] others =
        IntStream.range(0, group.length).filter(i -> i != point).map(i -> group[i]).toArray();
    return new Blocks(others, sizes(others, sizes.length), ratio, levelDegreesOfFreedom);
  }

  /** Whether there is anything to take out. */
  boolean matter() {
    return ratio > 0;
  }

  /**
   * Half the width of the interval of the curve's level, by what each block alone makes of it, with
   * one degree of freedom less than blocks: where all blocks hold the same N that is an exact t
   * interval for any variance between blocks, also where that is estimated as 0. 0 without blocks.
   *
   * @param effects of every point on the level: its residual, its block's share taken out, times
   *     its weight in the level
   */
  double levelHalfWidth(double[] effects, double confidence) {
    int blocks = sizes.length;
    if (blocks < 2) {
      return 0;
    }
    double[] parts = new double[blocks];
    for (int i = 0; i < group.length; i++) {
      parts[group[i]] += effects[i];
    }
    double squares = Arrays.stream(parts).map(part -> part * part).sum();
    double error = Math.sqrt(squares * blocks / (blocks - 1.0));
    return StudentT.twoSided(confidence, blocks - 1.0) * error;
  }

  /**
   * Of what depends on the curve's level, by Satterthwaite: few blocks say little about it;
   * infinite where blocks do not matter.
   */
  double levelDegreesOfFreedom() {
    return levelDegreesOfFreedom;
  }

  /** Takes the blocks' shares out of every column of the rows, which stand for the points. */
  void whiten(double[][] rows) {
    if (!matter()) {
      return;
    }
    int columns = rows[0].length;
    double[][] sums = new double[sizes.length][columns];
    for (int i = 0; i < group.length; i++) {
      for (int c = 0; c < columns; c++) {
        sums[group[i]][c] += rows[i][c];
      }
    }
    for (int i = 0; i < group.length; i++) {
      int size = sizes[group[i]];
      double share = (1 - 1 / Math.sqrt(1 + size * ratio)) / size;
      for (int c = 0; c < columns; c++) {
        rows[i][c] -= share * sums[group[i]][c];
      }
    }
  }
}
