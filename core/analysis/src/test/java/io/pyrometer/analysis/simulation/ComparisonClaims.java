package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.ModelTests;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.scalability.FitOptions;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.ScalePoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What intervals, verdicts and gates between treatments claim. */
final class ComparisonClaims {
  private ComparisonClaims() {}

  static List<Claim> all() {
    List<Claim> claims = new ArrayList<>();
    treatments(claims);
    manyRows(claims);
    sequences(claims);
    oneLook(claims);
    return claims;
  }

  private static void treatments(List<Claim> claims) {
    for (double blockSd : new double[] {0, 0.03, 0.5}) {
      claims.add(
          new Claim(
              "the 95 % interval of a ratio covers it",
              "6 treatments, 5 blocks, a quarter of the cells missing, noise 5 %%, block sd %.0f %%"
                  .formatted(100 * blockSd),
              2000,
              0.93,
              0.975,
              r ->
                  BlockModel.of(blocks(6, 5, 0.05, blockSd, 0.25, r))
                      .ratio("t0", "t1", 0.95)
                      .contains(1)));
    }
    claims.add(
        new Claim(
            "a value is called outlying though none is",
            "6 treatments, 5 blocks, noise 5 %, at 5 %",
            500,
            0,
            0.06,
            r -> !BlockModel.of(blocks(6, 5, 0.05, 0.05, 0.1, r)).outliers(0.05).isEmpty()));
    claims.add(
        new Claim(
            "a point of a curve is called outlying though none is",
            "scalability laws with σ 5 % and κ 0 to 2 %, 6 to 14 points, noise 3 %, at 5 %",
            500,
            0,
            0.06,
            r -> {
              double kappa = 0.02 * r.nextDouble();
              int largest = 6 + r.nextInt(9);
              List<ScalePoint> points = new ArrayList<>();
              for (int n = 1; n <= largest; n++) {
                double mean = 100 * n / (1 + 0.05 * (n - 1) + kappa * n * (n - 1));
                points.add(new ScalePoint(n, mean * Math.exp(0.03 * r.nextGaussian())));
              }
              return !Scalability.of(points, FitOptions.DEFAULT).outlier().isEmpty();
            }));
  }

  private static void manyRows(List<Claim> claims) {
    claims.add(
        new Claim(
            "'better' or 'worse' somewhere though nothing differs",
            "a table of 42 rows, 5 blocks, noise 6 %",
            100,
            0,
            0.05,
            r ->
                TreatmentComparisons.of(
                        builds(42, 5, 0.06, 0, r),
                        pairs(42),
                        "throughput",
                        ComparisonRule.HIGHER_IS_BETTER,
                        42)
                    .stream()
                    .anyMatch(x -> x.verdict() == Verdict.BETTER || x.verdict() == Verdict.WORSE)));
    claims.add(
        new Claim(
            "a gate fails though nothing differs",
            "84 rows, 15 blocks, noise 5 %",
            60,
            0,
            0.01,
            r -> anyOf(builds(84, 15, 0.05, 0, r), 84, GateVerdict.REGRESSION)));
    claims.add(
        new Claim(
            "a gate finds a loss of 10 %",
            "one of 84 rows, 15 blocks, noise 5 %",
            60,
            0.95,
            1,
            r -> first(builds(84, 15, 0.05, 0.1, r), 84) == GateVerdict.REGRESSION));
    claims.add(
        new Claim(
            "a gate passes a loss of 5 %",
            "1 row, 20 interleaved pairs, noise 3 %",
            500,
            0,
            0.01,
            r -> first(builds(1, 20, 0.03, 0.05, r), 1) == GateVerdict.PASS));
  }

