package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.changepoint.History;
import io.pyrometer.analysis.changepoint.History.ChangePoint;
import io.pyrometer.analysis.changepoint.History.ChangeRule;
import io.pyrometer.analysis.latency.TailRatioTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** What a history of runs claims. */
final class HistoryClaims {
  private HistoryClaims() {}

  static List<Claim> all() {
    List<Claim> claims = new ArrayList<>();
    histories(claims);
    repaired(claims);
    return claims;
  }

  private static void histories(List<Claim> claims) {
    for (int n : new int[] {4, 8, 30}) {
      for (double runSd : new double[] {0, 0.01, 0.03}) {
        claims.add(
            new Claim(
                "a step or drift in a history though there is none",
                "any of 10 figures, %d runs of 5 blocks, noise 2 %%, run sd %.0f %%"
                    .formatted(n, 100 * runSd),
                400,
                0,
                0.05,
                r ->
                    IntStream.range(0, 10)
                        .anyMatch(f -> claimsChange(history(runs(n, runSd, i -> 1, r), 10)))));
      }
    }
    for (int figures : new int[] {1, 10}) {
      claims.add(
          new Claim(
              "a loss of 20 % in a history is found",
              "%s, 2 + 2 runs of 5 blocks, noise 2 %%, run sd 0 %%"
                  .formatted(figures == 1 ? "one figure" : "one of %d figures".formatted(figures)),
              500,
              figures == 1 ? 0.95 : 0.7,
              1,
              r -> history(runs(4, 0, i -> i < 2 ? 1 : 0.8, r), figures).points().size() == 1));
    }
    claims.add(
        new Claim(
            "a loss of 20 % in a history is found",
            "4 + 4 runs of 5 blocks, noise 2 %, run sd 3 %",
            500,
            0.9,
            1,
            r -> history(runs(8, 0.03, i -> i < 4 ? 1 : 0.8, r), 1).points().size() == 1));
    claims.add(
        new Claim(
            "a loss of 2 % a run in a history is found, as drift or step",
            "12 runs of 5 blocks, noise 2 %, run sd 1 %",
            500,
            0.9,
            1,
            r -> claimsChange(history(runs(12, 0.01, i -> Math.pow(0.98, i), r), 1))));
    claims.add(
        new Claim(
            "a step or drift in a history of p99 though there is none",
            "any of 4 figures, 8 runs of 5 blocks of 1,000 calls, Pareto tail of index 2.5, block sd 5 %, run sd 5 %",
            200,
            0,
            0.05,
            r ->
                IntStream.range(0, 4)
                    .anyMatch(f -> claimsChange(history(tailRuns(8, 0.05, i -> 1, r), 4)))));
    claims.add(
        new Claim(
            "a p99 twice as long in a history is found",
            "4 + 4 runs of 5 blocks of 1,000 calls, Pareto tail of index 2.5, block sd 5 %, run sd 5 %",
            100,
            0.9,
            1,
            r -> history(tailRuns(8, 0.05, i -> i < 4 ? 1 : 2, r), 1).points().size() == 1));
  }

  private static void repaired(List<Claim> claims) {
    for (double[] made : new double[][] {{0.3, 0.01}, {0.3, 0.03}, {0.3, 0.08}, {0.1, 0.03}}) {
      String loss = "a loss of %.0f %% in a history, repaired later,".formatted(100 * made[0]);
      String how =
          "one of 10 figures, runs 11 to 20 of 30 of 5 blocks, noise 2 %%, run sd %.0f %%"
              .formatted(100 * made[1]);
      claims.add(
          new Claim(
              loss + " is found as two changes, each within one run of its place",
              how,
              500,
              0.95,
              1,
              r -> bothFound(repaired(made[0], made[1], r).points())));
      claims.add(
          new Claim(
              "the 95 % interval of " + loss + " covers it",
              how,
              1000,
              0.92,
              0.98,
              r -> covers(made[0], made[1], 0, 1 - made[0], r)));
      claims.add(
          new Claim(
              "the 95 %% interval of the repair of a loss of %.0f %% in a history covers it"
                  .formatted(100 * made[0]),
              how,
              1000,
              0.92,
              0.98,
              r -> covers(made[0], made[1], 1, 1 / (1 - made[0]), r)));
    }
  }

  private static History repaired(double loss, double runSd, Random random) {
    return history(runs(30, runSd, i -> i < 10 || i >= 20 ? 1 : 1 - loss, random), 10);
  }

  private static boolean bothFound(List<ChangePoint> points) {
    return points.size() == 2
        && Math.abs(points.get(0).index() - 10) <= 1
        && Math.abs(points.get(1).index() - 20) <= 1;
  }

  /** Draws histories until one reports two changes; wherever they are, their intervals count. */
  private static boolean covers(double loss, double runSd, int change, double ratio, Random r) {
    List<ChangePoint> points = repaired(loss, runSd, r).points();
    while (points.size() != 2) {
      points = repaired(loss, runSd, r).points();
    }
    return points.get(change).ratio().contains(ratio);
  }

  private static List<double[]> runs(
      int n, double runSd, DoubleUnaryOperator level, Random random) {
    return IntStream.range(0, n)
        .mapToObj(
            i -> {
              double run = level.applyAsDouble(i) * Math.exp(runSd * random.nextGaussian());
              return random
                  .doubles(5)
                  .map(u -> 1000 * run * Math.exp(0.02 * random.nextGaussian()))
                  .toArray();
            })
        .toList();
  }

  private static History history(List<double[]> runs, int figures) {
    List<String> labels = IntStream.range(0, runs.size()).mapToObj(i -> "v" + i).toList();
    return History.ofRuns(runs, labels, "throughput", ChangeRule.OF_RUNS, figures);
  }

  /** A step or a drift was claimed. */
  private static boolean claimsChange(History history) {
    return history.findings().stream()
        .anyMatch(
            finding ->
                finding.kind() == Finding.Kind.CHANGE_POINT
                    && finding.severity() == Finding.Severity.NOTICE);
  }

  /** The p99 of 1,000 heavy-tailed calls in each block of each run. */
  private static List<double[]> tailRuns(
      int n, double runSd, DoubleUnaryOperator level, Random random) {
    return IntStream.range(0, n)
        .mapToObj(
            i -> {
              double run = Math.log(level.applyAsDouble(i)) + runSd * random.nextGaussian();
              return IntStream.range(0, 5)
                  .mapToDouble(
                      block ->
                          TailRatioTest.calls(1000, run + 0.05 * random.nextGaussian(), random)
                              .percentile(99))
                  .toArray();
            })
        .toList();
  }
}
