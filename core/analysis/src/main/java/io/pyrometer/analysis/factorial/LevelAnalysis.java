package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.blocks.LeastSquares;
import io.pyrometer.analysis.comparison.MultipleTesting;
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
  private final int df;

  /** Empty where there are as many parameters as values. */
  private final Optional<Strata> fit;

  private final Optional<double[]> screened;
  private final Optional<Lenth> lenth;

  LevelAnalysis(LevelData data, FactorialOptions options) {
    this.options = options;
    this.data = data;
    this.model = data.model;
    this.y = data.y;
    refuseUnfit();
    df = data.errorDegreesOfFreedom();
    fit = df == 0 ? Optional.empty() : Optional.of(data.strata());
    screened = df == 0 ? data.screenedEffects() : Optional.empty();
    lenth = screened.flatMap(effects -> Lenth.of(effects, options.confidence()));
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
    int rank = data.rank(data.allColumns());
    if (rank < p) {
      String inseparable =
          IntStream.range(0, model.terms())
              .map(t -> model.terms() - 1 - t)
              .filter(t -> rank - data.rank(data.without(t)) < model.width(t))
              .mapToObj(model::name)
              .findFirst()
              .orElse("A block");
      throw BadDataException.of(
          "%s is aliased with the other terms in these runs; leave it out or add runs.",
          inseparable);
    }
  }

  LevelEffects analyze() {
    double error = data.rss(data.allColumns());
    double total = data.rss(new int[] {0});
    List<LevelEffects.Term> terms = terms(error, total);
    List<CellMean> means = levelMeans();
    List<LevelEffects.Outlying> outliers =
        fit.stream()
            .flatMap(found -> found.ofRows().outliers(SIGNIFICANT).stream())
            .flatMap(outlier -> outlying(outlier).stream())
            .toList();
    return new LevelEffects(
        options,
        terms,
        means,
        total,
        error,
        df,
        outliers,
        lenth,
        optional(fit.map(this::excluded)),
        fit.filter(found -> found.ofRows().spreadsDiffer()).isPresent());
  }

  private Optional<LevelEffects.Outlying> outlying(LeastSquares.Outlier outlier) {
    int i = outlier.observation();
    return LevelEffects.Outlying.of(
        outlier, data.treatments.get(i), data.block(i), y, options.scale());
  }

  /** The coefficient of a term of factors with two levels; empty where nothing is left over. */
  Optional<Contrast> contrast(int term) {
    double[] weights = new double[data.parameters()];
    weights[model.from(term)] = 1;
    return fit.map(found -> found.contrast(term, weights));
  }

  private List<LevelEffects.Term> terms(double error, double total) {
    List<Optional<LeastSquares.Test>> tests =
        IntStream.range(0, model.terms()).mapToObj(t -> fit.map(found -> found.test(t))).toList();
    double[] adjusted =
        MultipleTesting.holm(
            tests.stream()
                .mapToDouble(test -> test.map(LeastSquares.Test::p).orElse(1.0))
                .toArray());
    List<LevelEffects.Term> terms = new ArrayList<>();
    for (int t = 0; t < adjusted.length; t++) {
      double squares = Math.max(0, data.rss(data.without(t)) - error);
      Optional<LeastSquares.Test> test = tests.get(t);
      terms.add(
          new LevelEffects.Term(
              model.name(t),
              model.width(t),
              squares,
              total > 0 ? squares / total : 0,
              optional(test.map(LeastSquares.Test::f)),
              optional(test.map(LeastSquares.Test::p)),
              test.isPresent() ? OptionalDouble.of(adjusted[t]) : OptionalDouble.empty(),
              change(t),
              extremes(t),
              test.isPresent() ? adjusted[t] < SIGNIFICANT : passesLenth(t)));
    }
    terms.sort(Comparator.comparingDouble(term -> -term.sumOfSquares()));
    return terms;
  }

  private static OptionalDouble optional(Optional<Double> figure) {
    return figure.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  private boolean passesLenth(int term) {
    return lenth.isPresent() && Math.abs(screened.orElseThrow()[term]) > lenth.get().sme();
  }

  /** From the first to the second level of a factor of two, the others averaged evenly. */
  private Optional<Estimate> change(int term) {
    int factor = model.mainEffect(term);
    if (factor < 0 || levels(factor).size() != 2) {
      return Optional.empty();
    }
    Optional<Estimate> change =
        lenth.isPresent()
            ? lenth.map(l -> options.estimate(screened.orElseThrow()[term], l.me(), 1, unit()))
            : fit.map(
                found ->
                    difference(found, factor, 0, 1)
                        .estimate(options.confidence(), y.length, unit()));
    return change.map(options::changed);
  }

  private String unit() {
    return options.unit();
  }

  private List<String> levels(int factor) {
    return data.factors.get(factor).levels();
  }

  private Contrast difference(Strata found, int factor, int from, int to) {
    double[] weights = model.weights(factor, to);
    double[] less = model.weights(factor, from);
    Arrays.setAll(weights, i -> weights[i] - less[i]);
    return found.contrast(factor, weights);
  }

  private static int pairs(int levels) {
    return levels * (levels - 1) / 2;
  }

  /**
   * The largest and the smallest level of a factor of more than two. They are chosen by their
   * figures, so p and interval hold for all its pairs of levels together (Bonferroni).
   */
  private Optional<LevelEffects.Extremes> extremes(int term) {
    int factor = model.mainEffect(term);
    if (factor < 0 || levels(factor).size() == 2) {
      return Optional.empty();
    }
    return fit.map(found -> extremes(found, factor, levels(factor)));
  }

  private LevelEffects.Extremes extremes(Strata found, int factor, List<String> levels) {
    List<Integer> order =
        IntStream.range(0, levels.size())
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    level -> -found.contrast(factor, model.weights(factor, level)).value()))
            .toList();
    int largest = order.get(0);
    int smallest = order.get(levels.size() - 1);
    int family = pairs(levels.size());
    List<String> alike =
        order.stream()
            .skip(1)
            .filter(level -> family * difference(found, factor, level, largest).p() >= SIGNIFICANT)
            .map(levels::get)
            .toList();
    Estimate difference =
        difference(found, factor, smallest, largest)
            .estimate(1 - (1 - options.confidence()) / family, y.length, unit());
    return new LevelEffects.Extremes(
        levels.get(largest), levels.get(smallest), options.changed(difference), alike);
  }

  /**
   * The difference that no two levels of any factor reach, on the scale of the analysis; the family
   * is all pairs of levels of all factors.
   */
  private double excluded(Strata found) {
    int family = data.factors.stream().mapToInt(f -> pairs(f.levels().size())).sum();
    double confidence = 1 - (1 - options.confidence()) / family;
    double most = 0;
    for (int f = 0; f < data.factors.size(); f++) {
      for (int one = 0; one < levels(f).size(); one++) {
        for (int other = one + 1; other < levels(f).size(); other++) {
          Contrast difference = difference(found, f, one, other);
          most = Math.max(most, Math.abs(difference.value()) + difference.halfWidth(confidence));
        }
      }
    }
    return most;
  }

  private List<CellMean> levelMeans() {
    List<CellMean> means = new ArrayList<>();
    for (int f = 0; f < data.factors.size(); f++) {
      for (int level = 0; level < levels(f).size(); level++) {
        int factor = f;
        int of = level;
        Estimate mean =
            fit.map(found -> levelMean(found, factor, of)).orElseGet(() -> meanAsSeen(factor, of));
        means.add(new CellMean(Map.of(data.factors.get(f).name(), levels(f).get(level)), mean));
      }
    }
    return means;
  }

  private Estimate meanAsSeen(int factor, int level) {
    int from = model.from(factor);
    double[] code = model.code(factor, level);
    double mean =
        IntStream.range(0, y.length)
            .filter(i -> Arrays.equals(data.x[i], from, from + code.length, code, 0, code.length))
            .mapToDouble(i -> y[i])
            .average()
            .orElseThrow();
    return Estimate.unreplicated(options.scale().back(mean), unit());
  }

  /** The interval is for comparing levels: what blocks have in common is not in it. */
  private Estimate levelMean(Strata found, int factor, int level) {
    double[] weights = model.weights(factor, level);
    Contrast fromTheMean = found.contrast(factor, weights);
    LeastSquares own = found.fit(factor);
    double mean = own.coefficients()[0] + fromTheMean.value();
    double ofMean = Math.sqrt(own.residualVariance() / own.values());
    double error = Math.hypot(fromTheMean.standardError(), ofMean);
    Contrast ofLevel = new Contrast(mean, error, fromTheMean.degreesOfFreedom());
    if (own.spreadsDiffer()) {
      weights[0] = 1;
      ofLevel = found.contrast(factor, weights);
    }
    double half = ofLevel.halfWidth(options.confidence());
    return options.back(options.estimate(mean, half, y.length, unit()));
  }
}