  private static void sequences(List<Claim> claims) {
    for (Noise noise : NOISES) {
      claims.add(
          new Claim(
              "a false alarm at any look, whenever one stops",
              "1 row, up to 60 interleaved blocks, noise 5 %%, %s".formatted(noise.name()),
              3000,
              0,
              0.01,
              // Without a margin a false alarm is any significant loss at all.
              r -> decision(1, 0, 0.05, noise, 60, 1e-9, r) == GateVerdict.REGRESSION));
    }
    claims.add(
        new Claim(
            "a false alarm at any look, whenever one stops",
            "8 rows that share their noise, up to 30 interleaved blocks, noise 5 %",
            400,
            0,
            0.01,
            r -> decision(8, 0, 0.05, NOISES.get(0), 30, 1e-9, r) == GateVerdict.REGRESSION));
    claims.add(
        new Claim(
            "a loss of 10 % is found within 20 blocks",
            "1 row, looking after every block, noise 4 %",
            1000,
            0.9,
            1,
            r -> decision(1, 0.1, 0.04, NOISES.get(0), 20, 0.03, r) == GateVerdict.REGRESSION));
    claims.add(
        new Claim(
            "a loss of 10 % is found within 20 blocks",
            "one of 8 rows, looking after every block, noise 4 %",
            200,
            0.9,
            1,
            r -> decision(8, 0.1, 0.04, NOISES.get(0), 20, 0.03, r) == GateVerdict.REGRESSION));
    claims.add(
        new Claim(
            "a loss of 5 % passes",
            "1 row, looking after every block, up to 20, noise 3 %",
            1000,
            0,
            0.01,
            r -> decision(1, 0.05, 0.03, NOISES.get(0), 20, 0.03, r) == GateVerdict.PASS));
  }

  /** Few planned blocks: judged once, or once more if the run was stopped by hand and resumed. */
  private static void oneLook(List<Claim> claims) {
    for (Noise noise : NOISES) {
      claims.add(
          new Claim(
              "a false alarm at the one look",
              "1 row, 5 interleaved blocks, noise 5 %%, %s".formatted(noise.name()),
              10_000,
              0,
              0.012,
              r -> atEnd(0, 0.05, noise, 5, 1e-9, r) == GateVerdict.REGRESSION));
    }
    claims.add(
        new Claim(
            "a false alarm at the one look, or at one before it",
            "1 row, 8 interleaved blocks, stopped after 5 and resumed, noise 5 %",
            10_000,
            0,
            0.012,
            r -> {
              List<Measurement> ratios = ratios(0, 0.05, NOISES.get(0), 8, r);
              GateRule rule = new GateRule(0.01, 1e-9, ComparisonRule.Direction.HIGHER);
              return look(ratios.subList(0, 5), 1, 5, rule).contains(GateVerdict.REGRESSION)
                  || verdict(ratios, rule) == GateVerdict.REGRESSION;
            }));
    claims.add(
        new Claim(
            "a loss of 10 % is found at the one look",
            "1 row, 8 interleaved blocks, noise 4 %",
            1000,
            0.8,
            1,
            r -> atEnd(0.1, 0.04, NOISES.get(0), 8, 0.03, r) == GateVerdict.REGRESSION));
    claims.add(
        new Claim(
            "a loss of 5 % passes the one look",
            "1 row, 8 interleaved blocks, noise 3 %",
            3000,
            0,
            0.025,
            r -> atEnd(0.05, 0.03, NOISES.get(0), 8, 0.03, r) == GateVerdict.PASS));
  }

  private static GateVerdict atEnd(
      double loss, double noise, Noise shape, int blocks, double margin, Random r) {
    return verdict(
        ratios(loss, noise, shape, blocks, r),
        new GateRule(0.01, margin, ComparisonRule.Direction.HIGHER));
  }

  private static GateVerdict verdict(List<Measurement> ratios, GateRule rule) {
    ModelledPair pair =
        ModelledPair.of(
            new Pair("A", "B"), "y", BlockModel.of(ratios).lnMean("t0"), ratios.size(), "block");
    return LossTest.judgeAll(List.of(new LossTest.Row(pair, rule))).get(0).orElseThrow().verdict();
  }

  private static List<Measurement> ratios(
      double loss, double noise, Noise shape, int blocks, Random r) {
    List<Measurement> ratios = new ArrayList<>();
    for (int block = 1; block <= blocks; block++) {
      double a = noise * shape.draw().applyAsDouble(r);
      double b = noise * shape.draw().applyAsDouble(r) + Math.log(1 - loss);
      ratios.add(new Measurement("t0", "b" + block, Math.exp(b - a)));
    }
    return ratios;
  }

