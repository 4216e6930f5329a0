package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * Observations as a regression: one row a treatment and block.
 *
 * @param x the model's columns, then those of the blocks
 * @param y the response on the scale of the analysis
 * @param blocks the number of the blocks' columns, 0 where they stay in the error
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record LevelData(List<Factor> factors, ModelMatrix model, double[][] x, double[] y, int blocks) {
  private static final double SINGULAR = 1e-9;

  static LevelData of(
      List<Observation> observations,
      List<String> names,
      List<String> interactions,
      String response,
      FactorialOptions options) {
    List<Treatment> treatments = Treatment.group(observations, names, response);
    List<Factor> factors = Levels.of(treatments, names);
    List<int[]> pairs =
        interactions.stream()
            .map(text -> Words.factors(Words.parse(text, factors)).toArray())
            .toList();
    ModelMatrix model = ModelMatrix.of(factors, pairs);
    List<String> blocks =
        treatments.stream().flatMap(t -> t.replicates().keySet().stream()).distinct().toList();
    boolean removing = options.removeBlocks() && blocks.size() > 1;
    List<double[]> rows = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (Treatment treatment : treatments) {
      double[] row = model.row(levels(treatment, factors));
      treatment
          .replicates()
          .forEach(
              (block, value) -> {
                double[] code =
                    removing
                        ? ModelMatrix.code(blocks.indexOf(block), blocks.size())
                        : new double[0];
                rows.add(joined(row, code));
                values.add(forward(value, response, options.scale()));
              });
    }
    return new LevelData(
        factors,
        model,
        rows.toArray(new double[0][]),
        values.stream().mapToDouble(Double::doubleValue).toArray(),
        removing ? blocks.size() - 1 : 0);
  }

  private static int[] levels(Treatment treatment, List<Factor> factors) {
    return factors.stream()
        .mapToInt(f -> f.levels().indexOf(String.valueOf(treatment.levels().get(f.name()))))
        .toArray();
  }

  private static double[] joined(double[] row, double[] code) {
    double[] joined = Arrays.copyOf(row, row.length + code.length);
    System.arraycopy(code, 0, joined, row.length, code.length);
    return joined;
  }

  private static double forward(double value, String response, ResponseScale scale) {
    if (scale == ResponseScale.LN && value <= 0) {
      throw BadDataException.of(
          "A value of %s is %s, whose logarithm does not exist; analyse it as it is or repeat the"
              + " run.",
          response, Figures.plain(value));
    }
    return scale.forward(value);
  }

  int parameters() {
    return x[0].length;
  }

  int[] allColumns() {
    return IntStream.range(0, parameters()).toArray();
  }

  int rank(int[] columns) {
    SingularValueDecomposition svd = new SingularValueDecomposition(matrix(columns));
    double largest = svd.getSingularValues()[0];
    return (int) Arrays.stream(svd.getSingularValues()).filter(s -> s > SINGULAR * largest).count();
  }

  RealMatrix matrix(int[] columns) {
    double[][] part = new double[y.length][columns.length];
    for (int i = 0; i < y.length; i++) {
      for (int c = 0; c < columns.length; c++) {
        part[i][c] = x[i][columns[c]];
      }
    }
    return new Array2DRowRealMatrix(part, false);
  }

  int[] without(int term) {
    return IntStream.range(0, x[0].length)
        .filter(c -> c < model.from(term) || c >= model.to(term))
        .toArray();
  }

  int[] blockColumns() {
    return IntStream.concat(IntStream.of(0), IntStream.range(x[0].length - blocks, x[0].length))
        .toArray();
  }

  double[] solve(int[] columns) {
    return new SingularValueDecomposition(matrix(columns))
        .getSolver()
        .solve(new ArrayRealVector(y))
        .toArray();
  }

  double[] residuals(int[] columns, double[] coefficients) {
    double[] fitted = matrix(columns).operate(coefficients);
    return IntStream.range(0, y.length).mapToDouble(i -> y[i] - fitted[i]).toArray();
  }

  double rss(int[] columns) {
    return Arrays.stream(residuals(columns, solve(columns))).map(e -> e * e).sum();
  }
}
