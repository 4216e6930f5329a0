package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;

/** The sums of products of a model's columns, which are all that fitting needs of the data. */
final class CrossProducts {
  final RealMatrix xx;
  final RealMatrix zx;
  final RealMatrix zz;
  final double[] xy;
  final double[] zy;
  final double yy;

  /** Σ(y−ȳ)². */
  final double total;

  /** The column of Z that each random effect's first group has; then the number of columns. */
  private final int[] offsets;

  CrossProducts(double[] y, double[][] x, List<MixedModel.Grouping> random) {
    int[][] columns = new int[random.size()][];
    offsets = new int[random.size() + 1];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = random.get(k).group();
      offsets[k + 1] = offsets[k] + random.get(k).groups();
    }
    int p = x[0].length;
    int q = Math.max(1, offsets[columns.length]); // of no random effect one column of nothing
    double[][] xxSums = new double[p][p];
    double[][] zxSums = new double[q][p];
    double[][] zzSums = new double[q][q];
    xy = new double[p];
    zy = new double[q];
    double squares = 0;
    for (int i = 0; i < y.length; i++) {
      squares += y[i] * y[i];
      int[] used = nonZero(x[i]);
      for (int a : used) {
        xy[a] += x[i][a] * y[i];
        for (int b : used) {
          xxSums[a][b] += x[i][a] * x[i][b];
        }
      }
      for (int k = 0; k < columns.length; k++) {
        int column = offsets[k] + columns[k][i];
        zy[column] += y[i];
        for (int a : used) {
          zxSums[column][a] += x[i][a];
        }
        for (int l = 0; l < columns.length; l++) {
          zzSums[column][offsets[l] + columns[l][i]]++;
        }
      }
    }
    yy = squares;
    total = Samples.sumOfSquares(y);
    xx = new Array2DRowRealMatrix(xxSums, false);
    zx = new Array2DRowRealMatrix(zxSums, false);
    zz = new Array2DRowRealMatrix(zzSums, false);
  }

  /** Columns of treatments and blocks are 0 in most rows. */
  private static int[] nonZero(double[] row) {
    return IntStream.range(0, row.length).filter(a -> row[a] != 0).toArray();
  }

  int from(int effect) {
    return offsets[effect];
  }

  int to(int effect) {
    return offsets[effect + 1];
  }

  /** √ρ of every column of Z. */
  double[] lambda(double[] ratios) {
    double[] lambda = new double[Math.max(1, offsets[ratios.length])];
    for (int k = 0; k < ratios.length; k++) {
      Arrays.fill(lambda, from(k), to(k), Math.sqrt(ratios[k]));
    }
    return lambda;
  }
}
