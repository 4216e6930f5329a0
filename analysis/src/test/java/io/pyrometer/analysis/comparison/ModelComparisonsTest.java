package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.mixed.TreatmentModel;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables and gates over many rows that share blocks and noise. */
class ModelComparisonsTest {

  /** Rows A and B of every treatment in the same blocks; B of the first loses a share. */
  private static TreatmentModel interleaved(
      int rows, int blocks, double noise, double loss, Random random) {
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = 0.05 * random.nextGaussian();
      for (int row = 0; row < rows; row++) {
        for (String build : List.of("A", "B")) {
          boolean worse = row == 0 && build.equals("B");
          double y = level + noise * random.nextGaussian() + (worse ? Math.log(1 - loss) : 0);
          measured.add(
              new Measurement(row + build, "1", "b" + block, 1000 * (row + 1) * Math.exp(y)));
        }
      }
    }
    return TreatmentModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
  }

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
              ComparisonRule.HIGHER_IS_BETTER);
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
            ComparisonRule.HIGHER_IS_BETTER);
    assertThat(rows.get(0).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(rows.get(0).finding().sentence())
        .contains("worse by more than 3 %")
        .contains("corrected for 42 comparisons");
    assertThat(rows.stream().filter(r -> r.verdict() == Verdict.WORSE)).hasSize(1);
  }

  @Test
  void aGateOfEightyFourRowsAtFivePercentNoiseNeedsFifteenBlocksOrFewer() {
    Random random = new Random(84);
    TreatmentModel model = interleaved(84, 15, 0.05, 0, random);
    List<GateResult> results = ModelGate.judgeAll(model, pairs(84), "throughput", GateRule.DEFAULT);
    assertThat(results).allMatch(r -> r.outcome() == Outcome.PASS);
    assertThat(results.get(0).finding().sentence()).contains("is excluded");
    TreatmentModel harmed = interleaved(84, 15, 0.05, 0.1, random);
    assertThat(
            ModelGate.judgeAll(harmed, pairs(84), "throughput", GateRule.DEFAULT).get(0).outcome())
        .isEqualTo(Outcome.HARM);
  }

  @Test
  void aLossOfEightPercentDoesNotPassAMarginOfThree() {
    Random random = new Random(8);
    int passed = 0;
    for (int trial = 0; trial < 60; trial++) {
      TreatmentModel model = interleaved(1, 20, 0.05, 0.08, random);
      passed +=
          ModelGate.judgeAll(model, pairs(1), "throughput", GateRule.DEFAULT).get(0).outcome()
                  == Outcome.PASS
              ? 1
              : 0;
    }
    assertThat(passed).isLessThanOrEqualTo(6);
  }

  @Test
  void twoSeparateRunsAreNotJudged() {
    Random random = new Random(2);
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < 12; block++) {
      measured.add(new Measurement("A", "1", "b" + block, Math.exp(0.02 * random.nextGaussian())));
      measured.add(new Measurement("B", "2", "b" + block, Math.exp(0.02 * random.nextGaussian())));
    }
    TreatmentModel model = TreatmentModel.of(measured);
    GateResult result =
        ModelGate.judgeAll(model, List.of(new Pair("A", "B")), "throughput", GateRule.DEFAULT)
            .get(0);
    assertThat(result.outcome()).isEqualTo(Outcome.NOT_ENOUGH_RUNS);
    assertThat(result.finding().sentence())
        .contains("at different times")
        .contains("run both in the same blocks");
  }

  @Test
  void lookingAfterEveryPairRaisesNoFalseAlarm() {
    Random random = new Random(1);
    int alarms = 0;
    int plain = 0;
    int trials = 800;
    for (int trial = 0; trial < trials; trial++) {
      boolean alarm = false;
      boolean peeked = false;
      double[] logs = new double[40];
      for (int n = 0; n < logs.length; n++) {
        logs[n] = 0.05 * random.nextGaussian();
        if (n >= SequentialComparison.FIRST_LOOK - 1) {
          double[] seen = Arrays.copyOf(logs, n + 1);
          double mean = Samples.mean(seen);
          alarm |= Math.abs(mean) > SequentialComparison.halfWidth(seen, 0.01);
          double error = Math.sqrt(Samples.variance(seen) / (n + 1));
          peeked |= Math.abs(mean) > 2.7 * error;
        }
      }
      alarms += alarm ? 1 : 0;
      plain += peeked ? 1 : 0;
    }
    assertThat(alarms / (double) trials).isLessThanOrEqualTo(0.015);
    assertThat(plain / (double) trials).isGreaterThan(0.05);
  }

  @Test
  void aRegressionOfTenPercentStopsEarly() {
    Random random = new Random(3);
    Subject subject = new Subject("throughput", "ops/s", "A", "B");
    int pairs = 0;
    int found = 0;
    for (int trial = 0; trial < 100; trial++) {
      double[] a = new double[40];
      double[] b = new double[40];
      for (int n = 0; n < 40; n++) {
        a[n] = Math.exp(0.04 * random.nextGaussian());
        b[n] = 0.9 * Math.exp(0.04 * random.nextGaussian());
        if (n < 1) {
          continue;
        }
        SequentialComparison look =
            SequentialComparison.of(
                Arrays.copyOf(a, n + 1), Arrays.copyOf(b, n + 1), subject, GateRule.DEFAULT, 1);
        if (look.decision() != SequentialComparison.Decision.GO_ON) {
          found += look.decision() == SequentialComparison.Decision.REGRESSION ? 1 : 0;
          pairs += n + 1;
          break;
        }
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(98);
    assertThat(pairs / 100.0).isLessThan(16);
  }
}
