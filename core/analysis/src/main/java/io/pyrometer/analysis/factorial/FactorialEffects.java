package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.MultipleTesting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What a two-level experiment showed. Where runs of a block share starts of processes, effects that
 * are constant within the starts are judged by how much they vary over the blocks, and all others
 * by what is left (the two strata of a split plot).
 */
public final class FactorialEffects {
  private static final double SIGNIFICANT = 0.05;

  private final FactorialData data;
  private final FactorialOptions options;
  private final TwoLevelDesign design;
  private final Contrasts contrasts;
  private final int df;
  private final double blocks;
  private final double error;
  private final double total;

  /** Degrees of freedom and error of the effects that are constant within starts of processes. */
  private final int dfOfStarts;

  private final double errorOfStarts;
  private final Optional<Lenth> lenth;
  private final List<Effect> effects;
  private final List<OutlyingRun> outlyingRuns;

  private FactorialEffects(FactorialData data, FactorialOptions given) {
    this.data = data;
    options = data.blocked() ? given : given.keepingBlocks();
    design = data.design();
    contrasts = new Contrasts(data, options.scale());
    List<Integer> words = design.representatives();
    int n = design.runs();
    int r = data.replicates();
    boolean removing = options.removeBlocks() && r > 1 && n > 1;
    df = (removing ? n - 1 : n) * (r - 1);
    blocks = removing ? contrasts.betweenBlocks() : 0;
    double within = contrasts.withinRuns();
    error = r > 1 ? Math.max(0, within - blocks) : 0;
    total = within + words.stream().mapToDouble(contrasts::sumOfSquares).sum();
    if (!(total > 0)) {
      throw new BadDataException("The response does not vary, so no factor can explain it.");
    }
    List<Integer> ofStarts = words.stream().filter(data::isConstantWithinStarts).toList();
    dfOfStarts = ofStarts.size() * (r - 1);
    errorOfStarts = ofStarts.stream().mapToDouble(contrasts::betweenBlocks).sum();
    double[] sizes = words.stream().mapToDouble(word -> 2 * contrasts.q(word)).toArray();
    lenth = Lenth.of(sizes, options.confidence());
    effects = effects(words);
    outlyingRuns = OutlyingRun.find(contrasts, design, options);
  }

  /**
   * Analyses an experiment.
   *
   * @throws BadDataException if the response has no logarithm where one is asked for
   */
  public static FactorialEffects of(FactorialData data, FactorialOptions options) {
    return new FactorialEffects(data, options);
  }

