package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Dependence;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Claims on the block model for six treatments that do not differ: 3, 5 and 10 blocks, kinds of
 * noise, with and without shared starts of processes, complete or with cells missing.
 */
final class BlockClaims {
  private static final int TREATMENTS = 6;
  private static final int CASES = 2000;
  private static final double NOISE = 0.03;

  private BlockClaims() {}

  /** ln of the noise, by treatment and block. */
  private interface Noise {
    double[][] draw(int blocks, Random random);
  }

  private record Kind(String name, Noise noise) {}

  private static final Kind CORRELATED =
      new Kind("correlated by 0.5 from block to block", BlockClaims::correlated);

  private static final List<Kind> KINDS =
      List.of(
          new Kind("normal", (blocks, r) -> each(blocks, () -> NOISE * r.nextGaussian())),
          new Kind(
              "Student's t of 3 degrees",
              (blocks, r) -> each(blocks, () -> NOISE * ComparisonClaims.heavy(r))),
          new Kind("phases at half speed", BlockClaims::phases),
          CORRELATED);

  static List<Claim> all() {
    Claims claims = new Claims();
    for (int blocks : new int[] {3, 5, 10}) {
      for (Kind kind : KINDS) {
        for (double startSd : new double[] {0, NOISE}) {
          for (double missing : new double[] {0, 0.1}) {
            String how =
                "%d blocks, noise 3 %% %s, %s, %s"
                    .formatted(
                        blocks,
                        kind.name(),
                        startSd == 0 ? "own starts" : "2 shared starts a block of sd 3 %",
                        missing == 0 ? "complete" : "10 % missing");
            boolean dependent = kind == CORRELATED;
            claims.add(
                "the 95 % interval of a ratio covers it",
                how,
                new Limits(CASES, dependent ? 0.7 : 0.92, 0.99),
                r -> covers(table(kind, blocks, startSd, missing, r)));
            claims.add(
                "'worse' somewhere though nothing differs",
                how,
                new Limits(CASES, 0, dependent ? 0.2 : 0.05),
                r -> claimsADifference(table(kind, blocks, startSd, missing, r)));
          }
        }
      }
    }
    for (int blocks : new int[] {5, 10}) {
      for (Kind kind : List.of(KINDS.get(0), KINDS.get(1), CORRELATED)) {
        claims.add(
            "dependent blocks are reported",
            "%d blocks, noise 3 %% %s".formatted(blocks, kind.name()),
            new Limits(CASES, kind == CORRELATED ? 0.2 : 0, kind == CORRELATED ? 1 : 0.1),
            r ->
                BlockModel.of(table(kind, blocks, 0, 0, r))
                    .dependence()
                    .filter(Dependence::isSignificant)
                    .isPresent());
      }
    }
    return claims.all();
  }

  /** Two treatments of different starts in one half of the cases, of the same in the other. */
  private static boolean covers(List<Measurement> rows) {
    BlockModel model = BlockModel.of(rows);
    String candidate = rows.get(0).value() > 1 ? "t1" : "t3";
    return model.ratio("t0", candidate).map(ratio -> ratio.contains(1)).orElse(true);
  }

  private static boolean claimsADifference(List<Measurement> rows) {
    BlockModel model = BlockModel.of(rows);
    List<String> order =
        rows.stream()
            .map(Measurement::treatment)
            .distinct()
            .sorted(Comparator.comparingDouble(t -> -mean(rows, t)))
            .toList();
    List<Pair> pairs = order.stream().skip(1).map(other -> new Pair(order.get(0), other)).toList();
    long family = order.size() * (order.size() - 1L) / 2;
    return TreatmentComparisons.of(model, pairs, ComparisonRule.HIGHER_IS_BETTER, family).stream()
        .anyMatch(row -> row.verdict() == Verdict.BETTER || row.verdict() == Verdict.WORSE);
  }

  private static double mean(List<Measurement> rows, String treatment) {
    return rows.stream()
        .filter(row -> row.treatment().equals(treatment))
        .mapToDouble(m -> Math.log(m.value()))
        .average()
        .orElseThrow();
  }

  /** Blocks of sd 5 %; treatments 0 to 2 and 3 to 5 share a start where starts differ. */
  private static List<Measurement> table(
      Kind kind, int blocks, double startSd, double missing, Random r) {
    double[][] noise = kind.noise().draw(blocks, r);
    List<Measurement> rows = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      double level = 0.05 * r.nextGaussian();
      double[] start = {level + startSd * r.nextGaussian(), level + startSd * r.nextGaussian()};
      for (int t = 0; t < TREATMENTS; t++) {
        if (r.nextDouble() >= missing || b == 0) {
          double value = Math.exp(start[t / 3] + noise[t][b]);
          rows.add(new Measurement("t" + t, "b" + b, startSd == 0 ? "" : "s" + t / 3, value));
        }
      }
    }
    return rows;
  }

  private interface Draw {
    double next();
  }

  private static double[][] each(int blocks, Draw draw) {
    double[][] noise = new double[TREATMENTS][blocks];
    for (double[] row : noise) {
      Arrays.setAll(row, b -> draw.next());
    }
    return noise;
  }

  /** Trials in random order within blocks; one in 20 begins a phase of 3 on average. */
  private static double[][] phases(int blocks, Random r) {
    double[][] noise = each(blocks, () -> NOISE * r.nextGaussian());
    boolean slow = false;
    for (int b = 0; b < blocks; b++) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, TREATMENTS).boxed().toList());
      Collections.shuffle(order, r);
      for (int t : order) {
        slow = slow ? r.nextInt(3) > 0 : r.nextInt(20) == 0;
        noise[t][b] += slow ? Math.log(0.5) : 0;
      }
    }
    return noise;
  }

  private static double[][] correlated(int blocks, Random r) {
    double[][] noise = each(blocks, () -> NOISE * r.nextGaussian());
    for (double[] row : noise) {
      for (int b = 1; b < blocks; b++) {
        row[b] = 0.5 * row[b - 1] + Math.sqrt(0.75) * row[b];
      }
    }
    return noise;
  }
}
