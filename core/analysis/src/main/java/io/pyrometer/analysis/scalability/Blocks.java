package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.MixedFit;
import io.pyrometer.analysis.mixed.MixedModel;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The effects of blocks on the points: ln X = curve + block + noise. How much blocks vary is
 * estimated by restricted maximum likelihood with a mean for every N in place of the curve, so that
 * no model's misfit is taken for it; then every residual loses its share of its block's mean, which
 * leaves uncorrelated ones.
 */
final class Blocks {
  /** Points that share no blocks. */
  static final Blocks NONE = new Blocks(new int[0], 0, 0, Double.POSITIVE_INFINITY);

  private final int[] group;

  /** ρ, the variance of blocks over that of the noise. */
  private final double ratio;

  /** Of each block the share of its mean to be taken out, 1 − 1/√(1+nρ). */
  private final double[] share;

  private final double levelDegreesOfFreedom;

  private Blocks(int[] group, int blocks, double ratio, double levelDegreesOfFreedom) {
    this.group = group;
    this.ratio = ratio;
    this.share = new double[blocks];
    this.levelDegreesOfFreedom = levelDegreesOfFreedom;
    int[] sizes = new int[blocks];
    for (int g : group) {
      sizes[g]++;
    }
    for (int b = 0; b < blocks; b++) {
      share[b] = 1 - 1 / Math.sqrt(1 + sizes[b] * ratio);
    }
  }

  static Blocks of(List<ScalePoint> points, FitScale scale) {
    Grouping grouping = Grouping.of("block", points.stream().map(ScalePoint::block).toList());
    int blocks = grouping.groups();
    if (scale == FitScale.LINEAR || blocks < 2 || blocks >= points.size()) {
      return NONE;
    }
    double[] levels = points.stream().mapToDouble(ScalePoint::n).distinct().toArray();
    double[] y = points.stream().mapToDouble(p -> Math.log(p.throughput())).toArray();
    double[][] x = new double[y.length][levels.length];
    for (int i = 0; i < y.length; i++) {
      for (int l = 0; l < levels.length; l++) {
        x[i][l] = points.get(i).n() == levels[l] ? 1 : 0;
      }
    }
    try {
      MixedFit fit = MixedModel.fit(y, x, List.of(grouping));
      double ratio = fit.variances().getOrDefault("block", 0.0) / fit.residualVariance();
      if (!Double.isFinite(ratio)) {
        return NONE;
      }
      double df = Double.POSITIVE_INFINITY;
      for (int l = 0; l < levels.length; l++) {
        df = Math.min(df, fit.coefficient(l).degreesOfFreedom());
      }
      return new Blocks(grouping.group(), blocks, Math.max(0, ratio), df);
    } catch (BadDataException oneValueALevel) {
      return NONE; // with one point at each N nothing tells blocks from the curve
    }
  }

  /** The same where one of the points is left out, without estimating anew how much they vary. */
  Blocks without(int point) {
    if (share.length == 0) {
      return this;
    }
    int[] others = new int[group.length - 1];
    System.arraycopy(group, 0, others, 0, point);
    System.arraycopy(group, point + 1, others, point, others.length - point);
    return new Blocks(others, share.length, ratio, levelDegreesOfFreedom);
  }

  /** Whether there is anything to take out. */
  boolean matter() {
    return ratio > 0;
  }

  /**
   * The error of the curve's level by what each block alone makes of it, with one degree of freedom
   * less than blocks: where all blocks hold the same N that is an exact t interval for any variance
   * between blocks, also where that is estimated as 0. Empty without blocks.
   *
   * @param residuals of all points, their blocks' shares taken out
   * @param weights of them in the level
   */
  Optional<Contrast> level(double level, double[] residuals, double[] weights) {
    if (share.length < 2) {
      return Optional.empty();
    }
    double[] parts = new double[share.length];
    for (int i = 0; i < group.length; i++) {
      parts[group[i]] += weights[i] * residuals[i];
    }
    double squares = Arrays.stream(parts).map(part -> part * part).sum();
    int blocks = parts.length;
    return Optional.of(
        new Contrast(level, Math.sqrt(squares * blocks / (blocks - 1.0)), blocks - 1.0));
  }

  /**
   * Of what depends on the curve's level, by Satterthwaite: few blocks say little about it;
   * infinite where blocks do not matter.
   */
  double levelDegreesOfFreedom() {
    return levelDegreesOfFreedom;
  }

  /** Takes the blocks' shares out of the rows that stand for points. */
  void whiten(double[] residuals, double[][] jacobian) {
    if (!matter()) {
      return;
    }
    int columns = jacobian[0].length;
    double[][] means = new double[share.length][columns + 1];
    int[] sizes = new int[share.length];
    for (int i = 0; i < group.length; i++) {
      sizes[group[i]]++;
      means[group[i]][columns] += residuals[i];
      for (int c = 0; c < columns; c++) {
        means[group[i]][c] += jacobian[i][c];
      }
    }
    for (int i = 0; i < group.length; i++) {
      double part = share[group[i]] / sizes[group[i]];
      residuals[i] -= part * means[group[i]][columns];
      for (int c = 0; c < columns; c++) {
        jacobian[i][c] -= part * means[group[i]][c];
      }
    }
  }
}
