package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.mixed.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The ratio of a percentile between two treatments that were measured in the same blocks, with an
 * interval over blocks: calls of one block are no replicates, however many there are.
 *
 * <p>From five blocks on the value is that of all calls together, and its error comes from drawing
 * blocks anew, and within each block the calls of its tail (a hierarchical bootstrap); the interval
 * is value ± t·error on logarithms with one degree of freedom less than blocks, since percentiles
 * of so few draws cover too little. Below five blocks it is the paired t interval of ln percentile
 * per block, and the value the geometric mean of the blocks' ratios.
 */
public final class TailRatio {
  private static final int BOOTSTRAP_FROM = 5;
  private static final int RESAMPLES = 400;

  /** Calls below this share of the wanted percentile's rank are drawn as one bucket. */
  private static final double BODY = 0.9;

  private TailRatio() {}

  /**
   * ln of candidate over baseline, to be judged with others.
   *
   * @param baseline one counts a block, at least 2
   * @param candidate that of the same block at the same index
   * @param percent such as 99
   * @throws BadDataException if the blocks differ in number, or a counts has too few operations for
   *     the percentile
   */
  public static Contrast lnRatio(
      List<LatencyCounts> baseline,
      List<LatencyCounts> candidate,
      double percent,
      RandomGenerator random) {
    int blocks = baseline.size();
    if (blocks != candidate.size() || blocks < 2) {
      throw BadDataException.of(
          "A ratio of p%s needs both in the same blocks, at least 2, but there are %d and %d.",
          percent, blocks, candidate.size());
    }
    refuseFew(baseline, percent);
    refuseFew(candidate, percent);
    if (blocks < BOOTSTRAP_FROM) {
      return Ratios.paired(each(baseline, percent), each(candidate, percent));
    }
    Tail before = new Tail(baseline, percent);
    Tail after = new Tail(candidate, percent);
    double[] logs = new double[RESAMPLES];
    int[] drawn = new int[blocks];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int k = 0; k < blocks; k++) {
        drawn[k] = random.nextInt(blocks);
      }
      logs[i] =
          Math.log1p(after.percentile(drawn, random))
              - Math.log1p(before.percentile(drawn, random));
    }
    double value =
        Math.log1p((double) LatencyCounts.merged(candidate).percentile(percent))
            - Math.log1p((double) LatencyCounts.merged(baseline).percentile(percent));
    // Drawn blocks vary by (blocks−1)/blocks less than blocks do.
    double error = Math.sqrt(Samples.variance(logs) * blocks / (blocks - 1.0));
    return new Contrast(value, error, blocks - 1.0);
  }

  private static void refuseFew(List<LatencyCounts> blockCounts, double percent) {
    long all = blockCounts.stream().mapToLong(LatencyCounts::count).sum();
    boolean empty = blockCounts.stream().anyMatch(counts -> counts.count() == 0);
    if (empty || all < Percentiles.samplesNeeded(percent)) {
      throw BadDataException.of(
          "p%s needs %d operations and some in every block, but there are %d; measure for longer.",
          percent, Percentiles.samplesNeeded(percent), all);
    }
  }

  private static double[] each(List<LatencyCounts> blockCounts, double percent) {
    return blockCounts.stream().mapToDouble(counts -> 1.0 + counts.percentile(percent)).toArray();
  }

  /** The upper buckets of every block, from which calls are drawn. */
  private static final class Tail {
    private final double percent;

    /** Every different upper latency of all blocks, ascending; the first stands for the body. */
    private final long[] values;

    /** Of each block: where in {@link #values} its buckets are, and how many calls each has. */
    private final List<int[]> places = new ArrayList<>();

    private final List<long[]> calls = new ArrayList<>();
    private final long[] seen;

    Tail(List<LatencyCounts> blocks, double percent) {
      this.percent = percent;
      LatencyCounts all = LatencyCounts.merged(blocks);
      long from = all.percentile(BODY * percent);
      int body = 0;
      while (body < all.size() && all.value(body) <= from) {
        body++;
      }
      values = new long[all.size() - body + 1];
      values[0] = from;
      for (int v = body; v < all.size(); v++) {
        values[v - body + 1] = all.value(v);
      }
      seen = new long[values.length];
      blocks.forEach(this::add);
    }

    private void add(LatencyCounts block) {
      int first = 0;
      while (first < block.size() && block.value(first) <= values[0]) {
        first++;
      }
      int[] place = new int[block.size() - first + 1];
      long[] count = new long[place.length];
      count[0] = block.count();
      for (int i = 1; i < place.length; i++) {
        place[i] = Arrays.binarySearch(values, block.value(first + i - 1));
        count[i] = block.times(first + i - 1);
        count[0] -= count[i];
      }
      places.add(place);
      calls.add(count);
    }

    /** Of blocks drawn anew and calls drawn anew within them. */
    double percentile(int[] drawn, RandomGenerator random) {
      Arrays.fill(seen, 0);
      long total = 0;
      for (int block : drawn) {
        int[] place = places.get(block);
        long[] count = calls.get(block);
        for (int i = 0; i < place.length; i++) {
          long n = i == 0 ? count[i] : poisson((double) count[i], random);
          seen[place[i]] += n;
          total += n;
        }
      }
      long wanted = LatencyCounts.rank(percent, total);
      long below = 0;
      for (int v = 0; v < values.length; v++) {
        below += seen[v];
        if (below >= wanted) {
          return values[v];
        }
      }
      return values[values.length - 1];
    }

    /** How often a bucket with so many calls is drawn: nearly binomial with a small share. */
    private static long poisson(double mean, RandomGenerator random) {
      if (mean > 30) {
        return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
      }
      double limit = Math.exp(-mean);
      long drawn = 0;
      for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
        drawn++;
      }
      return drawn;
    }
  }
}
