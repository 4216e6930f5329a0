package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Percentiles of latency with the right to be shown: at least ten operations must lie beyond, so
 * p99 takes 1,000 and p99.9 takes 10,000.
 */
public final class Percentiles {
  /** Operations that must lie beyond a percentile. */
  public static final int BEYOND = 10;

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
   * Percentiles of all replicates' operations together, with a t interval on logarithms whose error
   * is that of the replicates' own percentiles; of one replicate there is none.
   *
   * @param replicates one counts a replicate
   * @param merged the replicates together
   * @param percents each from 0 to below 100
   * @return by percent; without those that have fewer than {@link #samplesNeeded} operations
   * @throws BadDataException if a replicate holds no operation
   */
  public static Map<Double, Estimate> estimates(
      List<LatencyCounts> replicates, LatencyCounts merged, List<Double> percents, String unit) {
    int n = replicates.size();
    Map<Double, Estimate> estimates = new LinkedHashMap<>();
    for (double percent : percents) {
      if (merged.count() < samplesNeeded(percent)) {
        continue;
      }
      double value = (double) merged.percentile(percent);
      double[] logs =
          replicates.stream()
              .mapToDouble(r -> Math.log1p((double) r.percentile(percent)))
              .toArray();
      if (n == 1) {
        estimates.put(percent, Estimate.unreplicated(value, unit));
      } else {
        double half = Means.halfWidth(logs);
        // Rounding may put the ends of an interval without width beyond the value.
        double low = Math.max(0, Math.min(value, Math.expm1(Math.log1p(value) - half)));
        double high = Math.max(value, Math.expm1(Math.log1p(value) + half));
        estimates.put(percent, new Estimate(value, low, high, Estimate.CONFIDENCE, n, unit));
      }
    }
    return estimates;
  }
}
