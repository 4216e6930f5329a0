package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;

/**
 * The steady part of a trial: {@link Drift} decides by how much its last quarter still differs from
 * the one before, and {@link Mser5} says where to cut the front off. Outlying samples, as of GC
 * pauses, are replaced first. Fewer than half of the launches of a virtual machine reach a steady
 * peak (Barrett and others, Virtual machine warmup blows hot and cold, 2017), so 'never' is a
 * regular answer.
 *
 * @param settled whether there is a steady part of at least half of the window
 * @param truncation how many samples to drop from the front; where nothing settled, the cut that
 *     leaves the least spread
 */
public record SteadyState(boolean settled, int truncation) {

  /**
   * Judges a series.
   *
   * @param samples throughput at even times, at least 40
   * @throws io.pyrometer.analysis.BadDataException if there are fewer, or one is not finite
   */
  public static SteadyState of(double[] samples) {
    Samples.checked(samples, Mser5.LEAST_SAMPLES, "the time series");
    double[] calm = Drift.withoutPauses(samples);
    Mser5 mser5 = Mser5.of(calm);
    Estimate drift = Drift.lastQuarter(calm);
    if (!Drift.still(drift)) {
      return new SteadyState(false, mser5.truncation());
    }
    int rest = Drift.differs(calm) ? samples.length / 2 : 0;
    return new SteadyState(true, mser5.settled() ? mser5.truncation() : rest);
  }

  /**
   * Where to cut the warm-up off by the marginal standard error rule over batches of five samples
   * (White, Cobb and Spratt, 2000): the cut d that minimises Σ_{j≥d}(z_j−z̄)²/(n_b−d)².
   *
   * @param truncation the number of samples to drop, a multiple of 5
   * @param statistic the minimum, in squared units of the samples
   * @param settled whether the cut lies in the first half; a later one says that the series still
   *     moves
   */
  record Mser5(int truncation, double statistic, boolean settled) {
    private static final int BATCH = 5;

    /** A cut that leaves fewer batches than this has its small spread by chance. */
    private static final int LEAST_BATCHES = 4;

    /** The least number of samples that can be judged. */
    static final int LEAST_SAMPLES = 2 * LEAST_BATCHES * BATCH;

    /**
     * Finds the cut over samples at even times; a rest that does not fill a batch is left out.
     *
     * @throws io.pyrometer.analysis.BadDataException if there are fewer than 40 samples
     */
    public static Mser5 of(double[] samples) {
      double[] batches = batchMeans(Samples.checked(samples, LEAST_SAMPLES, "the time series"));
      int best = 0;
      double least = Double.POSITIVE_INFINITY;
      double mean = 0;
      double squares = 0;
      for (int d = batches.length - 1; d >= 0; d--) {
        int n = batches.length - d;
        double step = batches[d] - mean;
        mean += step / n;
        squares += step * (batches[d] - mean);
        double statistic = squares / ((double) n * n);
        if (n >= LEAST_BATCHES && statistic <= least) {
          least = statistic;
          best = d;
        }
      }
      return new Mser5(best * BATCH, least, best < batches.length / 2.0);
    }

    private static double[] batchMeans(double[] samples) {
      double[] means = new double[samples.length / BATCH];
      for (int b = 0; b < means.length; b++) {
        for (int i = 0; i < BATCH; i++) {
          means[b] += samples[b * BATCH + i] / BATCH;
        }
      }
      return means;
    }
  }
}
