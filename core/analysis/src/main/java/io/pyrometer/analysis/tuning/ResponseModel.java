package io.pyrometer.analysis.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
  private final List<int[]> pairs = new ArrayList<>();

  /**
   * Variances of the knobs, then of the other pairs together, of all knobs, of the noise, of the
   * pairs.
   */
  private double[] variances;

  double[][] inverse = new double[0][];
  private double[] weights = new double[0];

  private ResponseModel(ResponseModel other) {
    this.space = other.space;
    this.at = other.at;
    this.similarity = other.similarity;
    this.mean = other.mean;
    this.y = other.y;
    this.pairs.addAll(other.pairs);
    this.variances = other.variances.clone();
  }

  private ResponseModel(TuningSpace space, List<List<Integer>> at, double[] response) {
    this.space = space;
    this.at = at.stream().map(space::effective).toArray(int[][]::new);
    this.similarity = similarity(space);
    this.mean = Arrays.stream(response).average().orElse(0);
    this.y = Arrays.stream(response).map(each -> each - mean).toArray();
    double variance = Arrays.stream(y).map(each -> each * each).average().orElse(0) + 1e-5;
    int knobs = space.knobs().size();
    this.variances = new double[knobs + 3];
    Arrays.fill(variances, variance / knobs);
    variances[knobs] = variance / 20;
    variances[knobs + 1] = variance / 20;
    variances[knobs + 2] = variance / 10;
  }

  /** Fits the model to responses, on a scale on which effects add up. */
  static ResponseModel fit(TuningSpace space, List<List<Integer>> at, double[] response) {
    ResponseModel model = new ResponseModel(space, at, response);
    model.estimate(FIRST_ITERATIONS);
    model.choosePairs();
    model.estimate(ITERATIONS);
    return model;
  }

  /** A model with the variances of another model, which is far quicker. */
  static ResponseModel like(ResponseModel other, List<List<Integer>> at, double[] response) {
    ResponseModel model = new ResponseModel(other.space, at, response);
    model.pairs.addAll(other.pairs);
    model.variances = other.variances.clone();
    model.estimate(0);
    return model;
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
    int knobs = knobs();
    List<int[]> all = new ArrayList<>();
    List<Double> gains = new ArrayList<>();
    for (int a = 0; a < knobs; a++) {
      for (int b = a + 1; b < knobs; b++) {
        double fitted = 0;
        double expected = 0;
        for (int i = 0; i < y.length; i++) {
          for (int j = 0; j <= i; j++) {
            double both =
                (i == j ? 1 : 2)
                    * similarity[a][at[i][a]][at[j][a]]
                    * similarity[b][at[i][b]][at[j][b]];
            fitted += weights[i] * weights[j] * both;
            expected += inverse[i][j] * both;
          }
        }
        all.add(new int[] {a, b});
        gains.add(fitted / Math.max(expected, 1e-300));
      }
    }
    IntStream.range(0, all.size())
        .boxed()
        .sorted((a, b) -> Double.compare(gains.get(b), gains.get(a)))
        .limit(PAIRS)
        .forEach(pair -> pairs.add(all.get(pair)));
    double[] more = Arrays.copyOf(variances, variances.length + pairs.size());
    Arrays.fill(more, variances.length, more.length, variances[knobs] / 4 + START);
    variances = more;
  }

  private int knobs() {
    return space.knobs().size();
  }

  /** The correlation of every part of two configurations' responses; without that of the noise. */
  private void correlations(int[] a, int[] b, double[] parts) {
    int knobs = knobs();
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
    parts[knobs + 2] = 0;
    for (int p = 0; p < pairs.size(); p++) {
      int[] pair = pairs.get(p);
      parts[knobs + 3 + p] = parts[pair[0]] * parts[pair[1]];
    }
  }

  double variance(int knob) {
    return variances[knob];
  }

  /**
   * Variances of the functions of pairs, by the later and the earlier knob: what all share, and its
   * own.
   */
  double[][] varianceOfPairs() {
    int knobs = knobs();
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
    return variances[knobs() + 1];
  }

  double varianceOfNoise() {
    return variances[knobs() + 2];
  }

  /**
   * Models that differ from this one in their variances, as much as these are uncertain: normal on
   * a logarithmic scale, with the expected information of the likelihood and {@link #PRIOR}. Where
   * a variance is estimated near 0, that of a half-normal distribution with its standard error, of
   * at most {@link #HIDDEN}, is taken if it is larger.
   */
  List<ResponseModel> redrawn(int count, Random random) {
    int n = y.length;
    int parts = variances.length;
    double[][] all = parts();
    RealMatrix[] scaled = new RealMatrix[parts];
    RealMatrix inverted = new Array2DRowRealMatrix(inverse, false);
    for (int c = 0; c < parts; c++) {
      double[][] part = new double[n][n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          part[i][j] = variances[c] * all[i * n + j][c];
          part[j][i] = part[i][j];
        }
      }
      scaled[c] = inverted.multiply(new Array2DRowRealMatrix(part, false));
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
      ResponseModel model = new ResponseModel(this);
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

  private double[][] parts() {
    int n = y.length;
    int count = variances.length;
    double[][] parts = new double[n * n][];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double[] both = new double[count];
        correlations(at[i], at[j], both);
        both[knobs() + 2] = i == j ? 1 : 0;
        parts[i * n + j] = both;
      }
    }
    return parts;
  }

  private void estimate(int iterations) {
    double[][] parts = parts();
    for (int iteration = 0; iteration <= iterations; iteration++) {
      invert(parts);
      if (iteration < iterations) {
        improve(parts);
      }
    }
  }

  private void invert(double[][] parts) {
    int n = y.length;
    double[][] v = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = CONSTANT;
        double[] both = parts[i * n + j];
        for (int c = 0; c < both.length; c++) {
          sum += variances[c] * both[c];
        }
        v[i][j] = sum;
        v[j][i] = sum;
      }
    }
    RealMatrix inverted =
        new CholeskyDecomposition(new Array2DRowRealMatrix(v, false)).getSolver().getInverse();
    inverse = inverted.getData();
    weights = inverted.operate(y);
  }

  private void improve(double[][] parts) {
    int n = y.length;
    double[] fitted = new double[variances.length];
    double[] expected = new double[variances.length];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double[] both = parts[i * n + j];
        double twice = i == j ? 1 : 2;
        double product = twice * weights[i] * weights[j];
        double spread = twice * inverse[i][j];
        for (int c = 0; c < both.length; c++) {
          fitted[c] += product * both[c];
          expected[c] += spread * both[c];
        }
      }
    }
    for (int c = 0; c < variances.length; c++) {
      double factor = Math.sqrt(Math.max(fitted[c], 0) / Math.max(expected[c], 1e-300));
      double least = c < knobs() ? SMALLEST_OF_KNOB : SMALLEST;
      variances[c] = Math.min(1, Math.max(least, variances[c] * factor));
    }
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
    double[] parts = new double[variances.length];
    for (int f = 0; f < factors.length; f++) {
      sum += factors[f] * mean;
      for (int i = 0; i < n; i++) {
        with[i] += factors[f] * covariance(configurations[f], at[i], parts);
      }
      for (int g = 0; g < factors.length; g++) {
        own += factors[f] * factors[g] * covariance(configurations[f], configurations[g], parts);
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

  private double covariance(int[] a, int[] b, double[] parts) {
    correlations(a, b, parts);
    double sum = CONSTANT;
    for (int c = 0; c < parts.length; c++) {
      sum += variances[c] * parts[c];
    }
    return sum;
  }
}