  private List<Effect> effects(List<Integer> words) {
    double[] p = words.stream().mapToDouble(w -> df > 0 ? contrast(w).p() : 1).toArray();
    double[] adjusted = MultipleTesting.holm(p);
    List<Effect> found = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      found.add(effect(words.get(i), p[i], adjusted[i]));
    }
    found.sort(Comparator.comparingDouble(effect -> Math.abs(effect.size())));
    Collections.reverse(found);
    return List.copyOf(found);
  }

  private Contrast contrast(int word) {
    return judged(contrasts.q(word), 1, data.isConstantWithinStarts(word));
  }

  /**
   * A value by its stratum of the error.
   *
   * @param share of all values that it is the mean of
   */
  private Contrast judged(double value, double share, boolean ofStarts) {
    int free = ofStarts ? dfOfStarts : df - dfOfStarts;
    double squares = ofStarts ? errorOfStarts : Math.max(0, error - errorOfStarts);
    double values = share * design.runs() * data.replicates();
    return new Contrast(value, free > 0 ? Math.sqrt(squares / free / values) : 0, free);
  }

  /** The standard error of an effect's q: s_e/√(nr) where no starts are shared. */
  double standardErrorOfQ(int word) {
    return contrast(word).standardError();
  }

  /** The largest half width of the interval of an effect's q. */
  double widest(double confidence) {
    return design.representatives().stream()
        .mapToDouble(word -> contrast(word).halfWidth(confidence))
        .max()
        .orElseThrow();
  }

  private Effect effect(int word, double p, double adjusted) {
    double q = contrasts.q(word);
    double squares = contrasts.sumOfSquares(word);
    Estimate estimate =
        replicated()
            ? contrast(word).estimate(options.confidence(), data.replicates(), "")
            : lenth
                .map(l -> options.estimate(q, l.me() / 2, data.replicates(), ""))
                .orElseGet(() -> Estimate.unreplicated(q, ""));
    boolean active =
        replicated()
            ? adjusted < SIGNIFICANT
            : lenth.filter(limits -> Math.abs(2 * q) > limits.sme()).isPresent();
    return new Effect(
        design.chain(word),
        estimate,
        options.changed(estimate.times(2, options.unit())),
        squares,
        squares / total,
        replicated() ? OptionalDouble.of(p) : OptionalDouble.empty(),
        replicated() ? OptionalDouble.of(adjusted) : OptionalDouble.empty(),
        lenth.map(limits -> 2 * q / limits.pse()).orElse(0.0),
        active);
  }

  /** As analysed. */
  public FactorialData data() {
    return data;
  }

  /** How it was analysed. */
  public FactorialOptions options() {
    return options;
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

  /** SSE, what neither effects nor blocks explain; 0 without replicates. */
  public double error() {
    return error;
  }

  /** The sum of squares between blocks; 0 where they were left in the error. */
  public double blocks() {
    return blocks;
  }

  /** 0 without replicates. */
  public int errorDegreesOfFreedom() {
    return df;
  }

  /**
   * The limits for effects without replicates, of the means with them; empty for fewer than 7
   * effects.
   */
  public Optional<Lenth> lenth() {
    return lenth;
  }

  /** Whether there is an error to judge effects by. */
  public boolean replicated() {
    return df > 0;
  }

  /** The share of the variation that no effect and no block explains, 0…1. */
  public double unexplained() {
    return error / total;
  }

  /** The runs that do not belong with the others, the farthest first. */
  public List<OutlyingRun> outlyingRuns() {
    return outlyingRuns;
  }

  /** In words, the most important first. */
  public List<Finding> findings() {
    return new FactorialSentences(this).findings();
  }

  /** Letters to share of the variation of y itself, to compare with papers. */
  public Map<String, Double> untransformedShares() {
    Contrasts plain = new Contrasts(data, ResponseScale.PLAIN);
    Map<String, Double> squares = new LinkedHashMap<>();
    for (int word : design.representatives()) {
      squares.put(EffectAliases.letters(word), plain.sumOfSquares(word));
    }
    double explained = squares.values().stream().mapToDouble(Double::doubleValue).sum();
    squares.replaceAll((letters, square) -> square / (plain.withinRuns() + explained));
    return Collections.unmodifiableMap(squares);
  }

  /** The mean of all runs, back on the scale of the response (geometric on ln y). */
  public Estimate mean() {
    return mean(IntStream.range(0, design.runs()).toArray(), dfOfStarts > 0);
  }

  /** The means at both levels of each factor. */
  public List<CellMean> mainMeans() {
    List<CellMean> means = new ArrayList<>();
    for (int f = 0; f < design.factors().size(); f++) {
      means.add(cell(f, -1, f, -1));
      means.add(cell(f, 1, f, 1));
    }
    return means;
  }

  /** The four means of each pair of factors. */
  public List<List<CellMean>> interactionMeans() {
    List<List<CellMean>> pairs = new ArrayList<>();
    for (int a = 0; a < design.factors().size(); a++) {
      for (int b = a + 1; b < design.factors().size(); b++) {
        if (runsWith(a, 1, b, 1).length > 0 && runsWith(a, 1, b, -1).length > 0) {
          pairs.add(
              List.of(cell(a, -1, b, -1), cell(a, 1, b, -1), cell(a, -1, b, 1), cell(a, 1, b, 1)));
        }
      }
    }
    return pairs;
  }

  private CellMean cell(int a, int signA, int b, int signB) {
    Map<String, String> levels = new LinkedHashMap<>();
    levels.put(design.factors().get(a).name(), level(a, signA));
    levels.put(design.factors().get(b).name(), level(b, signB));
    boolean ofStarts = data.isConstantWithinStarts(1 << a) || data.isConstantWithinStarts(1 << b);
    return new CellMean(levels, mean(runsWith(a, signA, b, signB), ofStarts));
  }

  private String level(int factor, int sign) {
    return sign < 0 ? design.factors().get(factor).low() : design.factors().get(factor).high();
  }

  private int[] runsWith(int a, int signA, int b, int signB) {
    return IntStream.range(0, design.runs())
        .filter(run -> design.sign(run, a) == signA && design.sign(run, b) == signB)
        .toArray();
  }

  /** The mean of a share of all values has the standard error of q over the root of that share. */
  private Estimate mean(int[] runs, boolean ofStarts) {
    double mean =
        IntStream.of(runs).mapToDouble(run -> contrasts.runMeans[run]).average().orElseThrow();
    if (!replicated()) {
      return Estimate.unreplicated(options.scale().back(mean), options.unit());
    }
    double share = runs.length / (double) design.runs();
    double half = judged(mean, share, ofStarts).halfWidth(options.confidence());
    return options.back(
        options.estimate(mean, half, runs.length * data.replicates(), options.unit()));
  }

  /**
   * What one chain of aliased effects does to the response.
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
