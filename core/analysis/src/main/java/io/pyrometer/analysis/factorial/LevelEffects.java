package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.blocks.LeastSquares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The effects of factors of any number of levels, from any set of runs: a linear model of main
 * effects and chosen interactions, fitted with blocks as fixed effects where they are complete, and
 * as random ones ({@link io.pyrometer.analysis.blocks.LeastSquares}) where cells are missing or
 * trials share starts of processes (a split plot). {@link FactorialEffects} adds the aliases of
 * regular designs of two levels; saturated screens of two levels are judged by {@link Lenth}.
 *
 * @param terms the largest share first
 * @param levelMeans the mean at each level of each factor, the others averaged evenly
 * @param total the sum of squares around the mean (and around the blocks, where they are removed)
 * @param error what the model leaves
 * @param outliers values that do not belong with the others, the farthest first
 * @param lenth the limits for the effects of a screen that was made once
 * @param excluded the size on the scale of the analysis from which on a difference between two
 *     levels is excluded, all factors together; empty without an error
 * @param spreadsDiffer whether each treatment has a variance of its own
 */
public record LevelEffects(
    FactorialOptions options,
    List<Term> terms,
    List<CellMean> levelMeans,
    double total,
    double error,
    int errorDegreesOfFreedom,
    List<Outlying> outliers,
    Optional<Lenth> lenth,
    OptionalDouble excluded,
    boolean spreadsDiffer) {
  /**
   * A factor or an interaction.
   *
   * @param name for example {@code nodes} or {@code nodes × mode}
   * @param degreesOfFreedom the number of its parameters
   * @param sumOfSquares what leaving it out adds to the error
   * @param share of the total, 0…1; shares add up to less or more than the explained part where the
   *     runs are not balanced
   * @param f its mean square over the error's; empty without an error
   * @param p of so large an f, of this term alone
   * @param adjustedP p adjusted for all terms by Holm
   * @param change from the first to the second level of a factor of two, with its interval: a ratio
   *     on ln y, a difference on y; empty of other terms
   * @param extremes of a factor of more levels; empty of other terms and without an error
   * @param active whether the adjusted p is below 0.05
   */
  public record Term(
      String name,
      int degreesOfFreedom,
      double sumOfSquares,
      double share,
      OptionalDouble f,
      OptionalDouble p,
      OptionalDouble adjustedP,
      Optional<Estimate> change,
      Optional<Extremes> extremes,
      boolean active) {}

  /**
   * The ends of a factor's levels, by their means.
   *
   * @param difference largest against smallest: a ratio on ln y, a difference on y; its interval
   *     holds for all pairs of the factor's levels together
   * @param alike the other levels that are not significantly different from the largest, largest
   *     first
   */
  public record Extremes(
      String largest, String smallest, Estimate difference, List<String> alike) {}

  /**
   * A value that does not belong with the others.
   *
   * @param treatment its levels by factor
   * @param block empty where values share no blocks
   * @param expected what the others predict in its place
   * @param studentised its externally studentised residual
   * @param p corrected for the number of values (Bonferroni)
   */
  public record Outlying(
      Map<String, String> treatment,
      String block,
      double observed,
      double expected,
      double studentised,
      double p) {
    /** Empty where the values do not differ materially. */
    static Optional<Outlying> of(
        LeastSquares.Outlier outlier,
        Map<String, String> treatment,
        String block,
        double[] y,
        ResponseScale scale) {
      double value = y[outlier.observation()];
      double observed = scale.back(value);
      double expected = scale.back(value - outlier.shift());
      return Samples.differMaterially(observed, expected)
          ? Optional.of(
              new Outlying(
                  treatment, block, observed, expected, outlier.studentised(), outlier.p()))
          : Optional.empty();
    }
  }

  /**
   * Analyses observations.
   *
   * @param interactions to be told from their factors' main effects, for example {@code nodes*mode}
   * @throws BadDataException if a factor has one level, there are fewer values than parameters, the
   *     response is constant, or a term is aliased or confounded with blocks or starts
   */
  public static LevelEffects of(
      List<Observation> observations,
      List<String> factors,
      List<String> interactions,
      String response,
      FactorialOptions options) {
    List<Factor> of = Factor.of(Treatment.group(observations, factors, response), factors);
    List<int[]> terms = new ArrayList<>();
    IntStream.range(0, of.size()).forEach(f -> terms.add(new int[] {f}));
    interactions.forEach(
        text -> terms.add(EffectAliases.factors(EffectAliases.parse(text, of)).toArray()));
    return new LevelAnalysis(new LevelData(observations, of, terms, response, options), options)
        .analyze();
  }
}
