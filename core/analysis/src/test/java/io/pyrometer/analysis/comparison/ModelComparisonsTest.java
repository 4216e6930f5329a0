package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables and gates over many rows that share blocks and noise. */
class ModelComparisonsTest {

  /** Rows A and B of every treatment in the same blocks; B of the first loses a share. */
  private static BlockModel interleaved(
      int rows, int blocks, double noise, double loss, Random random) {
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = 0.05 * random.nextGaussian();
      for (int row = 0; row < rows; row++) {
        for (String build : List.of("A", "B")) {
          boolean worse = row == 0 && build.equals("B");
          double y = level + noise * random.nextGaussian() + (worse ? Math.log(1 - loss) : 0);
          measured.add(new Measurement(row + build, "b" + block, 1000 * (row + 1) * Math.exp(y)));
        }
      }
    }
    return BlockModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
  }

  @Tag("simulation")
  @Test
  void aTableOfTheSameAgainstItselfClaimsNothing() {
    Random random = new Random(42);
    int claims = 0;
    int alone = 0;
    for (int trial = 0; trial < 20; trial++) {
      List<TreatmentComparisons.Row> rows =
          TreatmentComparisons.of(
              interleaved(42, 5, 0.06, 0, random),
              pairs(42),
              "throughput",
              ComparisonRule.HIGHER_IS_BETTER,
              42);
      claims +=
          rows.stream().anyMatch(r -> r.verdict() == Verdict.BETTER || r.verdict() == Verdict.WORSE)
              ? 1
              : 0;
      alone += rows.stream().anyMatch(r -> r.p() < 0.05) ? 1 : 0;
    }
    assertThat(claims).isLessThanOrEqualTo(2);
    assertThat(alone).isGreaterThanOrEqualTo(claims);
  }

  @Test
  void aRealLossIsStillNamedAmongMany() {
    Random random = new Random(43);
    List<TreatmentComparisons.Row> rows =
        TreatmentComparisons.of(
            interleaved(42, 8, 0.04, 0.2, random),
            pairs(42),
            "throughput",
            ComparisonRule.HIGHER_IS_BETTER,
            42);
    assertThat(rows.get(0).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(rows.get(0).finding().sentence())
        .contains("worse by more than 3 %")
        .contains("corrected for 42 comparisons");
    assertThat(rows.stream().filter(r -> r.verdict() == Verdict.WORSE)).hasSize(1);
  }

  @Test
  void aGateOfEightyFourRowsAtFivePercentNoiseFindsTenPercentInFifteenBlocks() {
    Random random = new Random(84);
    BlockModel model = interleaved(84, 15, 0.05, 0, random);
    assertThat(ModelTests.judgeAll(model, pairs(84), "throughput", GateRule.DEFAULT))
        .hasSize(84)
        .allMatch(test -> test.orElseThrow().possibleLoss() < 0.1);
    BlockModel slower = interleaved(84, 15, 0.05, 0.1, random);
    assertThat(gate(slower, pairs(84))).isEqualTo(GateVerdict.REGRESSION);
  }

  @Tag("simulation")
  @Test
  void aLossOfFivePercentDoesNotPassAMarginOfThree() {
    Random random = new Random(8);
    int passed = 0;
    for (int trial = 0; trial < 60; trial++) {
      BlockModel model = interleaved(1, 20, 0.03, 0.05, random);
      passed += gate(model, pairs(1)) == GateVerdict.PASS ? 1 : 0;
    }
    assertThat(passed).isLessThanOrEqualTo(1);
  }

  private static GateVerdict gate(BlockModel model, List<Pair> pairs) {
    return ModelTests.judgeAll(model, pairs, "throughput", GateRule.DEFAULT)
        .get(0)
        .orElseThrow()
        .verdict();
  }

  @Test
  void twoSeparateRunsAreNotJudged() {
    Random random = new Random(2);
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < 12; block++) {
      measured.add(new Measurement("A", "1-" + block, Math.exp(0.02 * random.nextGaussian())));
      measured.add(new Measurement("B", "2-" + block, Math.exp(0.02 * random.nextGaussian())));
    }
    BlockModel model = BlockModel.of(measured);
    assertThat(
            ModelTests.judgeAll(model, List.of(new Pair("A", "B")), "throughput", GateRule.DEFAULT))
        .containsExactly(Optional.empty());
    assertThat(model.obstacle("A", "B").orElseThrow()).contains("run both in the same blocks");
  }

  private static Contrast mean(double[] logs, int n) {
    double[] seen = Arrays.copyOf(logs, n);
    return new Contrast(Samples.mean(seen), Math.sqrt(Samples.variance(seen) / n), n - 1.0);
  }

  @Test
  void theConfidenceSequenceEndsWherePReachesItsLevel() {
    for (double df : new double[] {9, 40, 800}) {
      Contrast ln = new Contrast(0, 0.02, df);
      double half = SequentialComparison.halfWidth(ln, 10, 0.01);
      assertThat(SequentialComparison.p(new Contrast(half, 0.02, df), 10))
          .isCloseTo(0.01, within(1e-9));
      assertThat(half).isGreaterThan(ln.halfWidth(0.99));
    }
  }

  @Tag("simulation")
  @Test
  void lookingAfterEveryPairRaisesNoFalseAlarm() {
    Random random = new Random(1);
    int alarms = 0;
    int plain = 0;
    int trials = 800;
    for (int trial = 0; trial < trials; trial++) {
      boolean alarm = false;
      boolean peeked = false;
      double[] logs = random.doubles(40).map(u -> 0.05 * random.nextGaussian()).toArray();
      for (int n = SequentialComparison.FIRST_LOOK; n <= logs.length; n++) {
        alarm |= SequentialComparison.p(mean(logs, n), n) < 0.01;
        peeked |= Math.abs(mean(logs, n).t()) > 2.7;
      }
      alarms += alarm ? 1 : 0;
      plain += peeked ? 1 : 0;
    }
    assertThat(alarms / (double) trials).isLessThanOrEqualTo(0.015);
    assertThat(plain / (double) trials).isGreaterThan(0.05);
  }

  private static Optional<LossTest> look(double[] logs, int n) {
    return SequentialComparison.judgeAll(List.of(row(logs, n))).get(0);
  }

  private static LossTest.Row row(double[] logs, int n) {
    return new LossTest.Row(
        ModelledPair.of(new Pair("A", "B"), "throughput", mean(logs, n), n, "block"),
        GateRule.DEFAULT);
  }

  /** After so many planned blocks. */
  private static GateVerdict planned(double[] logs, int n) {
    return SequentialComparison.looksOnce(n)
        ? LossTest.judgeAll(List.of(row(logs, n))).get(0).orElseThrow().verdict()
        : verdict(logs, n);
  }

  private static GateVerdict verdict(double[] logs, int n) {
    return look(logs, n).map(LossTest::verdict).orElse(GateVerdict.NOT_ENOUGH_RUNS);
  }

  private static double[] logs(double ratio, double noise, Random random) {
    return random
        .doubles(200)
        .map(u -> Math.log(ratio) + noise * Math.sqrt(2) * random.nextGaussian())
        .toArray();
  }

  @Tag("simulation")
  @Test
  void aRegressionOfTenPercentStopsEarly() {
    Random random = new Random(3);
    int blocks = 0;
    for (int trial = 0; trial < 100; trial++) {
      double[] logs = logs(0.9, 0.04, random);
      int n = SequentialComparison.FIRST_LOOK;
      while (verdict(logs, n) != GateVerdict.PASS && verdict(logs, n) != GateVerdict.REGRESSION) {
        n++;
      }
      assertThat(verdict(logs, n)).isEqualTo(GateVerdict.REGRESSION);
      blocks += n;
    }
    assertThat(blocks / 100.0).isLessThan(16);
  }

  @Tag("simulation")
  @Test
  void theBlocksThatItIsSaidToTakeFindALossAndExcludeOne() {
    Random random = new Random(4);
    double sd = 0.03 * Math.sqrt(2);
    int find = SequentialComparison.blocksToFind(sd, 1, GateRule.DEFAULT).orElseThrow();
    int exclude = SequentialComparison.blocksToExclude(sd, GateRule.DEFAULT).orElseThrow();
    int found = 0;
    int excluded = 0;
    for (int trial = 0; trial < 200; trial++) {
      found += planned(logs(0.9, 0.03, random), find) == GateVerdict.REGRESSION ? 1 : 0;
      excluded += planned(logs(1, 0.03, random), exclude) == GateVerdict.PASS ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(182);
    assertThat(excluded).isGreaterThanOrEqualTo(182);
    assertThat(SequentialComparison.blocksToFind(5, 1, GateRule.DEFAULT)).isEmpty();
  }

  @Test
  void aLookSaysWhatIsExcludedAndWhatIsNot() {
    Random random = new Random(5);
    assertThat(look(logs(1, 0.01, random), 20).orElseThrow().inWords("block"))
        .isEqualTo("a loss of 3 % or more is excluded");
    assertThat(look(logs(1, 0.05, random), 6).orElseThrow().inWords("block"))
        .startsWith("a loss of ")
        .endsWith(" is not excluded; more blocks are needed");
    assertThat(look(logs(0.5, 0.01, random), 3)).isEmpty();
  }

  @Test
  void theNoiseFloorSaysHowManyBlocksAGateTakes() {
    Random random = new Random(6);
    double[] a = random.doubles(40).map(u -> Math.exp(0.03 * random.nextGaussian())).toArray();
    double[] b = random.doubles(40).map(u -> Math.exp(0.03 * random.nextGaussian())).toArray();
    NoiseFloor floor = NoiseFloor.of(a, b, GateRule.DEFAULT, 4, 0.95);
    assertThat(floor.noise().contains(0.03)).isTrue();
    assertThat(floor.bias().contains(1)).isTrue();
    assertThat(floor.finding().sentence())
        .contains("finds a loss of 10 % within ", "excludes one of 3 % within ");
    // A margin twice as large takes fewer blocks; the noise does not change it.
    NoiseFloor wide =
        NoiseFloor.of(a, b, new GateRule(0.01, 0.06, GateRule.DEFAULT.better()), 4, 0.95);
    assertThat(wide.blocksToFind().orElseThrow()).isLessThan(floor.blocksToFind().orElseThrow());
  }

  @Test
  void theNoiseFloorPlansWithTheUpperLimitOfTheNoiseAndWithDependentPairs() {
    int independent = blocksToFind(40, i -> i % 2 == 0);
    assertThat(independent)
        .isGreaterThan(SequentialComparison.blocksToFind(0.03, 4, GateRule.DEFAULT).orElseThrow());
    assertThat(blocksToFind(10, i -> i % 2 == 0)).as("fewer pairs").isGreaterThan(independent);
    assertThat(blocksToFind(40, i -> i < 20)).as("drift").isGreaterThan(2 * independent);
  }

  private static int blocksToFind(int pairs, IntPredicate faster) {
    double[] first = new double[pairs];
    Arrays.setAll(first, i -> Math.exp(faster.test(i) ? 0.03 : -0.03));
    double[] second = new double[pairs];
    Arrays.fill(second, 1);
    return NoiseFloor.of(first, second, GateRule.DEFAULT, 4, 0.95).blocksToFind().orElseThrow();
  }
}
