package io.pyrometer.analysis.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;

/**
 * A Gaussian process over configurations: the response is a constant, plus a function of each knob,
 * plus functions of two knobs, plus one of all, plus noise. How much each part varies is estimated
 * from the data by restricted iterations of the MM algorithm for variance components (Zhou, Hu,
 * Qiao, Zhang 2019, eq. 6), so that knobs without an effect drop out by themselves (additive
 * Gaussian processes: Duvenaud, Nickisch, Rasmussen 2011).
 */
final class ResponseModel {
  /** Distance of the extremes of an ordered knob that halves correlations about three times. */
  static final double LENGTH = 0.5;

  /** So many pairs of knobs have a function of their own. */
  private static final int PAIRS = 12;

  /** Variance that the function of a pair starts with at least, (2 %)². */
  private static final double START = 4e-4;

  /** Standard deviation of the logarithm of a variance before the data. */
  private static final double PRIOR = 1.5;

  /** Variance that may hide in a part that is estimated near 0, (3 %)². */
  private static final double HIDDEN = 9e-4;

  private static final int FIRST_ITERATIONS = 8;
  private static final int ITERATIONS = 10;

  /**
   * Variance of the constant: far more than any response varies, which is on a logarithmic scale.
   */
  static final double CONSTANT = 1;

  static final double SMALLEST = 1e-7;

  /**
   * Least variance of the function of one knob: that a setting has no effect at all is never sure,
   * (0.5 %)².
   */
  private static final double SMALLEST_OF_KNOB = 2.5e-5;

  final TuningSpace space;
  final int[][] at;
  final double[][][] similarity;
  final double mean;
  final double[] y;
  private final int knobs;
  private final List<int[]> pairs = new ArrayList<>();

  /**
   * Variances of the knobs, then of the other pairs together, of all knobs, of the noise, of the
   * pairs.
   */
  private double[] variances;

  double[][] inverse = new double[0][];
  private double[] weights = new double[0];

  private ResponseModel(TuningSpace space, int[][] at, double mean, double[] y) {
    this.space = space;
    this.at = at;
    this.similarity = similarity(space);
    this.mean = mean;
    this.y = y;
    this.knobs = space.knobs().size();
    double variance = Arrays.stream(y).map(each -> each * each).average().orElse(0) + 1e-5;
    this.variances = new double[knobs + 3];
    Arrays.fill(variances, variance / knobs);
    variances[knobs] = variance / 20;
    variances[knobs + 1] = variance / 20;
    variances[knobs + 2] = variance / 10;
  }

  private static ResponseModel of(TuningSpace space, List<List<Integer>> at, double[] response) {
    double mean = Arrays.stream(response).average().orElse(0);
    return new ResponseModel(
        space,
        at.stream().map(space::effective).toArray(int[][]::new),
        mean,
        Arrays.stream(response).map(each -> each - mean).toArray());
  }

  /** Fits the model to responses, on a scale on which effects add up. */
  static ResponseModel fit(TuningSpace space, List<List<Integer>> at, double[] response) {
    ResponseModel model = of(space, at, response);
    model.estimate(FIRST_ITERATIONS);
    model.choosePairs();
    model.estimate(ITERATIONS);
    return model;
  }

  /** A model with the variances of another model, which is far quicker. */
  static ResponseModel like(ResponseModel other, List<List<Integer>> at, double[] response) {
    ResponseModel model = of(other.space, at, response);
    model.takeOver(other);
    model.invert(model.parts());
    return model;
  }

  private void takeOver(ResponseModel other) {
    pairs.addAll(other.pairs);
    variances = other.variances.clone();
  }

  private static double[][][] similarity(TuningSpace space) {
    return space.knobs().stream()
        .map(
            knob -> {
              double[][] table = new double[knob.levels() + 1][knob.levels() + 1];
              table[knob.levels()][knob.levels()] = 1;
              for (int a = 0; a < knob.levels(); a++) {
                for (int b = 0; b < knob.levels(); b++) {
                  double apart = (a - b) / (knob.levels() - 1.0) / LENGTH;
                  table[a][b] = knob.ordered() ? Math.exp(-apart * apart / 2) : a == b ? 1 : 0;
                }
              }
              return table;
            })
        .toArray(double[][][]::new);
  }

