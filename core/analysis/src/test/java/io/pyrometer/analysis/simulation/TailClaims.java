package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.latency.Counts;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Claims on ratios of tails. */
final class TailClaims {
  private TailClaims() {}

  static List<Claim> all() {
    Claims claims = new Claims();
    for (int blocks : new int[] {3, 5, 10}) {
      claims.add(
          "the 95 % interval of a ratio of p99 covers it",
          "%d blocks of 2,000 calls, Pareto tail of index 2.5, block sd 15 %% and 10 %%"
              .formatted(blocks),
          new Limits(1000, 0.92, 0.98),
          r -> ratioCovers(blocks, r));
      for (double sd : new double[] {0.05, 0.15}) {
        // 1 − F(x) = E[(100·e^L/x)^2.5] for a level L that is normal.
        double x = 100 * Math.pow(100 * Math.exp(3.125 * sd * sd), 0.4);
        double truth = Math.exp(Math.round(Math.log(x) / 0.03) * 0.03);
        claims.add(
            "the 95 % interval of a p99 covers it",
            "%d blocks of 1,000 calls, Pareto tail of index 2.5, block sd %.0f %%"
                .formatted(blocks, 100 * sd),
            new Limits(1000, 0.92, 0.98),
            r -> {
              List<LatencyCounts> each =
                  IntStream.range(0, blocks)
                      .mapToObj(b -> Counts.heavyTailed(1000, sd * r.nextGaussian(), r))
                      .toList();
              return Percentiles.estimates(each, LatencyCounts.merged(each), List.of(99.0), "")
                  .values()
                  .iterator()
                  .next()
                  .contains(truth);
            });
      }
    }
    return claims.all();
  }

  /** As a gate and a ranking judge it: by the p99 of each block. */
  private static boolean ratioCovers(int blocks, Random random) {
    double[] a = new double[blocks];
    double[] b = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      double level = 0.15 * random.nextGaussian();
      a[block] = p99(level + 0.1 * random.nextGaussian(), random);
      b[block] = p99(level + 0.1 * random.nextGaussian(), random);
    }
    return Contrast.ofMean(Golden.lnRatios(a, b)).estimate(0.95, blocks, "").exp().contains(1);
  }

  private static double p99(double level, Random random) {
    return Counts.heavyTailed(2000, level, random).percentile(99);
  }
}
