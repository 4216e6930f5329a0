package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.blocks.LeastSquares;
import io.pyrometer.analysis.comparison.MultipleTesting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The effects of a regular design of two levels: the contrasts of {@link LevelEffects} with one
 * term for each chain of aliased effects, half of each the change from low to high.
 */
public final class FactorialEffects {
  private static final double SIGNIFICANT = 0.05;

  private final FactorialData data;
  private final FactorialOptions options;
  private final TwoLevelDesign design;
  private final LevelAnalysis analysis;
  private final LevelEffects levels;
  private final List<Integer> words;

  /** The mean of each run on the scale of the analysis. */
  private final double[] runMeans;

  private final double total;
  private final Optional<Lenth> lenth;
  private final List<Effect> effects;

  private FactorialEffects(
      FactorialData data, List<Observation> rows, String response, FactorialOptions given) {
    this.data = data;
    options = data.blocked() ? given : given.keepingBlocks();
    design = data.design();
    words = design.representatives();
    LevelData laidOut =
        new LevelData(
            rows,
            design.factors(),
            words.stream().map(word -> EffectAliases.factors(word).toArray()).toList(),
            response,
            options);
    analysis = new LevelAnalysis(laidOut, options);
    levels = analysis.analyze();
    total = Samples.sumOfSquares(laidOut.y);
    runMeans = means(options.scale());
    lenth =
        Lenth.of(
            words.stream().mapToDouble(word -> 2 * q(runMeans, word)).toArray(),
            options.confidence());
    double[] p =
        IntStream.range(0, words.size())
            .mapToDouble(i -> contrast(i).map(Contrast::p).orElse(1.0))
            .toArray();
    double[] adjusted = MultipleTesting.holm(p);
    List<Effect> found = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      found.add(effect(i, p[i], adjusted[i]));
    }
    found.sort(Comparator.comparingDouble(effect -> -Math.abs(effect.size())));
    effects = List.copyOf(found);
  }

  /**
   * Analyses an experiment whose every run had a start of processes of its own.
   *
   * @throws BadDataException if the response has no logarithm where one is needed
   */
  public static FactorialEffects of(FactorialData data, FactorialOptions options) {
    return new FactorialEffects(data, data.observations(), FactorialData.RESPONSE, options);
  }

  /**
   * Analyses an experiment with the starts of processes that its observations name.
   *
   * @param rows that the data were taken from
   * @throws BadDataException if an effect cannot be separated from blocks or starts
   */
  public static FactorialEffects of(
      FactorialData data, List<Observation> rows, String response, FactorialOptions options) {
    return new FactorialEffects(data, rows, response, options);
  }

  private double[] means(ResponseScale scale) {
    return Arrays.stream(data.responses())
        .mapToDouble(row -> Samples.mean(Arrays.stream(row).map(scale::forward).toArray()))
        .toArray();
  }

  /** The contrast Σ x_i ȳ_i / n. */
  private double q(double[] means, int word) {
    return IntStream.range(0, means.length)
        .mapToDouble(run -> design.product(run, word) * means[run] / means.length)
        .sum();
  }

  /** An effect's q with its error; empty without replicates. */
  private Optional<Contrast> contrast(int index) {
    double q = q(runMeans, words.get(index));
    return analysis
        .contrast(index)
        .map(c -> new Contrast(q, c.standardError(), c.degreesOfFreedom()));
  }

  private Effect effect(int index, double p, double adjusted) {
    int word = words.get(index);
    double q = q(runMeans, word);
    Estimate estimate =
        contrast(index)
            .map(c -> c.estimate(options.confidence(), data.replicates(), ""))
            .or(() -> lenth.map(l -> options.estimate(q, l.me() / 2, data.replicates(), "")))
            .orElseGet(() -> Estimate.unreplicated(q, ""));
    double squares = design.runs() * (double) data.replicates() * q * q;
    return new Effect(
        design.chain(word),
        estimate,
        options.changed(estimate.times(2, options.unit())),
        squares,
        squares / total,
        replicated() ? OptionalDouble.of(p) : OptionalDouble.empty(),
        replicated() ? OptionalDouble.of(adjusted) : OptionalDouble.empty(),
        lenth.map(limits -> 2 * q / limits.pse()).orElse(0.0),
        replicated()
            ? adjusted < SIGNIFICANT
            : lenth.filter(limits -> Math.abs(2 * q) > limits.sme()).isPresent());
  }

  /** The standard error of an effect's q: s_e/√(nr) where no starts are shared. */
  double standardErrorOfQ(int word) {
    return analysis.contrast(words.indexOf(word)).orElseThrow().standardError();
  }

  /** The experiment. */
  public FactorialData data() {
    return data;
  }

  /** The options of the analysis. */
  public FactorialOptions options() {
    return options;
  }

  /** Level means, outliers and error of the same model. */
  public LevelEffects levels() {
    return levels;
  }

  /** One for each alias chain, the largest |q| first: the order of the Pareto plot. */
  public List<Effect> effects() {
    return effects;
  }

  /** The effect whose chain holds a word of factors, for example {@code BC} or {@code A}. */
  public Effect effect(String letters) {
    return effects.stream()
        .filter(e -> e.chain().terms().stream().anyMatch(t -> t.letters().equals(letters)))
        .findFirst()
        .orElseThrow(() -> BadDataException.of("This design has no effect %s.", letters));
  }

  /** SST, the sum of squares around the mean on the scale of the analysis. */
  public double total() {
    return total;
  }

  /** The sum of squares between blocks; 0 where they were left in the error. */
  public double blocks() {
    double between = total - levels.total();
    return between > 1e-12 * total ? between : 0;
  }

  /**
   * The limits for effects without replicates, of the means with them; empty for fewer than 7
   * effects.
   */
  public Optional<Lenth> lenth() {
    return lenth;
  }

  /** True where there is an error to judge effects by. */
  public boolean replicated() {
    return levels.errorDegreesOfFreedom() > 0;
  }

  /** The share of the variation that no effect and no block explains, 0…1. */
  public double unexplained() {
    return replicated() ? levels.error() / total : 0;
  }

  /**
   * The size on the scale of the analysis from which on every effect is excluded, all effects
   * together; empty where nothing shows the noise.
   */
  public OptionalDouble excluded() {
    double largest = Math.abs(effects.get(0).size());
    if (!replicated()) {
      return lenth.map(l -> OptionalDouble.of(largest + l.sme())).orElse(OptionalDouble.empty());
    }
    double each = 1 - (1 - options.confidence()) / words.size();
    return IntStream.range(0, words.size())
        .mapToDouble(i -> largest + 2 * analysis.contrast(i).orElseThrow().halfWidth(each))
        .max();
  }

  /**
   * The values that do not belong with the others, the farthest first. Without replicates they are
   * judged by the mean, the main effects and the largest interactions, together half as many terms
   * as there are runs.
   */
  public List<LevelEffects.Outlying> outliers() {
    if (data.replicates() > 1) {
      return levels.outliers();
    }
    List<Integer> terms =
        words.stream()
            .sorted(
                Comparator.<Integer>comparingInt(word -> Integer.bitCount(word) == 1 ? 0 : 1)
                    .thenComparingDouble(word -> -Math.abs(q(runMeans, word))))
            .limit(design.runs() / 2 - 1)
            .toList();
    double[][] x = new double[design.runs()][terms.size() + 1];
    for (int run = 0; run < x.length; run++) {
      x[run][0] = 1;
      for (int t = 0; t < terms.size(); t++) {
        x[run][t + 1] = design.product(run, terms.get(t));
      }
    }
    return LeastSquares.fit(runMeans, x).outliers(SIGNIFICANT).stream()
        .map(
            outlier ->
                LevelEffects.Outlying.of(
                    outlier, design.levels(outlier.observation()), "", runMeans, options.scale()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Letters to share of the variation of y itself, to compare with papers. */
  public Map<String, Double> untransformedShares() {
    double[] means = means(ResponseScale.PLAIN);
    Map<String, Double> shares = new LinkedHashMap<>();
    double of =
        Samples.sumOfSquares(
            Arrays.stream(data.responses()).flatMapToDouble(Arrays::stream).toArray());
    for (int word : words) {
      double q = q(means, word);
      shares.put(
          EffectAliases.letters(word), design.runs() * (double) data.replicates() * q * q / of);
    }
    return Collections.unmodifiableMap(shares);
  }

  /** The mean of all runs, back on the scale of the response (geometric on ln y). */
  public Estimate mean() {
    return mean(IntStream.range(0, design.runs()).toArray(), List.of(0));
  }

  /** The means at both levels of each factor. */
  public List<CellMean> mainMeans() {
    return levels.levelMeans();
  }

  /** The four means of each pair of factors. */
  public List<List<CellMean>> interactionMeans() {
    List<List<CellMean>> pairs = new ArrayList<>();
    for (int a = 0; a < design.factors().size(); a++) {
      for (int b = a + 1; b < design.factors().size(); b++) {
        pairs.add(
            List.of(cell(a, -1, b, -1), cell(a, 1, b, -1), cell(a, -1, b, 1), cell(a, 1, b, 1)));
      }
    }
    return pairs;
  }

  private CellMean cell(int a, int signA, int b, int signB) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(design.factors().get(a).name(), level(a, signA));
    at.put(design.factors().get(b).name(), level(b, signB));
    int[] runs =
        IntStream.range(0, design.runs())
            .filter(run -> design.sign(run, a) == signA && design.sign(run, b) == signB)
            .toArray();
    return new CellMean(at, mean(runs, List.of(a, b)));
  }

  private String level(int factor, int sign) {
    return sign < 0 ? design.factors().get(factor).low() : design.factors().get(factor).high();
  }

  /** The mean of a share of all values has the standard error of q over the root of that share. */
  private Estimate mean(int[] runs, List<Integer> terms) {
    double mean = IntStream.of(runs).mapToDouble(run -> runMeans[run]).average().orElseThrow();
    double share = runs.length / (double) design.runs();
    return terms.stream()
        .flatMap(term -> analysis.contrast(term).stream())
        .min(Comparator.comparingDouble(Contrast::degreesOfFreedom))
        .map(
            q ->
                new Contrast(mean, q.standardError() / Math.sqrt(share), q.degreesOfFreedom())
                    .estimate(
                        options.confidence(), runs.length * data.replicates(), options.unit()))
        .map(options::back)
        .orElseGet(() -> Estimate.unreplicated(options.scale().back(mean), options.unit()));
  }

  /**
   * The effect of one chain of aliased effects on the response.
   *
   * @param chain the effects that are measured together; the first names them
   * @param q half the change from low to high, on the scale of the analysis; the interval is that
   *     of the replicates, or Lenth's without them
   * @param change from low to high: a ratio on ln y, a difference on y
   * @param sumOfSquares n·r·q²
   * @param share of the total variation, 0…1
   * @param p two-sided, of this effect alone; empty without replicates
   * @param adjustedP adjusted for all effects by Holm; empty without replicates
   * @param lenthT 2q over Lenth's pseudo standard error; 0 where there is none
   * @param active whether it is statistically significant
   */
  public record Effect(
      AliasChain chain,
      Estimate q,
      Estimate change,
      double sumOfSquares,
      double share,
      OptionalDouble p,
      OptionalDouble adjustedP,
      double lenthT,
      boolean active) {
    /** 2q: the whole change from low to high on the scale of the analysis. */
    public double size() {
      return 2 * q.value();
    }
  }
}
