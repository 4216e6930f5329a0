package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/** Makes {@link LevelEffects}. */
final class LevelAnalysis {
  private static final double SIGNIFICANT = 0.05;
  private static final double SUREST = 1e150;

  private final FactorialOptions options;
  private final LevelData data;
  private final ModelMatrix model;
  private final double[] y;

  LevelAnalysis(LevelData data, FactorialOptions options) {
    this.options = options;
    this.data = data;
    this.model = data.model();
    this.y = data.y();
  }

  LevelEffects analyse() {
    refuseUnfit();
    int df = y.length - data.parameters();
    int[] all = data.allColumns();
    double[] coefficients = data.solve(all);
    double[] residuals = data.residuals(all, coefficients);
    double error = Arrays.stream(residuals).map(e -> e * e).sum();
    double total = data.rss(data.blockColumns());
    List<LevelEffects.Term> terms = terms(error, df, total);
    List<CellMean> means = levelMeans(coefficients, df > 0 ? error / df : 0, df);
    return new LevelEffects(
        options,
        terms,
        means,
        Arrays.stream(residuals).boxed().toList(),
        IntStream.range(0, y.length)
            .mapToObj(i -> options.scale().back(y[i] - residuals[i]))
            .toList(),
        total,
        error,
        df,
        LevelSentences.of(terms, means, df, options));
  }

  private void refuseUnfit() {
    int p = data.parameters();
    if (y.length < p) {
      throw BadDataException.of(
          "There are %d values for a model of %d parameters; run more treatments or leave factors"
              + " out.",
          y.length, p);
    }
    if (Arrays.stream(y).distinct().count() < 2) {
      throw new BadDataException(
          "The response is the same to the last digit in every run; look at how it was measured.");
    }
    if (data.rank(data.allColumns()) < p) {
      throw BadDataException.of(
          "%s cannot be told apart from the other terms with these runs; leave it out or add runs.",
          inseparable());
    }
  }

  private String inseparable() {
    int rank = data.rank(data.allColumns());
    for (int t = model.terms() - 1; t >= 0; t--) {
      if (rank - data.rank(data.without(t)) < model.to(t) - model.from(t)) {
        return model.name(t);
      }
    }
    return "A block";
  }

  private List<LevelEffects.Term> terms(double error, int df, double total) {
    int m = model.terms();
    double[] squares = new double[m];
    double[] f = new double[m];
    double[] p = new double[m];
    for (int t = 0; t < m; t++) {
      int width = model.to(t) - model.from(t);
      squares[t] = Math.max(0, data.rss(data.without(t)) - error);
      if (df > 0) {
        double noise = Math.max(error / df, Double.MIN_NORMAL);
        f[t] = Math.min(SUREST, squares[t] / width / noise);
        p[t] = 1 - new FDistribution(width, df).cumulativeProbability(f[t]);
      }
    }
    double[] adjusted = MultipleTesting.holm(p);
    List<LevelEffects.Term> terms = new ArrayList<>();
    for (int t = 0; t < m; t++) {
      terms.add(
          new LevelEffects.Term(
              model.name(t),
              model.to(t) - model.from(t),
              squares[t],
              total > 0 ? squares[t] / total : 0,
              df > 0 ? OptionalDouble.of(f[t]) : OptionalDouble.empty(),
              df > 0 ? OptionalDouble.of(p[t]) : OptionalDouble.empty(),
              df > 0 && adjusted[t] < SIGNIFICANT));
    }
    terms.sort(Comparator.comparingDouble(term -> -term.sumOfSquares()));
    return terms;
  }

  private List<CellMean> levelMeans(double[] coefficients, double variance, int df) {
    RealMatrix gram = data.matrix(data.allColumns());
    RealMatrix inverse =
        new SingularValueDecomposition(gram.transposeMultiply(gram)).getSolver().getInverse();
    List<CellMean> means = new ArrayList<>();
    for (int f = 0; f < data.factors().size(); f++) {
      Factor factor = data.factors().get(f);
      for (int level = 0; level < factor.levels().size(); level++) {
        double[] at = new double[data.parameters()];
        at[0] = 1;
        double[] code = ModelMatrix.code(level, factor.levels().size());
        System.arraycopy(code, 0, at, model.from(f), code.length);
        double mean = IntStream.range(0, at.length).mapToDouble(i -> at[i] * coefficients[i]).sum();
        double error = Math.sqrt(Math.max(0, variance * dot(at, inverse.operate(at))));
        means.add(
            new CellMean(
                Map.of(factor.name(), factor.levels().get(level)), estimate(mean, error, df)));
      }
    }
    return means;
  }

  private static double dot(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
  }

  private Estimate estimate(double mean, double error, int df) {
    ResponseScale scale = options.scale();
    if (df == 0) {
      return Estimate.unreplicated(scale.back(mean), options.unit());
    }
    double half = StudentT.twoSided(options.confidence(), df) * error;
    return new Estimate(
        scale.back(mean),
        scale.back(mean - half),
        scale.back(mean + half),
        options.confidence(),
        y.length,
        options.unit());
  }
}
