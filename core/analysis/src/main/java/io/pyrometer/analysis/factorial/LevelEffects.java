package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What factors of any number of levels do, from any set of runs: a linear model of main effects and
 * chosen interactions, fitted with blocks as fixed effects where they are complete, and as random
 * ones ({@link io.pyrometer.analysis.blocks.LeastSquares}) where cells are missing or trials share
 * starts of processes (a split plot). For designs that {@link FactorialEffects} cannot take: more
 * than two levels, D-optimal or incomplete sets of runs, and saturated screens of two levels, whose
 * effects are judged by {@link Lenth}.
 *
 * @param terms the largest share first
 * @param levelMeans the mean at each level of each factor, the others averaged evenly
 * @param total the sum of squares around the mean (and around the blocks, where they are removed)
 * @param error what the model leaves
 * @param outliers values that do not belong with the others, the farthest first
 * @param findings in words
 */
public record LevelEffects(
    FactorialOptions options,
    List<Term> terms,
    List<CellMean> levelMeans,
    double total,
    double error,
    int errorDegreesOfFreedom,
    List<Outlying> outliers,
    List<Finding> findings) {
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
   * @param treatment its levels, in words
   * @param place its block, in words
   * @param expected what the others predict in its place
   * @param studentised its externally studentised residual
   * @param p corrected for the number of values (Bonferroni)
   */
  public record Outlying(
      String treatment,
      String place,
      double observed,
      double expected,
      double studentised,
      double p) {}

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
    return new LevelAnalysis(
            new LevelData(observations, factors, interactions, response, options), options)
        .analyze();
  }
}
