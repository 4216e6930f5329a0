package io.pyrometer.load;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Draws ranks from 1 to n, rank k with a probability proportional to k<sup>−s</sup>, in constant
 * time and without allocation.
 *
 * <p>Implementation notes: composition and rejection (Devroye, Non-Uniform Random Variate
 * Generation, 1986, II.3 and II.4). The ranks are cut into bands of neighbours, each at most 1/32
 * wider than its first rank, which makes less than a thousand bands for 2<sup>30</sup> ranks. A
 * draw takes a band by Walker's alias method (Vose, IEEE Transactions on Software Engineering 17,
 * 1991), as if each of its ranks were as likely as the first, then a rank of it, which it keeps
 * with the probability (k / first)<sup>−s</sup>. Nearly always the least of these probabilities
 * decides already, so that a draw computes no power; and unlike a table over all ranks, the one
 * over bands stays in the first-level cache. Shares are exact but for the rounding of doubles.
 */
public final class ZipfSampler {
  private static final int RELATIVE_WIDTH = 32;
  private static final double UNIT = 0x1p-53;

  private final UniformRandomProvider random;
  private final double exponent;
  private final int count;

  /** First rank and number of ranks of each band, and the least probability of keeping a rank. */
  private final long[] first;

  private final long[] width;
  private final double[] least;

  /** Walker's tables: the share of a band in its column, of 1, and the band of the rest. */
  private final double[] own;

  private final int[] alias;

  /**
   * A sampler of the ranks from 1 to {@code ranks}.
   *
   * @param ranks number of ranks n, at least 1
   * @param exponent s, zero or more
   */
  public ZipfSampler(UniformRandomProvider random, long ranks, double exponent) {
    this.random = random;
    this.exponent = exponent;
    this.first = bands(ranks);
    this.count = first.length;
    this.width = new long[count];
    this.least = new double[count];
    double[] weight = new double[count];
    for (int band = 0; band < count; band++) {
      long end = band + 1 < count ? first[band + 1] : ranks + 1;
      width[band] = end - first[band];
      least[band] = kept(end - 1, first[band]);
      weight[band] = width[band] * Math.pow((double) first[band], -exponent);
    }
    this.own = new double[count];
    this.alias = new int[count];
    fillTables(weight);
  }

  private static long[] bands(long ranks) {
    long[] first = new long[RELATIVE_WIDTH * Long.SIZE];
    int count = 0;
    for (long rank = 1; rank <= ranks; rank += Math.max(1, rank / RELATIVE_WIDTH)) {
      first[count++] = rank;
    }
    return Arrays.copyOf(first, count);
  }

  /** Vose's initialisation: columns that lack something are filled from those that have more. */
  private void fillTables(double[] weight) {
    double mean = Arrays.stream(weight).sum() / count;
    ArrayDeque<Integer> small = new ArrayDeque<>();
    ArrayDeque<Integer> large = new ArrayDeque<>();
    for (int band = 0; band < count; band++) {
      own[band] = weight[band] / mean;
      (own[band] < 1 ? small : large).add(band);
    }
    double[] left = own.clone();
    while (!small.isEmpty() && !large.isEmpty()) {
      int filled = small.remove();
      int giver = large.peek();
      own[filled] = left[filled];
      alias[filled] = giver;
      left[giver] -= 1 - left[filled];
      if (left[giver] < 1) {
        small.add(large.remove());
      }
    }
    // What remains differs from a full column by rounding alone.
    small.addAll(large);
    small.forEach(band -> own[band] = 1);
  }

  /** The next rank. */
  public long next() {
    while (true) {
      long bits = random.nextLong() >>> 1;
      int column = (int) Math.multiplyHigh(bits, 2L * count);
      int band = unit(bits * (2L * count)) < own[column] ? column : alias[column];
      long start = first[band];
      long wide = width[band];
      if (wide == 1) {
        return start;
      }
      bits = random.nextLong() >>> 1;
      long rank = start + Math.multiplyHigh(bits, 2 * wide);
      double draw = unit(bits * (2 * wide));
      if (draw < least[band] || draw < kept(rank, start)) {
        return rank;
      }
    }
  }

  /** The fraction that a product's low 64 bits stand for, from 0 inclusive to 1 exclusive. */
  private static double unit(long low) {
    return (low >>> 11) * UNIT;
  }

  private double kept(long rank, long start) {
    return Math.pow((double) rank / start, -exponent);
  }
}
