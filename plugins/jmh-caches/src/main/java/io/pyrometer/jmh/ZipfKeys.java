package io.pyrometer.jmh;

import io.pyrometer.load.ZipfSampler;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Keys from 0 to n − 1 whose k-th most frequent has a frequency in proportion to k^−s. Which key is
 * how frequent is drawn, so that frequent keys are not neighbours.
 */
public final class ZipfKeys {
  private final ZipfSampler ranks;
  private final int[] keyOfRank;

  /**
   * Keys of a seed's own.
   *
   * @param keys n, at least 1
   * @param exponent s, greater than 0
   */
  public ZipfKeys(int keys, double exponent, SplittableRandom random) {
    UniformRandomProvider bits = random::nextLong;
    ranks = new ZipfSampler(bits, keys, exponent);
    keyOfRank = new int[keys];
    for (int i = 0; i < keys; i++) {
      int other = random.nextInt(i + 1);
      keyOfRank[i] = keyOfRank[other];
      keyOfRank[other] = i;
    }
  }

  /** The next key. */
  public int next() {
    return keyOfRank[(int) ranks.next() - 1];
  }
}
