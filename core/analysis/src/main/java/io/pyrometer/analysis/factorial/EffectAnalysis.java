package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.blocks.LeastSquares;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.factorial.FactorialEffects.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects.Extremes;
import io.pyrometer.analysis.factorial.FactorialEffects.Outlying;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes {@link FactorialEffects}. */
final class EffectAnalysis {
  private static final double SIGNIFICANT = 0.05;

  /** A smaller share of the variation than this is no effect of a term. */
  private static final double ROUNDING = 1e-20;

  private static final LeastSquares.Test NONE = new LeastSquares.Test(0, 1, 1, 1);

  private final AnalysisOptions options;
  private final LevelData data;
  private final Optional<TwoLevelDesign> design;
  private final ModelMatrix model;
  private final double[] y;
  private final int df;

  /** Empty where there are as many parameters as values. */
  private final Optional<Strata> fit;

  /** The effects of an orthogonal design without replicates, by term. */
  private final Optional<double[]> screened;

  private final Optional<Lenth> lenth;

  EffectAnalysis(LevelData data, Optional<TwoLevelDesign> design, AnalysisOptions options) {
    this.options = options;
    this.data = data;
    this.design = design;
    this.model = data.model;
    this.y = data.y;
    refuseUnfit();
    df = data.errorDegreesOfFreedom();
    fit = df == 0 ? Optional.empty() : Optional.of(data.strata());
    screened = df == 0 ? data.screenedEffects() : Optional.empty();
    lenth = screened.flatMap(effects -> Lenth.of(effects));
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

  FactorialEffects analyze() {
    double error = data.rss(data.allColumns());
    double within = data.rss(new int[] {0});
    double total = design.isPresent() ? Samples.sumOfSquares(y) : within;
    List<Term> terms = terms(error, total);
    return new FactorialEffects(
        options,
        design,
        terms,
        levelMeans(),
        design.map(of -> pairMeans(of.factors())).orElse(List.of()),
        total,
        total - within > 1e-12 * total ? total - within : 0,
        error,
        df,
        outliers(),
        lenth,
        excluded(terms),
        fit.filter(found -> found.ofRows().spreadsDiffer()).isPresent());
  }

  private List<Outlying> outliers() {
    return fit
        .map(found -> found.ofRows().outliers(SIGNIFICANT))
        .or(() -> screened.filter(effects -> design.isPresent()).map(this::outlyingRuns))
        .orElse(List.of())
        .stream()
        .flatMap(outlier -> outlying(outlier).stream())
        .toList();
  }

  /** Empty where the value does not differ materially. */
  private Optional<Outlying> outlying(LeastSquares.Outlier outlier) {
    int i = outlier.observation();
    double observed = options.scale().back(y[i]);
    double expected = options.scale().back(y[i] - outlier.shift());
    return Optional.of(
            new Outlying(
                data.treatments.get(i),
                fit.isPresent() ? data.block(i) : "",
                observed,
                expected,
                outlier.studentised(),
                outlier.p()))
        .filter(found -> Samples.differMaterially(observed, expected));
  }

  /**
   * Outliers without replicates, judged by the mean, the main effects and the largest interactions,
   * together half as many terms as there are runs.
   */
  private List<LeastSquares.Outlier> outlyingRuns(double[] effects) {
    int[] terms =
        IntStream.range(0, effects.length)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingInt(t -> model.mainEffect(t) < 0 ? 1 : 0)
                    .thenComparingDouble(t -> -Math.abs(effects[t])))
            .limit(y.length / 2 - 1L)
            .mapToInt(model::from)
            .toArray();
    int[] columns = IntStream.concat(IntStream.of(0), IntStream.of(terms)).toArray();
    double[][] x =
        Arrays.stream(data.x)
            .map(row -> IntStream.of(columns).mapToDouble(c -> row[c]).toArray())
            .toArray(double[][]::new);
    return LeastSquares.fit(y, x).outliers(SIGNIFICANT);
  }

  private List<Term> terms(double error, double total) {
    double[] squares =
        IntStream.range(0, model.terms())
            .mapToDouble(t -> Math.max(0, data.rss(data.without(t)) - error))
            .toArray();
    List<Optional<LeastSquares.Test>> tests =
        IntStream.range(0, model.terms())
            .mapToObj(t -> fit.map(found -> squares[t] > ROUNDING * total ? found.test(t) : NONE))
            .toList();
    double[] adjusted =
        MultipleTesting.holm(
            tests.stream()
                .mapToDouble(test -> test.map(LeastSquares.Test::p).orElse(1.0))
                .toArray());
    List<Term> terms = new ArrayList<>();
    for (int t = 0; t < adjusted.length; t++) {
      Optional<LeastSquares.Test> test = tests.get(t);
      int term = t;
      terms.add(
          new Term(
              model.name(t),
              design.map(of -> of.chain(model.word(term))),
              model.width(t),
              squares[t],
              total > 0 ? squares[t] / total : 0,
              design.isPresent() ? OptionalDouble.of(plainShare(t)) : OptionalDouble.empty(),
              test.stream().mapToDouble(LeastSquares.Test::f).findFirst(),
              test.stream().mapToDouble(LeastSquares.Test::p).findFirst(),
              test.isPresent() ? OptionalDouble.of(adjusted[t]) : OptionalDouble.empty(),
              change(t),
              extremes(t),
              test.isPresent() ? adjusted[t] < SIGNIFICANT : passesLenth(t)));
    }
    terms.sort(Comparator.comparingDouble(term -> -term.sumOfSquares()));
    return terms;
  }

