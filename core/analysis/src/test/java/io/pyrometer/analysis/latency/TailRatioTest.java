package io.pyrometer.analysis.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

public class TailRatioTest {

  /** Heavy-tailed calls (Pareto of index 2.5) with a level of the block, in buckets of 3 %. */
  public static LatencyCounts calls(int n, double level, Random random) {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      double x = 100 * Math.exp(level) * Math.pow(random.nextDouble(), -1 / 2.5);
      long bucket = Math.round(Math.exp(Math.round(Math.log(x) / 0.03) * 0.03));
      counts.merge(bucket, 1L, Long::sum);
    }
    return Counts.of(counts, LatencyCounts.Timing.INTENDED_START);
  }

  /** How often the 95 % interval of a ratio of p99 that is 1 holds 1. */
  public static double coverage(
      int blocks, int calls, double sharedSd, double ownSd, int trials, Random random) {
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
      List<LatencyCounts> a = new ArrayList<>();
      List<LatencyCounts> b = new ArrayList<>();
      for (int block = 0; block < blocks; block++) {
        double level = sharedSd * random.nextGaussian();
        a.add(calls(calls, level + ownSd * random.nextGaussian(), random));
        b.add(calls(calls, level + ownSd * random.nextGaussian(), random));
      }
      covered += ratio(a, b, 99).contains(1) ? 1 : 0;
    }
    return covered / (double) trials;
  }

  @Test
  void aTailTwiceAsLongIsSeen() {
    Random random = new Random(6);
    List<LatencyCounts> a = new ArrayList<>();
    List<LatencyCounts> b = new ArrayList<>();
    for (int block = 0; block < 8; block++) {
      a.add(calls(2000, 0, random));
      b.add(calls(2000, Math.log(2), random));
    }
    Estimate ratio = ratio(a, b, 99);
    assertThat(ratio.contains(2)).isTrue();
    assertThat(ratio.low()).isGreaterThan(1.5);
    assertThat(ratio.replicates()).isEqualTo(8);
  }

  @Test
  void tooFewCallsOrBlocksAreRefused() {
    Random random = new Random(7);
    LatencyCounts few = calls(100, 0, random);
    assertThatThrownBy(() -> ratio(List.of(few, few), List.of(few, few), 99))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("measure for longer");
    assertThatThrownBy(() -> ratio(List.of(few), List.of(few), 99))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("at least 2");
  }

  private static Estimate ratio(List<LatencyCounts> a, List<LatencyCounts> b, double percent) {
    return TailRatio.lnRatio(a, b, percent).estimate(0.95, a.size(), "").exp();
  }
}
