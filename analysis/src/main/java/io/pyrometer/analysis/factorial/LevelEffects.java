package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What factors of any number of levels do, from any set of runs: a linear model of main effects and
 * chosen interactions of two, fitted by least squares. For designs that {@link FactorialEffects}
 * cannot take: more than two levels, D-optimal or incomplete sets of runs.
 *
 * @param terms the largest share first
 * @param levelMeans the mean at each level of each factor, the others averaged evenly
 * @param residuals observed minus fitted on the scale of the analysis, in the order of the runs
 * @param fitted on the scale of the response
 * @param total the sum of squares around the mean (and around the blocks, where they are removed)
 * @param error what the model leaves
 * @param findings in words
 */
public record LevelEffects(
    FactorialOptions options,
    List<Term> terms,
    List<CellMean> levelMeans,
    List<Double> residuals,
    List<Double> fitted,
    double total,
    double error,
    int errorDegreesOfFreedom,
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
   * @param active whether p, adjusted by Holm, is below 0.05
   */
  public record Term(
      String name,
      int degreesOfFreedom,
      double sumOfSquares,
      double share,
      OptionalDouble f,
      OptionalDouble p,
      boolean active) {}

  /** Copies the lists. */
  public LevelEffects {
    terms = List.copyOf(terms);
    levelMeans = List.copyOf(levelMeans);
    residuals = List.copyOf(residuals);
    fitted = List.copyOf(fitted);
    findings = List.copyOf(findings);
  }

  /**
   * Analyses observations.
   *
   * @param interactions of two factors to be told from their main effects, for example {@code
   *     nodes*mode}
   * @throws BadDataException if a factor has one level, there are fewer values than parameters, the
   *     response is constant, or two terms cannot be told apart
   */
  public static LevelEffects of(
      List<Observation> observations,
      List<String> factors,
      List<String> interactions,
      String response,
      FactorialOptions options) {
    LevelData data = LevelData.of(observations, factors, interactions, response, options);
    return new LevelAnalysis(data, options).analyse();
  }
}