  /** A column's share of the variation of the response as it is, of orthogonal columns. */
  private double plainShare(int term) {
    double[] plain = Arrays.stream(y).map(options.scale()::back).toArray();
    double product = data.product(model.from(term), plain);
    return product * product / plain.length / Samples.sumOfSquares(plain);
  }

  private boolean passesLenth(int term) {
    return lenth.isPresent() && Math.abs(screened.orElseThrow()[term]) > lenth.get().sme();
  }

  /** From the first to the second level of factors of two, the others averaged evenly. */
  private Optional<Estimate> change(int term) {
    boolean one = model.width(term) == 1 && (design.isPresent() || model.mainEffect(term) >= 0);
    if (!one) {
      return Optional.empty();
    }
    int replicates = design.map(of -> y.length / of.runs()).orElse(y.length);
    return fit.map(found -> effect(found, term).estimate(Estimate.CONFIDENCE, replicates, unit()))
        .or(() -> screened.map(effects -> unreplicated(effects[term])))
        .map(options::changed);
  }

  private Estimate unreplicated(double effect) {
    return lenth
        .map(Lenth::me)
        .map(me -> new Estimate(effect, effect - me, effect + me, Estimate.CONFIDENCE, 1, unit()))
        .orElseGet(() -> Estimate.unreplicated(effect, unit()));
  }

  private String unit() {
    return options.unit();
  }

  private List<String> levels(int factor) {
    return data.factors.get(factor).levels();
  }

  /** The change from the first to the second level of factors of two. */
  private Contrast effect(Strata found, int term) {
    double[] weights = new double[data.parameters()];
    weights[model.from(term)] = 2 * model.signOfHigh(term);
    return found.contrast(term, weights);
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
  private Optional<Extremes> extremes(int term) {
    int factor = model.mainEffect(term);
    if (factor < 0 || levels(factor).size() == 2) {
      return Optional.empty();
    }
    return fit.map(found -> extremes(found, factor, levels(factor)));
  }

  private Extremes extremes(Strata found, int factor, List<String> levels) {
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
            .estimate(1 - (1 - Estimate.CONFIDENCE) / family, y.length, unit());
    return new Extremes(
        levels.get(largest), levels.get(smallest), options.changed(difference), alike);
  }

  /** As {@link FactorialEffects#excluded}. */
  private OptionalDouble excluded(List<Term> terms) {
    if (design.isEmpty()) {
      return fit.stream().mapToDouble(this::excludedBetweenLevels).findFirst();
    }
    double largest = Math.abs(terms.get(0).size(options.scale()));
    double each = 1 - (1 - Estimate.CONFIDENCE) / terms.size();
    return fit.map(
            found ->
                IntStream.range(0, terms.size())
                    .mapToDouble(t -> largest + effect(found, t).halfWidth(each))
                    .max())
        .orElseGet(() -> lenth.stream().mapToDouble(l -> largest + l.sme()).findFirst());
  }

  /**
   * The difference that no two levels of any factor reach; the family is all pairs of levels of all
   * factors.
   */
  private double excludedBetweenLevels(Strata found) {
    int family = data.factors.stream().mapToInt(f -> pairs(f.levels().size())).sum();
    double confidence = 1 - (1 - Estimate.CONFIDENCE) / family;
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
        Map<String, String> at = Map.of(data.factors.get(f).name(), levels(f).get(level));
        Estimate mean =
            fit.map(found -> levelMean(found, factor, of))
                .orElseGet(() -> Estimate.unreplicated(options.scale().back(mean(at)), unit()));
        means.add(new CellMean(at, mean));
      }
    }
    return means;
  }

  private int[] rows(Map<String, String> at) {
    return IntStream.range(0, y.length)
        .filter(i -> data.treatments.get(i).entrySet().containsAll(at.entrySet()))
        .toArray();
  }

  private double mean(Map<String, String> at) {
    return IntStream.of(rows(at)).mapToDouble(i -> y[i]).average().orElseThrow();
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
    return options.back(ofLevel.estimate(Estimate.CONFIDENCE, y.length, unit()));
  }

  private List<List<CellMean>> pairMeans(List<Factor> factors) {
    List<List<CellMean>> pairs = new ArrayList<>();
    for (int a = 0; a < factors.size(); a++) {
      for (int b = a + 1; b < factors.size(); b++) {
        List<CellMean> four = new ArrayList<>();
        for (String ofB : factors.get(b).levels()) {
          for (String ofA : factors.get(a).levels()) {
            Map<String, String> at = new LinkedHashMap<>();
            at.put(factors.get(a).name(), ofA);
            at.put(factors.get(b).name(), ofB);
            four.add(new CellMean(at, pairMean(at, a, b)));
          }
        }
        pairs.add(four);
      }
    }
    return pairs;
  }

  /** The mean of a share of all values has the error of half an effect over that share's root. */
  private Estimate pairMean(Map<String, String> at, int a, int b) {
    int values = rows(at).length;
    double widening = Math.sqrt((double) y.length / values) / 2;
    return fit.stream()
        .flatMap(found -> Stream.of(effect(found, a), effect(found, b)))
        .min(Comparator.comparingDouble(Contrast::degreesOfFreedom))
        .map(q -> new Contrast(mean(at), q.standardError() * widening, q.degreesOfFreedom()))
        .map(mean -> mean.estimate(Estimate.CONFIDENCE, values, unit()))
        .map(options::back)
        .orElseGet(() -> Estimate.unreplicated(options.scale().back(mean(at)), unit()));
  }
}
