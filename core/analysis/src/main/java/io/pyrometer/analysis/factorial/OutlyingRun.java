package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.MaterialDifference;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  /** A residual of a model that otherwise fits exactly is as far out as can be. */
  private static final double FARTHEST = 1e6;

  /**
   * The significant ones, the farthest first, by externally studentised residuals from a model.
   * With replicates the model is the mean of each run (and of each block); without, it is the mean,
   * the main effects and the largest interactions, together half as many terms as there are runs.
   */
  static List<OutlyingRun> find(FactorialData data, FactorialOptions options) {
    List<OutlyingRun> all =
        data.replicates() > 1 ? withinRuns(data, options) : fromModel(data, options.scale());
    return all.stream()
        .filter(
            run -> run.p < SIGNIFICANT && MaterialDifference.between(run.observed, run.expected))
        .toList();
  }

  private static List<OutlyingRun> fromModel(FactorialData data, ResponseScale scale) {
    Contrasts contrasts = Contrasts.of(data, scale);
    List<Integer> terms = terms(data.design(), contrasts);
    int n = data.design().runs();
    double[][] fitted = new double[n][1];
    for (int run = 0; run < n; run++) {
      fitted[run][0] = contrasts.mean();
      for (int word : terms) {
        fitted[run][0] += contrasts.q(word) * data.design().product(run, word);
      }
    }
    int parameters = terms.size() + 1;
    return judged(data, scale, fitted, parameters, parameters / (double) n);
  }

  private static List<Integer> terms(TwoLevelDesign design, Contrasts contrasts) {
    int most = design.runs() / 2 - 1;
    return design.representatives().stream()
        .sorted(
            Comparator.<Integer>comparingInt(word -> Integer.bitCount(word) == 1 ? 0 : 1)
                .thenComparingDouble(word -> -Math.abs(contrasts.q(word))))
        .limit(most)
        .toList();
  }

  private static List<OutlyingRun> withinRuns(FactorialData data, FactorialOptions options) {
    double[][] y = data.responses();
    int n = y.length;
    int r = data.replicates();
    boolean removing = options.removeBlocks() && data.blocked();
    double[] runMeans = new double[n];
    double[] blockMeans = new double[r];
    double mean = 0;
    for (int run = 0; run < n; run++) {
      for (int b = 0; b < r; b++) {
        double value = options.scale().forward(y[run][b]);
        runMeans[run] += value / r;
        blockMeans[b] += value / n;
        mean += value / n / r;
      }
    }
    double[][] fitted = new double[n][r];
    for (int run = 0; run < n; run++) {
      for (int b = 0; b < r; b++) {
        fitted[run][b] = runMeans[run] + (removing ? blockMeans[b] - mean : 0);
      }
    }
    int parameters = removing ? n + r - 1 : n;
    return judged(data, options.scale(), fitted, parameters, parameters / ((double) n * r));
  }

  /** Every design here is balanced, so every value has the same leverage. */
  private static List<OutlyingRun> judged(
      FactorialData data, ResponseScale scale, double[][] fitted, int parameters, double leverage) {
    double[][] y = data.responses();
    int values = y.length * data.replicates();
    int df = values - parameters - 1;
    double rss = 0;
    for (int run = 0; run < y.length; run++) {
      for (int r = 0; r < y[run].length; r++) {
        rss += Math.pow(scale.forward(y[run][r]) - fitted[run][r], 2);
      }
    }
    List<OutlyingRun> judged = new ArrayList<>();
    for (int run = 0; run < y.length && df > 0; run++) {
      for (int r = 0; r < y[run].length; r++) {
        double residual = scale.forward(y[run][r]) - fitted[run][r];
        double without = (rss - residual * residual / (1 - leverage)) / df;
        double t = studentised(residual, without * (1 - leverage), rss);
        double p = Math.min(1, values * StudentT.twoSidedP(t, df));
        double deleted = scale.forward(y[run][r]) - residual / (1 - leverage);
        judged.add(new OutlyingRun(run, r, y[run][r], scale.back(deleted), t, p));
      }
    }
    judged.sort(Comparator.comparingDouble(run -> -Math.abs(run.studentised())));
    return judged;
  }

  private static double studentised(double residual, double variance, double rss) {
    if (rss == 0) {
      return 0;
    }
    return variance > 1e-12 * rss
        ? residual / Math.sqrt(variance)
        : Math.copySign(FARTHEST, residual);
  }
}
