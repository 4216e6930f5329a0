package io.pyrometer.analysis.tuning;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;

/**
 * One of the functions that a {@link ResponseModel} holds to be possible: a function drawn without
 * the data, corrected by what the model makes of its errors at the data (Matheron's rule: Wilson et
 * al. 2020, Efficiently sampling functions from Gaussian process posteriors, eq. 9). Functions of
 * one and of two knobs are tables; that of all knobs is a sum of random cosines (Rahimi and Recht
 * 2007, Random features for large-scale kernel machines).
 */
final class ResponseDraw {
  private static final int COSINES = 50;

  /** Neighbouring levels are so similar that without it the root might not exist. */
  private static final double JITTER = 1e-8;

  private final ResponseModel model;
  private final Random random;
  private final int knobs;
  private final double[][] one;
  private final double[][][][] two;
  private final double[][] pairs;
  private final double[][][] phases;
  private final double[] offsets;
  private final double[] weights;
  private double constant;
  private double[] correction = new double[0];

  ResponseDraw(ResponseModel model, Random random) {
    this.model = model;
    this.random = random;
    this.knobs = model.similarity.length;
    this.one = new double[knobs][];
    this.two = new double[knobs][knobs][][];
    this.pairs = model.varianceOfPairs();
    this.phases = new double[COSINES][knobs][];
    this.offsets = random.doubles(COSINES, 0, 2 * Math.PI).toArray();
    this.weights = gaussian(COSINES, 2 * model.varianceOfAll() / COSINES);
    this.constant = model.mean + Math.sqrt(ResponseModel.CONSTANT) * random.nextGaussian();
    drawTables();
    for (double[][] cosine : phases) {
      for (int knob = 0; knob < knobs; knob++) {
        cosine[knob] = phases(knob);
      }
    }
    correct();
  }

  private double[] gaussian(int count, double variance) {
    double sd = Math.sqrt(variance);
    return DoubleStream.generate(() -> sd * random.nextGaussian()).limit(count).toArray();
  }

  private void drawTables() {
    Array2DRowRealMatrix[] roots = new Array2DRowRealMatrix[knobs];
    for (int a = 0; a < knobs; a++) {
      Array2DRowRealMatrix similar = new Array2DRowRealMatrix(model.similarity[a]);
      int levels = similar.getRowDimension();
      for (int level = 0; level < levels; level++) {
        similar.addToEntry(level, level, JITTER);
      }
      roots[a] =
          new Array2DRowRealMatrix(new CholeskyDecomposition(similar).getL().getData(), false);
      one[a] = roots[a].operate(gaussian(levels, model.variance(a)));
      for (int b = 0; b < a; b++) {
        double[][] drawn = new double[levels][];
        for (int level = 0; level < levels; level++) {
          drawn[level] = gaussian(roots[b].getRowDimension(), pairs[a][b]);
        }
        two[a][b] =
            roots[a]
                .multiply(new Array2DRowRealMatrix(drawn, false))
                .multiplyTransposed(roots[b])
                .getData();
      }
    }
  }

  /**
   * A knob's factor of the function of all is 0.5 + 0.5 × similarity: every second has no phase.
   */
  private double[] phases(int knob) {
    int levels = model.similarity[knob].length - 1;
    boolean ordered = model.space.knobs().get(knob).ordered();
    double slope = random.nextGaussian() / ResponseModel.LENGTH / (levels - 1);
    double[] drawn = new double[levels + 1];
    if (random.nextBoolean()) {
      for (int level = 0; level <= levels; level++) {
        drawn[level] =
            ordered && level < levels ? slope * level : 2 * Math.PI * random.nextDouble();
      }
    }
    return drawn;
  }

  private void correct() {
    double[] error = new double[model.y.length];
    for (int i = 0; i < error.length; i++) {
      double noise = Math.sqrt(model.varianceOfNoise()) * random.nextGaussian();
      error[i] = model.mean + model.y[i] - at(model.at[i]) - noise;
    }
    double[] by = new Array2DRowRealMatrix(model.inverse, false).operate(error);
    for (int i = 0; i < by.length; i++) {
      constant += ResponseModel.CONSTANT * by[i];
      for (int a = 0; a < knobs; a++) {
        double[] similar = model.similarity[a][model.at[i][a]];
        for (int level = 0; level < similar.length; level++) {
          one[a][level] += model.variance(a) * by[i] * similar[level];
          for (int b = 0; b < a; b++) {
            double factor = pairs[a][b] * by[i] * similar[level];
            double[] other = model.similarity[b][model.at[i][b]];
            for (int there = 0; there < other.length; there++) {
              two[a][b][level][there] += factor * other[there];
            }
          }
        }
      }
    }
    correction = by;
  }

  double at(List<Integer> configuration) {
    return at(model.space.effective(configuration));
  }

  private double at(int[] levels) {
    double sum = constant;
    for (int a = 0; a < knobs; a++) {
      sum += one[a][levels[a]];
      for (int b = 0; b < a; b++) {
        sum += two[a][b][levels[a]][levels[b]];
      }
    }
    return model.varianceOfAll() > ResponseModel.SMALLEST ? sum + all(levels) : sum;
  }

  private double all(int[] levels) {
    double sum = 0;
    for (int c = 0; c < COSINES; c++) {
      double phase = offsets[c];
      for (int a = 0; a < knobs; a++) {
        phase += phases[c][a][levels[a]];
      }
      sum += weights[c] * Math.cos(phase);
    }
    for (int i = 0; i < correction.length; i++) {
      double similar = 1;
      for (int a = 0; a < knobs; a++) {
        similar *= 0.5 + 0.5 * model.similarity[a][levels[a]][model.at[i][a]];
      }
      sum += model.varianceOfAll() * correction[i] * similar;
    }
    return sum;
  }
}
