package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.TailRatio;
import io.pyrometer.analysis.latency.TailRatioTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What ratios of tails claim. */
final class TailClaims {
  private TailClaims() {}

  static List<Claim> all() {
    List<Claim> claims = new ArrayList<>();
    tails(claims);
    return claims;
  }

  private static void tails(List<Claim> claims) {
    for (int blocks : new int[] {3, 5, 10}) {
      claims.add(
          new Claim(
              "the 95 % interval of a ratio of p99 covers it",
              "%d blocks of 2,000 calls, Pareto tail of index 2.5, block sd 15 %% and 10 %%"
                  .formatted(blocks),
              300,
              0.92,
              0.98,
              r -> TailRatioTest.coverage(blocks, 2000, 0.15, 0.1, 1, r) == 1));
    }
    claims.add(
        new Claim(
            "a false alarm at any look, whenever one stops",
            "p99 of 1,000 calls a block, up to 15 blocks, Pareto tail of index 2.5, block sd 15 % and 10 %",
            150,
            0,
            0.01,
            TailClaims::tailAlarm));
  }

  private static boolean tailAlarm(Random random) {
    List<LatencyCounts> a = new ArrayList<>();
    List<LatencyCounts> b = new ArrayList<>();
    for (int block = 1; block <= 15; block++) {
      double level = 0.15 * random.nextGaussian();
      a.add(TailRatioTest.calls(1000, level + 0.1 * random.nextGaussian(), random));
      b.add(TailRatioTest.calls(1000, level + 0.1 * random.nextGaussian(), random));
      if (block >= SequentialComparison.FIRST_LOOK) {
        ModelledPair pair =
            ModelledPair.of(
                new Pair("A", "B"), "p99", TailRatio.lnRatio(a, b, 99, random), block, "block");
        GateRule rule = new GateRule(0.01, 1e-9, ComparisonRule.Direction.LOWER);
        if (SequentialComparison.judgeAll(List.of(new LossTest.Row(pair, rule)))
                .get(0)
                .orElseThrow()
                .verdict()
            == GateVerdict.REGRESSION) {
          return true;
        }
      }
    }
    return false;
  }
}
