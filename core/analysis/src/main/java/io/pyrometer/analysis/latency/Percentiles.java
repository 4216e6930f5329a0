package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
          "A percentile to be estimated lies from 0 to below 100, not at %s; give the maximum as such.",
          percent);
    }
    double share = Math.max(Math.min(percent, 100 - percent), percent < 50 ? 1 : 0) / 100;
    return (long) Math.ceil(BEYOND / share - 1e-6);
  }

  /**
   * Percentiles of all replicates' operations together. With ten replicates or more their interval
   * is a percentile bootstrap over whole replicates, with fewer a log-t interval over the
   * replicates' own percentiles (widened to hold the merged one), of one there is none.
   *
   * @param replicates one counts a replicate
   * @param merged the replicates together
   * @param percents each from 0 to below 100
   * @param random decides the resamples
   * @return by percent; without those that have fewer than {@link #samplesNeeded} operations
   * @throws BadDataException if a replicate holds no operation
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
    double[][] resampled = resampled(replicates, merged, percents, random);
    int cut = (int) Math.floor((1 - confidence) / 2 * (RESAMPLES + 1));
    int low = Math.max(0, cut - 1);
    int high = Math.min(RESAMPLES - 1, RESAMPLES - cut);
    return Arrays.stream(resampled)
        .map(ascending -> new double[] {ascending[low], ascending[high]})
        .toArray(double[][]::new);
  }

  /**
   * Of each percentile the values in sets of replicates drawn anew with replacement, ascending; the
   * sets are the same. Each value is searched by halving among the latencies, by how many
   * operations of each replicate took at most that long, so that nothing is merged.
   */
  private static double[][] resampled(
      List<LatencyCounts> replicates,
      LatencyCounts merged,
      double[] percents,
      RandomGenerator random) {
    long[][] upTo = new long[merged.size()][replicates.size()];
    for (int r = 0; r < replicates.size(); r++) {
      LatencyCounts counts = replicates.get(r);
      int next = 0;
      long seen = 0;
      for (int v = 0; v < upTo.length; v++) {
        while (next < counts.size() && counts.value(next) <= merged.value(v)) {
          seen += counts.times(next++);
        }
        upTo[v][r] = seen;
      }
    }
    double[][] percentiles = new double[percents.length][RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      long[] drawn = new long[replicates.size()];
      for (int k = 0; k < drawn.length; k++) {
        drawn[random.nextInt(drawn.length)]++;
      }
      for (int p = 0; p < percents.length; p++) {
        long wanted = LatencyCounts.rank(percents[p], sum(drawn, upTo[upTo.length - 1]));
        int low = 0;
        int high = upTo.length - 1;
        while (low < high) {
          int middle = (low + high) >>> 1;
          if (sum(drawn, upTo[middle]) >= wanted) {
            high = middle;
          } else {
            low = middle + 1;
          }
        }
        percentiles[p][i] = (double) merged.value(low);
      }
    }
    for (double[] each : percentiles) {
      Arrays.sort(each);
    }
    return percentiles;
  }

  private static long sum(long[] drawn, long[] each) {
    long sum = 0;
    for (int r = 0; r < drawn.length; r++) {
      sum += drawn[r] * each[r];
    }
    return sum;
  }
}
