package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Percentiles of latency with the right to be shown: at least ten operations must lie beyond, so
 * p99 takes 1,000 and p99.9 takes 10,000.
 */
public final class Percentiles {
  /** Operations that must lie beyond a percentile. */
  public static final int BEYOND = 10;

  /** From this many replicates on a bootstrap covers what it promises. */
  private static final int BOOTSTRAP_FROM = 10;

  private static final int RESAMPLES = 999;

  private Percentiles() {}

  /** The least number of operations for a percentile below 100. */
  public static long samplesNeeded(double percent) {
    if (!(percent >= 0 && percent < 100)) {
      throw BadDataException.of(
          "A percentile to be estimated lies from 0 to below 100, not at %s; give the maximum as"
              + " such.",
          percent);
    }
    double share = Math.max(Math.min(percent, 100 - percent), percent < 50 ? 1 : 0) / 100;
    return (long) Math.ceil(BEYOND / share - 1e-6);
  }

  /**
   * The percentile of all replicates' operations together. With ten replicates or more its interval
   * is a percentile bootstrap over whole replicates, with fewer a log-t interval over the
   * replicates' own percentiles (widened to hold the merged one), of one there is none.
   *
   * @param replicates one counts a replicate
   * @param random decides the resamples
   * @return empty if there are fewer than {@link #samplesNeeded} operations
   * @throws BadDataException if there is no replicate, or one holds no operation
   */
  public static Optional<Estimate> estimate(
      List<LatencyCounts> replicates,
      double percent,
      String unit,
      double confidence,
      RandomGenerator random) {
    return Optional.ofNullable(
        estimates(
                replicates,
                LatencyCounts.merged(replicates),
                List.of(percent),
                unit,
                confidence,
                random)
            .get(percent));
  }

  /**
   * Several percentiles of the same operations, each as {@link #estimate} has it.
   *
   * @param merged the replicates together
   * @param percents each from 0 to below 100
   * @return by percent; without those that there are too few operations for
   */
  public static Map<Double, Estimate> estimates(
      List<LatencyCounts> replicates,
      LatencyCounts merged,
      List<Double> percents,
      String unit,
      double confidence,
      RandomGenerator random) {
    Samples.confidence(confidence);
    int n = replicates.size();
    double[] known =
        percents.stream()
            .mapToDouble(Double::doubleValue)
            .filter(percent -> merged.count() >= samplesNeeded(percent))
            .toArray();
    double[][] ends =
        n >= BOOTSTRAP_FROM
            ? bootstrap(replicates, merged, known, confidence, random)
            : logT(replicates, known, confidence);
    Map<Double, Estimate> estimates = new LinkedHashMap<>();
    for (int i = 0; i < known.length; i++) {
      double value = (double) merged.percentile(known[i]);
      estimates.put(
          known[i],
          n == 1
              ? Estimate.unreplicated(value, unit)
              : new Estimate(
                  value,
                  Math.min(value, ends[i][0]),
                  Math.max(value, ends[i][1]),
                  confidence,
                  n,
                  unit));
    }
    return estimates;
  }

  private static double[][] logT(
      List<LatencyCounts> replicates, double[] percents, double confidence) {
    if (replicates.size() < 2) {
      return new double[percents.length][2];
    }
    return Arrays.stream(percents)
        .mapToObj(percent -> logT(replicates, percent, confidence))
        .toArray(double[][]::new);
  }

  private static double[] logT(List<LatencyCounts> replicates, double percent, double confidence) {
    double[] logs =
        replicates.stream().mapToDouble(t -> Math.log1p((double) t.percentile(percent))).toArray();
    double error = Math.sqrt(Samples.variance(logs) / logs.length);
    double half = StudentT.twoSided(confidence, logs.length - 1.0) * error;
    double mean = Samples.mean(logs);
    return new double[] {Math.max(0, Math.expm1(mean - half)), Math.expm1(mean + half)};
  }

  private static double[][] bootstrap(
      List<LatencyCounts> replicates,
      LatencyCounts merged,
      double[] percents,
      double confidence,
      RandomGenerator random) {
    double[][] resampled =
        new Resamples(replicates, merged, percents).percentiles(RESAMPLES, random);
    int cut = (int) Math.floor((1 - confidence) / 2 * (RESAMPLES + 1));
    int low = Math.max(0, cut - 1);
    int high = Math.min(RESAMPLES - 1, RESAMPLES - cut);
    return Arrays.stream(resampled)
        .map(ascending -> new double[] {ascending[low], ascending[high]})
        .toArray(double[][]::new);
  }

  /** Why a percentile is not shown. */
  public static Finding tooFew(double percent, long operations) {
    return Finding.notice(
        Finding.Kind.LATENCY,
        "p%s is not shown: there were %s, and %s are needed."
            .formatted(
                Figures.plain(percent),
                Figures.count(operations, "operation"),
                Figures.plain((double) samplesNeeded(percent))),
        "A longer trial, a higher rate, or more replicates.");
  }
}
