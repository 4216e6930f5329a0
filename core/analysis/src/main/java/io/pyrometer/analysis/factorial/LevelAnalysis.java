package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.MaterialDifference;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.MixedFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Makes {@link LevelEffects}. */
final class LevelAnalysis {
  private static final double SIGNIFICANT = 0.05;

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
    int df = data.errorDegreesOfFreedom();
    double error = data.rss(data.allColumns());
    double total = data.rss(new int[] {0});
    // With as many parameters as values the fit is exact, and nothing is left to judge it by.
    Optional<MixedFit> fit = df == 0 ? Optional.empty() : Optional.of(data.fit());
    List<LevelEffects.Term> terms = terms(fit, error, total);
    List<CellMean> means = levelMeans(fit);
    List<LevelEffects.Outlying> outliers =
        fit.stream()
            .flatMap(found -> found.outliers(SIGNIFICANT).stream())
            .map(this::outlying)
            .filter(each -> MaterialDifference.between(each.observed(), each.expected()))
            .toList();
    Optional<LevelDifferences> differences =
        fit.map(found -> new LevelDifferences(found, data, options));
    return new LevelEffects(
        options,
        terms,
        means,
        total,
        error,
        df,
        outliers,
        new LevelSentences(terms, means, options).of(outliers, differences));
  }

  private LevelEffects.Outlying outlying(MixedFit.Outlier outlier) {
    int i = outlier.observation();
    return new LevelEffects.Outlying(
        data.treatments().get(i),
        data.block().get(i),
        options.scale().back(y[i]),
        options.scale().back(y[i] - outlier.shift()),
        outlier.studentised(),
        outlier.p());
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
          "%s is aliased with the other terms in these runs; leave it out or add runs.",
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

  private List<LevelEffects.Term> terms(Optional<MixedFit> fit, double error, double total) {
    int m = model.terms();
    double[] p = new double[m];
    Arrays.fill(p, 1);
    List<Optional<MixedFit.Test>> tests = new ArrayList<>();
    for (int t = 0; t < m; t++) {
      int term = t;
      Optional<MixedFit.Test> test = fit.map(found -> found.test(weights(found, term)));
      tests.add(test);
      p[t] = test.map(MixedFit.Test::p).orElse(1.0);
    }
    double[] adjusted = MultipleTesting.holm(p);
    List<LevelEffects.Term> terms = new ArrayList<>();
    for (int t = 0; t < m; t++) {
      double squares = Math.max(0, data.rss(data.without(t)) - error);
      Optional<MixedFit.Test> test = tests.get(t);
      terms.add(
          new LevelEffects.Term(
              model.name(t),
              model.to(t) - model.from(t),
              squares,
              total > 0 ? squares / total : 0,
              test.isPresent() ? OptionalDouble.of(test.get().f()) : OptionalDouble.empty(),
              test.isPresent() ? OptionalDouble.of(p[t]) : OptionalDouble.empty(),
              test.isPresent() ? OptionalDouble.of(adjusted[t]) : OptionalDouble.empty(),
              change(fit, t),
              extremes(fit, t),
              test.isPresent() && adjusted[t] < SIGNIFICANT));
    }
    terms.sort(Comparator.comparingDouble(term -> -term.sumOfSquares()));
    return terms;
  }

  private double[][] weights(MixedFit fit, int term) {
    double[][] weights = new double[model.to(term) - model.from(term)][fit.coefficients().length];
    for (int i = 0; i < weights.length; i++) {
      weights[i][model.from(term) + i] = 1;
    }
    return weights;
  }

  /** From the first to the second level of a factor of two, the others averaged evenly. */
  private Optional<Estimate> change(Optional<MixedFit> fit, int term) {
    boolean twoLevels =
        model.factorsOf(term).length == 1
            && data.factors().get(model.factorsOf(term)[0]).levels().size() == 2;
    if (fit.isEmpty() || !twoLevels) {
      return Optional.empty();
    }
    double[] weights = new double[fit.get().coefficients().length];
    // The first level is coded 1, the second −1.
    weights[model.from(term)] = -2;
    String unit = options.scale() == ResponseScale.LN ? "" : options.unit();
    Estimate change = fit.get().contrast(weights).estimate(options.confidence(), y.length, unit);
    return Optional.of(options.scale() == ResponseScale.LN ? change.exp() : change);
  }

  private Optional<LevelEffects.Extremes> extremes(Optional<MixedFit> fit, int term) {
    int[] factors = model.factorsOf(term);
    return factors.length == 1 && data.factors().get(factors[0]).levels().size() > 2
        ? fit.map(found -> new LevelDifferences(found, data, options).extremes(factors[0]))
        : Optional.empty();
  }

  private List<CellMean> levelMeans(Optional<MixedFit> fit) {
    List<CellMean> means = new ArrayList<>();
    for (int f = 0; f < data.factors().size(); f++) {
      Factor factor = data.factors().get(f);
      int from = model.from(f);
      for (int level = 0; level < factor.levels().size(); level++) {
        double[] code = ModelMatrix.code(level, factor.levels().size());
        Estimate mean =
            fit.map(found -> levelMean(found, from, code)).orElseGet(() -> meanAsSeen(from, code));
        means.add(new CellMean(Map.of(factor.name(), factor.levels().get(level)), mean));
      }
    }
    return means;
  }

  private Estimate meanAsSeen(int from, double[] code) {
    double mean =
        IntStream.range(0, y.length)
            .filter(i -> Arrays.equals(data.x()[i], from, from + code.length, code, 0, code.length))
            .mapToDouble(i -> y[i])
            .average()
            .orElseThrow();
    return Estimate.unreplicated(options.scale().back(mean), options.unit());
  }

  /** The interval is for comparing levels: what blocks have in common is not in it. */
  private Estimate levelMean(MixedFit fit, int from, double[] code) {
    double[] at = new double[fit.coefficients().length];
    System.arraycopy(code, 0, at, from, code.length);
    Contrast fromTheMean = fit.contrast(at);
    double mean = fit.coefficients()[0] + fromTheMean.value();
    double error =
        Math.hypot(fromTheMean.standardError(), Math.sqrt(fit.residualVariance() / y.length));
    double half = StudentT.twoSided(options.confidence(), fromTheMean.degreesOfFreedom()) * error;
    return new Estimate(
        options.scale().back(mean),
        options.scale().back(mean - half),
        options.scale().back(mean + half),
        options.confidence(),
        y.length,
        options.unit());
  }
}