  /**
   * The pairs whose variance the likelihood would raise most, by its derivative at no variance. A
   * pair may interact without an effect of either alone.
   */
  private void choosePairs() {
    for (int a = 0; a < knobs; a++) {
      for (int b = a + 1; b < knobs; b++) {
        pairs.add(new int[] {a, b});
      }
    }
    double[] gains = gains(parts());
    List<int[]> chosen =
        IntStream.range(0, pairs.size())
            .boxed()
            .sorted(Comparator.comparingDouble(pair -> -gains[knobs + 3 + pair]))
            .limit(PAIRS)
            .map(pairs::get)
            .toList();
    pairs.clear();
    pairs.addAll(chosen);
    int own = variances.length;
    variances = Arrays.copyOf(variances, own + pairs.size());
    Arrays.fill(variances, own, variances.length, variances[knobs] / 4 + START);
  }

  /** The correlation of every part of two configurations' responses; without that of the noise. */
  private double[] correlations(int[] a, int[] b) {
    double[] parts = new double[knobs + 3 + pairs.size()];
    double sum = 0;
    double squares = 0;
    double all = 1;
    for (int i = 0; i < knobs; i++) {
      double same = similarity[i][a[i]][b[i]];
      parts[i] = same;
      sum += same;
      squares += same * same;
      all *= 0.5 + 0.5 * same;
    }
    parts[knobs] = knobs < 2 ? 0 : (sum * sum - squares) / (knobs * (knobs - 1.0));
    parts[knobs + 1] = all;
    for (int p = 0; p < pairs.size(); p++) {
      int[] pair = pairs.get(p);
      parts[knobs + 3 + p] = parts[pair[0]] * parts[pair[1]];
    }
    return parts;
  }

  double variance(int knob) {
    return variances[knob];
  }

  /**
   * Variances of the functions of pairs, by the later and the earlier knob: what all share, and its
   * own.
   */
  double[][] varianceOfPairs() {
    double[][] sums = new double[knobs][knobs];
    for (double[] row : sums) {
      Arrays.fill(row, 2 * variances[knobs] / (knobs * (knobs - 1.0)));
    }
    for (int p = 0; p < pairs.size(); p++) {
      sums[pairs.get(p)[1]][pairs.get(p)[0]] += variances[knobs + 3 + p];
    }
    return sums;
  }

  double varianceOfAll() {
    return variances[knobs + 1];
  }

  double varianceOfNoise() {
    return variances[knobs + 2];
  }

  /**
   * Models that differ from this one in their variances, as much as these are uncertain: normal on
   * a logarithmic scale, with the expected information of the likelihood and {@link #PRIOR}. Where
   * a variance is estimated near 0, that of a half-normal distribution with its standard error, of
   * at most {@link #HIDDEN}, is taken if it is larger.
   */
  List<ResponseModel> redrawn(int count, Random random) {
    int parts = variances.length;
    double[][][] all = parts();
    RealMatrix[] scaled = new RealMatrix[parts];
    for (int c = 0; c < parts; c++) {
      int part = c;
      scaled[c] =
          new Array2DRowRealMatrix(inverse, false)
              .multiply(symmetric(all, both -> variances[part] * both[part]));
    }
    double[] hidden = new double[parts];
    double[][] information = new double[parts][parts];
    for (int c = 0; c < parts; c++) {
      for (int d = 0; d <= c; d++) {
        information[c][d] = trace(scaled[c], scaled[d]) / 2;
        information[d][c] = information[c][d];
      }
      hidden[c] = Math.min(HIDDEN, variances[c] / Math.sqrt(Math.max(information[c][c], 1e-300)));
      information[c][c] += 1 / (PRIOR * PRIOR);
    }
    RealMatrix upper =
        new CholeskyDecomposition(new Array2DRowRealMatrix(information, false)).getLT();
    List<ResponseModel> models = new ArrayList<>();
    for (int m = 0; m < count; m++) {
      ResponseModel model = new ResponseModel(space, at, mean, y);
      model.takeOver(this);
      double[] off = new double[parts];
      for (int c = parts - 1; c >= 0; c--) {
        double sum = random.nextGaussian();
        for (int d = c + 1; d < parts; d++) {
          sum -= upper.getEntry(c, d) * off[d];
        }
        off[c] = sum / upper.getEntry(c, c);
        double least = hidden[c] * Math.abs(random.nextGaussian());
        model.variances[c] = Math.min(1, Math.max(least, variances[c] * Math.exp(off[c])));
      }
      model.invert(all);
      models.add(model);
    }
    return models;
  }

