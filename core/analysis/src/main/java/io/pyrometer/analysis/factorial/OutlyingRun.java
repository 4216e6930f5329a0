package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * A run that does not belong with the others.
 *
 * @param run its index in the design, from 0
 * @param replicate its index, from 0
 * @param observed the response
 * @param expected what the other runs predict, on the response's scale
 * @param studentised the externally studentised residual
 * @param p two-sided, times the number of values (Bonferroni), at most 1
 */
public record OutlyingRun(
    int run, int replicate, double observed, double expected, double studentised, double p) {
  private static final double SIGNIFICANT = 0.05;

  /** Of a model that otherwise fits exactly. */
  private static final double MAX_STUDENTISED = 1e6;

  /**
   * The significant ones, the farthest first, by externally studentised residuals from a model.
   * With replicates the model is the mean of each run (and of each block); without, it is the mean,
   * the main effects and the largest interactions, together half as many terms as there are runs.
   */
  static List<OutlyingRun> find(Contrasts found, TwoLevelDesign design, FactorialOptions options) {
    int n = found.y.length;
    int r = found.y[0].length;
    if (r == 1) {
      List<Integer> terms =
          design.representatives().stream()
              .sorted(
                  Comparator.<Integer>comparingInt(word -> Integer.bitCount(word) == 1 ? 0 : 1)
                      .thenComparingDouble(word -> -Math.abs(found.q(word))))
              .limit(n / 2 - 1)
              .toList();
      double[] fitted = new double[n];
      for (int run = 0; run < n; run++) {
        fitted[run] = found.mean;
        for (int word : terms) {
          fitted[run] += found.q(word) * design.product(run, word);
        }
      }
      return judged(found, options.scale(), run -> fitted[run], new double[1], terms.size() + 1);
    }
    double[] ofBlock = new double[r];
    for (int b = 0; b < r && options.removeBlocks(); b++) {
      ofBlock[b] = found.blockMeans[b] - found.mean;
    }
    int parameters = options.removeBlocks() ? n + r - 1 : n;
    return judged(found, options.scale(), run -> found.runMeans[run], ofBlock, parameters);
  }

  /** Every design here is balanced, so every value has the same leverage. */
  private static List<OutlyingRun> judged(
      Contrasts found,
      ResponseScale scale,
      IntToDoubleFunction fitted,
      double[] ofBlock,
      int parameters) {
    int n = found.y.length;
    int r = ofBlock.length;
    double kept = 1 - parameters / ((double) n * r);
    int df = n * r - parameters - 1;
    double[][] residuals = new double[n][r];
    double rss = 0;
    for (int run = 0; run < n; run++) {
      for (int b = 0; b < r; b++) {
        residuals[run][b] = found.y[run][b] - fitted.applyAsDouble(run) - ofBlock[b];
        rss += residuals[run][b] * residuals[run][b];
      }
    }
    List<OutlyingRun> outlying = new ArrayList<>();
    for (int run = 0; run < n && df > 0; run++) {
      for (int b = 0; b < r; b++) {
        double residual = residuals[run][b];
        double variance = (rss - residual * residual / kept) / df * kept;
        double t = studentised(residual, variance, rss);
        double p = Math.min(1, n * r * StudentT.twoSidedP(t, df));
        double observed = scale.back(found.y[run][b]);
        double expected = scale.back(found.y[run][b] - residual / kept);
        if (p < SIGNIFICANT && Samples.differMaterially(observed, expected)) {
          outlying.add(new OutlyingRun(run, b, observed, expected, t, p));
        }
      }
    }
    outlying.sort(Comparator.comparingDouble(each -> -Math.abs(each.studentised())));
    return outlying;
  }

  private static double studentised(double residual, double variance, double rss) {
    if (rss == 0) {
      return 0;
    }
    return variance > 1e-12 * rss
        ? residual / Math.sqrt(variance)
        : Math.copySign(MAX_STUDENTISED, residual);
  }
}
