package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;

/** The means of the runs on one scale, and their contrasts q_j = Σ x_ij ȳ_i / n. */
final class Contrasts {
  private final TwoLevelDesign design;
  private final double[] means;
  private final double mean;
  private final double withinRuns;
  private final double betweenBlocks;

  private Contrasts(TwoLevelDesign design, double[][] y) {
    this.design = design;
    this.means = new double[y.length];
    double sum = 0;
    int r = y[0].length;
    for (int run = 0; run < y.length; run++) {
      for (double value : y[run]) {
        means[run] += value / r;
      }
      sum += means[run];
    }
    this.mean = sum / y.length;
    this.withinRuns = withinRuns(y);
    this.betweenBlocks = betweenBlocks(y);
  }

  static Contrasts of(FactorialData data, ResponseScale scale) {
    double[][] y = data.responses();
    for (int run = 0; run < y.length; run++) {
      for (int r = 0; r < y[run].length; r++) {
        if (scale == ResponseScale.LN && y[run][r] <= 0) {
          throw BadDataException.of(
              "Run %d has a response of %s, whose logarithm does not exist; analyse it as it is or"
                  + " repeat the run.",
              run + 1, Figures.plain(y[run][r]));
        }
        y[run][r] = scale.forward(y[run][r]);
      }
    }
    return new Contrasts(data.design(), y);
  }

  double mean() {
    return mean;
  }

  double q(int word) {
    double sum = 0;
    for (int run = 0; run < means.length; run++) {
      sum += design.product(run, word) * means[run];
    }
    return sum / means.length;
  }

  /** Σ over all values of the squared distance from their run's mean. */
  double withinRuns() {
    return withinRuns;
  }

  /** The part of {@link #withinRuns} that the blocks share. */
  double betweenBlocks() {
    return betweenBlocks;
  }

  double meanWhere(int factor, int sign, int otherFactor, int otherSign) {
    double sum = 0;
    int count = 0;
    for (int run = 0; run < means.length; run++) {
      if (design.sign(run, factor) == sign && design.sign(run, otherFactor) == otherSign) {
        sum += means[run];
        count++;
      }
    }
    return count == 0 ? mean : sum / count;
  }

  private double withinRuns(double[][] y) {
    double sum = 0;
    for (int run = 0; run < y.length; run++) {
      for (double value : y[run]) {
        sum += (value - means[run]) * (value - means[run]);
      }
    }
    return sum;
  }

  private double betweenBlocks(double[][] y) {
    double sum = 0;
    for (int block = 0; block < y[0].length; block++) {
      double blockMean = 0;
      for (double[] row : y) {
        blockMean += row[block] / y.length;
      }
      sum += y.length * (blockMean - mean) * (blockMean - mean);
    }
    return sum;
  }
}