  private static double trace(RealMatrix a, RealMatrix b) {
    double trace = 0;
    for (int i = 0; i < a.getRowDimension(); i++) {
      for (int j = 0; j < a.getColumnDimension(); j++) {
        trace += a.getEntry(i, j) * b.getEntry(j, i);
      }
    }
    return trace;
  }

  /** The correlations of every part of the response, of each trial with those up to it. */
  private double[][][] parts() {
    double[][][] parts = new double[y.length][][];
    for (int i = 0; i < y.length; i++) {
      int[] own = at[i];
      parts[i] =
          Arrays.stream(at, 0, i + 1)
              .map(other -> correlations(own, other))
              .toArray(double[][]::new);
      parts[i][i][knobs + 2] = 1;
    }
    return parts;
  }

  private static RealMatrix symmetric(double[][][] parts, ToDoubleFunction<double[]> entry) {
    double[][] matrix = new double[parts.length][parts.length];
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = entry.applyAsDouble(parts[i][j]);
        matrix[j][i] = matrix[i][j];
      }
    }
    return new Array2DRowRealMatrix(matrix, false);
  }

  private void estimate(int iterations) {
    double[][][] parts = parts();
    invert(parts);
    for (int iteration = 0; iteration < iterations; iteration++) {
      double[] gains = gains(parts);
      for (int c = 0; c < variances.length; c++) {
        double least = c < knobs ? SMALLEST_OF_KNOB : SMALLEST;
        double factor = Math.sqrt(Math.max(gains[c], 0));
        variances[c] = Math.min(1, Math.max(least, variances[c] * factor));
      }
      invert(parts);
    }
  }

  private void invert(double[][][] parts) {
    RealMatrix inverted =
        new CholeskyDecomposition(symmetric(parts, this::covariance)).getSolver().getInverse();
    inverse = inverted.getData();
    weights = inverted.operate(y);
  }

  private double covariance(double[] parts) {
    double sum = CONSTANT;
    for (int c = 0; c < parts.length; c++) {
      sum += variances[c] * parts[c];
    }
    return sum;
  }

  /** By how much each part varies more than its variance makes it, as a ratio. */
  private double[] gains(double[][][] parts) {
    double[] fitted = new double[parts[0][0].length];
    double[] expected = new double[fitted.length];
    for (int i = 0; i < y.length; i++) {
      for (int j = 0; j <= i; j++) {
        double twice = i == j ? 1 : 2;
        for (int c = 0; c < fitted.length; c++) {
          fitted[c] += twice * weights[i] * weights[j] * parts[i][j][c];
          expected[c] += twice * inverse[i][j] * parts[i][j][c];
        }
      }
    }
    return IntStream.range(0, fitted.length)
        .mapToDouble(c -> fitted[c] / Math.max(expected[c], 1e-300))
        .toArray();
  }

  /** The expected response of a configuration without noise, and its standard deviation. */
  record Prediction(double mean, double sd) {}

  Prediction at(List<Integer> configuration) {
    return combined(new int[][] {space.effective(configuration)}, new double[] {1});
  }

  /** The expected difference of two configurations. */
  Prediction difference(List<Integer> of, List<Integer> from) {
    return combined(new int[][] {space.effective(of), space.effective(from)}, new double[] {1, -1});
  }

  private Prediction combined(int[][] configurations, double[] factors) {
    int n = y.length;
    double[] with = new double[n];
    double own = 0;
    double sum = 0;
    for (int f = 0; f < factors.length; f++) {
      sum += factors[f] * mean;
      for (int i = 0; i < n; i++) {
        with[i] += factors[f] * covariance(correlations(configurations[f], at[i]));
      }
      for (int g = 0; g < factors.length; g++) {
        own +=
            factors[f]
                * factors[g]
                * covariance(correlations(configurations[f], configurations[g]));
      }
    }
    double explained = 0;
    for (int i = 0; i < n; i++) {
      sum += with[i] * weights[i];
      double row = inverse[i][i] * with[i] / 2;
      for (int j = 0; j < i; j++) {
        row += inverse[i][j] * with[j];
      }
      explained += 2 * with[i] * row;
    }
    return new Prediction(sum, Math.sqrt(Math.max(own - explained, 0)));
  }
}
