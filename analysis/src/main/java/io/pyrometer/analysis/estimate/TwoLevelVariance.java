package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.Map;

/**
 * Where the spread comes from: within a replicate's processes, or between replicates (Kalibera and
 * Jones, Rigorous benchmarking in reasonable time, 2013).
 *
 * @param mean of the replicates' means with its t interval on them
 * @param withinReplicates T₁² = S₁², the mean variance of the values within a replicate, unit²
 * @param ofReplicateMeans S₂², the variance of the replicates' means, unit²
 * @param betweenReplicates T₂² = S₂² − S₁²/r₁, unit²; below 0 where none is seen
 * @param valuesPerReplicate r₁
 */
public record TwoLevelVariance(
    Estimate mean,
    double withinReplicates,
    double ofReplicateMeans,
    double betweenReplicates,
    int valuesPerReplicate) {

  /**
   * Splits the variance.
   *
   * @param values one row per replicate, at least two, each of the same length of at least two
   * @throws BadDataException otherwise, or if a value is not finite
   */
  public static TwoLevelVariance of(double[][] values, String unit, double confidence) {
    if (values.length < 2) {
      throw new BadDataException(
          "The variance between replicates needs at least 2 replicates; run more.");
    }
    int inner = values[0].length;
    for (double[] row : values) {
      if (Samples.checked(row, 2, "a replicate's iterations").length != inner) {
        throw new BadDataException(
            "The replicates differ in their number of iterations; cut them to the same length.");
      }
    }
    double[] means = Arrays.stream(values).mapToDouble(Samples::mean).toArray();
    double within = Arrays.stream(values).mapToDouble(Samples::variance).average().orElseThrow();
    double ofMeans = Samples.variance(means);
    Estimate mean = Means.arithmetic(means, unit, confidence);
    return new TwoLevelVariance(mean, within, ofMeans, ofMeans - within / inner, inner);
  }

  /**
   * The number of iterations within a replicate that gives the narrowest interval for a given time:
   * ⌈√(c₂T₁²/(c₁T₂²))⌉.
   *
   * @param iterationCost c₁, for example in seconds
   * @param replicateCost c₂, of starting a replicate, in the same unit
   * @param most the answer where nothing is seen between replicates, so that starting more of them
   *     gains nothing
   */
  public int bestInnerLength(double iterationCost, double replicateCost, int most) {
    if (!(iterationCost > 0 && replicateCost > 0)) {
      throw BadDataException.of(
          "The costs of an iteration (%s) and of a replicate (%s) must be above 0.",
          iterationCost, replicateCost);
    }
    if (betweenReplicates <= 0) {
      return most;
    }
    double raw = Math.sqrt(replicateCost * withinReplicates / (iterationCost * betweenReplicates));
    return (int) Math.min(most, Math.max(1, Math.ceil(raw)));
  }

  /** Whether the spread between replicates is more than that left of a replicate's own mean. */
  public boolean betweenDominates() {
    return betweenReplicates > withinReplicates / valuesPerReplicate;
  }

  /** Which level dominates, and so what to have more of. */
  public Finding finding() {
    String sentence =
        betweenDominates()
            ? "Most of the spread lies between fresh starts of the processes: more replicates"
                + " narrow the interval, longer trials hardly do."
            : "Most of the spread lies within a trial: longer trials narrow the interval as well as"
                + " more replicates do.";
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        sentence,
        Map.of("mean", mean),
        "A split of the variance over more replicates.");
  }
}
