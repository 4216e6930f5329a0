package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.latency.TailRatioTest;
import java.util.ArrayList;
import java.util.List;

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
  }
}