  private static List<Measurement> blocks(
      int treatments, int blocks, double noise, double blockSd, double missing, Random random) {
    List<Measurement> rows = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      double level = blockSd * random.nextGaussian();
      for (int t = 0; t < treatments; t++) {
        double value = Math.exp(level + noise * random.nextGaussian());
        if (random.nextDouble() >= missing || b < 2) {
          rows.add(new Measurement("t" + t, "b" + b, value));
        }
      }
    }
    return rows;
  }

  private static BlockModel builds(int rows, int blocks, double noise, double loss, Random r) {
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = 0.05 * r.nextGaussian();
      for (int row = 0; row < rows; row++) {
        double a = level + noise * r.nextGaussian();
        double b = level + noise * r.nextGaussian() + (row == 0 ? Math.log(1 - loss) : 0);
        measured.add(new Measurement(row + "A", "b" + block, Math.exp(a)));
        measured.add(new Measurement(row + "B", "b" + block, Math.exp(b)));
      }
    }
    return BlockModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
  }

  private static boolean anyOf(BlockModel model, int rows, GateVerdict verdict) {
    return ModelTests.judgeAll(model, pairs(rows), "throughput", GateRule.DEFAULT).stream()
        .anyMatch(test -> test.orElseThrow().verdict() == verdict);
  }

  private static GateVerdict first(BlockModel model, int rows) {
    return ModelTests.judgeAll(model, pairs(rows), "throughput", GateRule.DEFAULT)
        .get(0)
        .orElseThrow()
        .verdict();
  }

  /** Shapes of noise with a standard deviation of about 1. */
  private record Noise(String name, ToDoubleFunction<Random> draw) {}

  private static final List<Noise> NOISES =
      List.of(
          new Noise("normal", Random::nextGaussian),
          new Noise("Student's t of 3 degrees", ComparisonClaims::heavy),
          new Noise("skewed (exponential)", r -> -Math.log(1 - r.nextDouble()) - 1),
          new Noise(
              "one run in 20 at half speed",
              r -> r.nextGaussian() - (r.nextInt(20) == 0 ? 14 : 0)));

  static double heavy(Random r) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      double z = r.nextGaussian();
      squares += z * z;
    }
    return r.nextGaussian() / Math.sqrt(squares / 3) / Math.sqrt(3);
  }

  /**
   * How an interleaved comparison ends: the ratios of each block in one model, all rows judged
   * after every block, until one is a regression, all pass, or the blocks are used up.
   */
  private static GateVerdict decision(
      int rows, double loss, double noise, Noise shape, int most, double margin, Random r) {
    GateRule rule = new GateRule(0.01, margin, ComparisonRule.Direction.HIGHER);
    List<Measurement> ratios = new ArrayList<>();
    List<GateVerdict> results = List.of();
    for (int block = 1; block <= most; block++) {
      // What the processes of a block share, all its rows share.
      double shared = rows == 1 ? 0 : noise / 2 * r.nextGaussian();
      for (int row = 0; row < rows; row++) {
        double a = noise * shape.draw().applyAsDouble(r);
        double b = noise * shape.draw().applyAsDouble(r) + (row == 0 ? Math.log(1 - loss) : 0);
        ratios.add(new Measurement("t" + row, "b" + block, Math.exp(shared + b - a)));
      }
      if (block < SequentialComparison.FIRST_LOOK) {
        continue;
      }
      results = look(ratios, rows, block, rule);
      if (results.stream().anyMatch(GateVerdict.REGRESSION::equals)) {
        return GateVerdict.REGRESSION;
      }
      if (results.stream().allMatch(GateVerdict.PASS::equals)) {
        return GateVerdict.PASS;
      }
    }
    return results.stream().max(Comparator.naturalOrder()).orElse(GateVerdict.NOT_ENOUGH_RUNS);
  }

  private static List<GateVerdict> look(
      List<Measurement> ratios, int rows, int block, GateRule rule) {
    BlockModel model = BlockModel.of(ratios);
    List<LossTest.Row> gated =
        IntStream.range(0, rows)
            .mapToObj(
                row ->
                    new LossTest.Row(
                        ModelledPair.of(
                            new Pair("A", "B"), "y", model.lnMean("t" + row), block, "block"),
                        rule))
            .toList();
    return SequentialComparison.judgeAll(gated).stream()
        .map(test -> test.orElseThrow().verdict())
        .toList();
  }
}
