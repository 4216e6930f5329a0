package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Makes {@link FactorialEffects}. */
final class FactorialAnalysis {
  private static final double SIGNIFICANT = 0.05;

  /** Stands for a t of no error at all: as sure as can be, and finite. */
  private static final double SUREST = 1e150;

  private final FactorialData data;
  private final FactorialOptions options;
  private final Contrasts contrasts;
  private final List<Integer> words;
  private final int n;
  private final int r;
  private final int df;
  private final double blocks;
  private final double error;
  private final double total;
  private final double standardError;
  private final Optional<Lenth> lenth;

  FactorialAnalysis(FactorialData data, FactorialOptions options) {
    this.data = data;
    this.options = options;
    this.contrasts = Contrasts.of(data, options.scale());
    this.words = data.design().representatives();
    this.n = data.design().runs();
    this.r = data.replicates();
    boolean removing = options.removeBlocks() && data.blocked() && r > 1 && n > 1;
    this.df = (removing ? n - 1 : n) * (r - 1);
    this.blocks = removing ? contrasts.betweenBlocks() : 0;
    this.error = r > 1 ? Math.max(0, contrasts.withinRuns() - blocks) : 0;
    this.total = contrasts.withinRuns() + words.stream().mapToDouble(this::sumOfSquares).sum();
    this.standardError = df > 0 ? Math.sqrt(error / df / (n * (double) r)) : 0;
    double[] sizes = words.stream().mapToDouble(word -> 2 * contrasts.q(word)).toArray();
    this.lenth = Lenth.of(sizes, options.confidence());
  }

  private double sumOfSquares(int word) {
    double q = contrasts.q(word);
    return n * (double) r * q * q;
  }

  FactorialEffects analyse() {
    if (!(total > 0)) {
      throw new BadDataException("The response does not vary, so no factor can explain it.");
    }
    CellMeans cells = new CellMeans(data.design(), contrasts, options, r, standardError, df);
    FactorialEffects bare =
        new FactorialEffects(
            data,
            options,
            cells.overall(),
            effects(),
            total,
            error,
            blocks,
            df,
            standardError,
            lenth,
            OutlyingRuns.significant(data, options),
            cells.main(),
            cells.interactions(),
            untransformedShares(),
            List.of());
    return withFindings(bare);
  }

  private static FactorialEffects withFindings(FactorialEffects bare) {
    return new FactorialEffects(
        bare.data(),
        bare.options(),
        bare.mean(),
        bare.effects(),
        bare.total(),
        bare.error(),
        bare.blocks(),
        bare.errorDegreesOfFreedom(),
        bare.standardErrorOfQ(),
        bare.lenth(),
        bare.outlyingRuns(),
        bare.mainMeans(),
        bare.interactionMeans(),
        bare.untransformedShares(),
        FactorialSentences.of(bare));
  }

  private List<Effect> effects() {
    List<Integer> ascending =
        words.stream()
            .sorted(Comparator.comparingDouble(word -> Math.abs(contrasts.q(word))))
            .toList();
    double[] p = ascending.stream().mapToDouble(word -> p(contrasts.q(word))).toArray();
    double[] adjusted = MultipleTesting.holm(p);
    List<Effect> effects = new ArrayList<>();
    for (int i = ascending.size() - 1; i >= 0; i--) {
      double halfNormal = Lenth.halfNormalQuantile(i + 1, ascending.size());
      effects.add(effect(ascending.get(i), adjusted[i], halfNormal));
    }
    return effects;
  }

  private double p(double q) {
    return df > 0 ? StudentT.twoSidedP(t(q), df) : 1;
  }

  private double t(double q) {
    if (standardError > 0) {
      return q / standardError;
    }
    return q == 0 ? 0 : Math.copySign(SUREST, q);
  }

  private Effect effect(int word, double adjusted, double halfNormal) {
    double q = contrasts.q(word);
    boolean active =
        df > 0
            ? adjusted < SIGNIFICANT
            : lenth.map(limits -> Math.abs(2 * q) > limits.sme()).orElse(false);
    Estimate estimate = interval(q);
    return new Effect(
        data.design().chain(word),
        estimate,
        change(estimate),
        sumOfSquares(word),
        sumOfSquares(word) / total,
        df > 0 ? OptionalDouble.of(p(q)) : OptionalDouble.empty(),
        df > 0 ? OptionalDouble.of(adjusted) : OptionalDouble.empty(),
        lenth.map(limits -> 2 * q / limits.pse()).orElse(0.0),
        halfNormal,
        active);
  }

  private Estimate interval(double q) {
    if (df > 0) {
      double half = StudentT.twoSided(options.confidence(), df) * standardError;
      return new Estimate(q, q - half, q + half, options.confidence(), r, "");
    }
    double half = lenth.map(limits -> limits.me() / 2).orElse(0.0);
    double confidence = lenth.isPresent() ? options.confidence() : 0;
    return new Estimate(q, q - half, q + half, confidence, r, "");
  }

  private Estimate change(Estimate q) {
    if (options.scale() == ResponseScale.PLAIN) {
      return q.times(2, options.unit());
    }
    return new Estimate(
        Math.exp(2 * q.value()),
        Math.exp(2 * q.low()),
        Math.exp(2 * q.high()),
        q.confidence(),
        q.replicates(),
        "");
  }

  private Map<String, Double> untransformedShares() {
    Contrasts plain = Contrasts.of(data, ResponseScale.PLAIN);
    double all = plain.withinRuns();
    Map<String, Double> squares = new LinkedHashMap<>();
    for (int word : words) {
      double q = plain.q(word);
      squares.put(EffectAliases.letters(word), n * (double) r * q * q);
      all += n * (double) r * q * q;
    }
    double whole = all;
    squares.replaceAll((letters, square) -> square / whole);
    return squares;
  }
}
