package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Claims on intervals, verdicts and gates between treatments. */
final class ComparisonClaims {
  private ComparisonClaims() {}

  static List<Claim> all() {
    Claims claims = new Claims();
    treatments(claims);
    manyRows(claims);
    gates(claims);
    return claims.all();
  }

  private static void treatments(Claims claims) {
    for (double blockSd : new double[] {0, 0.03, 0.5}) {
      claims.add(
          "the 95 % interval of a ratio covers it",
          "6 treatments, 5 blocks, a quarter of the cells missing, noise 5 %%, block sd %.0f %%"
              .formatted(100 * blockSd),
          new Limits(2000, 0.93, 0.975),
          r ->
              BlockModel.of(blocks(6, 5, 0.05, blockSd, 0.25, r))
                  .ratio("t0", "t1")
                  .orElseThrow()
                  .contains(1));
    }
    claims.add(
        "a point of a curve is called outlying though none is",
        "scalability laws with σ 5 % and κ 0 to 2 %, 6 to 14 points, noise 3 %, at 5 %",
        new Limits(500, 0, 0.06),
        r -> {
          double kappa = 0.02 * r.nextDouble();
          int largest = 6 + r.nextInt(9);
          List<ScalePoint> points = new ArrayList<>();
          for (int n = 1; n <= largest; n++) {
            double mean = 100 * n / (1 + 0.05 * (n - 1) + kappa * n * (n - 1));
            points.add(new ScalePoint(n, mean * Math.exp(0.03 * r.nextGaussian())));
          }
          return !Scalability.of(points, AnalysisOptions.DEFAULT).outlier().isEmpty();
        });
  }

  private static void manyRows(Claims claims) {
    claims.add(
        "'better' or 'worse' somewhere though nothing differs",
        "a table of 42 rows, 5 blocks, noise 6 %",
        new Limits(100, 0, 0.05),
        r ->
            TreatmentComparisons.of(
                    builds(42, 5, 0.06, 0, r), pairs(42), ComparisonRule.HIGHER_IS_BETTER, 42)
                .stream()
                .anyMatch(x -> x.verdict() == Verdict.BETTER || x.verdict() == Verdict.WORSE));
  }

  /** A gate as it is applied: one look after the planned blocks, by differences within them. */
  private static void gates(Claims claims) {
    for (Noise noise : NOISES) {
      for (int blocks : new int[] {3, 5, 10}) {
        claims.add(
            "a gate fails though nothing differs",
            "8 rows, %d blocks, noise 5 %%, smallest relevant difference 0.1 %%, %s"
                .formatted(blocks, noise.name()),
            new Limits(2000, 0, 0.015),
            r -> gate(8, blocks, 0.05, noise, 0, 0.001, r) == GateVerdict.REGRESSION);
      }
      claims.add(
          "a gate passes a loss of 5 %",
          "1 row, 10 blocks, noise 2 %, " + noise.name(),
          new Limits(2000, 0, 0.025),
          r -> gate(1, 10, 0.02, noise, 0.05, 0.03, r) == GateVerdict.PASS);
    }
    for (double noise : new double[] {0.01, 0.02, 0.03, 0.05}) {
      String how = "8 rows, 10 blocks, noise %.0f %%".formatted(100 * noise);
      claims.add(
          "a gate fails though nothing differs",
          how,
          new Limits(2000, 0, 0.012),
          r -> gate(8, 10, noise, NOISES.get(0), 0, 0.03, r) == GateVerdict.REGRESSION);
      for (double loss : new double[] {0.05, 0.1}) {
        claims.add(
            "a gate finds a loss of %.0f %%".formatted(100 * loss),
            "one of " + how,
            new Limits(1000, 0, 1),
            r -> gate(8, 10, noise, NOISES.get(0), loss, 0.03, r) == GateVerdict.REGRESSION);
      }
      claims.add(
          "a gate passes an equal version",
          how,
          new Limits(1000, 0, 1),
          r -> gate(8, 10, noise, NOISES.get(0), 0, 0.03, r) == GateVerdict.PASS);
    }
    for (double sd : new double[] {0.03, 0.06}) {
      int exclude = BlockGate.blocksToExclude(sd, 0.03, Direction.HIGHER).orElseThrow();
      claims.add(
          "the blocks that excluding a loss of 3 % is said to take exclude it",
          "1 row, %d blocks, sd of the ratio %.0f %%".formatted(exclude, 100 * sd),
          new Limits(1000, 0.93, 1),
          r -> gate(1, exclude, ofTrial(sd), NOISES.get(0), 0, 0.03, r) == GateVerdict.PASS);
    }
  }

  /** Noise of a trial for a standard deviation of the ratio, of which {@link #gate} adds some. */
  private static double ofTrial(double sd) {
    double drift = (0.01 * 0.01 + 0.02 * 0.02) / 4;
    return Math.sqrt((sd * sd - drift) / 2);
  }

  /** Blocks drift by 1 % each, and by a walk; the order of the versions is random within them. */
  private static GateVerdict gate(
      int rows, int blocks, double noise, Noise shape, double loss, double margin, Random r) {
    double[][] lnRatios = new double[rows][blocks];
    double level = 0;
    for (int block = 0; block < blocks; block++) {
      double next = level + 0.01 + 0.02 * r.nextGaussian();
      double drift = r.nextBoolean() ? (next - level) / 2 : (level - next) / 2;
      level = next;
      for (int row = 0; row < rows; row++) {
        double a = noise * shape.draw().applyAsDouble(r);
        double b = noise * shape.draw().applyAsDouble(r) + (row == 0 ? Math.log(1 - loss) : 0);
        lnRatios[row][block] = b - a + drift;
      }
    }
    return BlockGate.judge(
            Arrays.stream(lnRatios)
                .map(of -> new BlockGate.Row(of, margin, Direction.HIGHER))
                .toList())
        .stream()
        .map(judged -> judged.orElseThrow().verdict())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static List<Measurement> blocks(
      int treatments, int blocks, double noise, double blockSd, double missing, Random random) {
    List<Measurement> rows = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      double level = blockSd * random.nextGaussian();
      for (int t = 0; t < treatments; t++) {
        double value = Math.exp(level + noise * random.nextGaussian());
        if (random.nextDouble() >= missing || b < 2) {
          rows.add(new Measurement("t" + t, "b" + b, "", value));
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
        measured.add(new Measurement(row + "A", "b" + block, "", Math.exp(a)));
        measured.add(new Measurement(row + "B", "b" + block, "", Math.exp(b)));
      }
    }
    return BlockModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
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
}
