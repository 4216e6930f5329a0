package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Finding;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
  private static final Subject SUBJECT = new Subject("throughput", "ops/s", "main", "the change");
  private static final GateRule RULE = GateRule.DEFAULT;
  private static final double SPREAD = 0.03;

  /** Ten pairs whose blocks drift together. */
  private static Gate.Metric pairs(Random random, double ratio, int n) {
    return pairs(random, ratio, n, SPREAD, RULE);
  }

  private static Gate.Metric pairs(
      Random random, double ratio, int n, double spread, GateRule rule) {
    double[] baseline = new double[n];
    double[] candidate = new double[n];
    for (int i = 0; i < n; i++) {
      double drift = 1000 * Math.exp(0.1 * random.nextGaussian());
      baseline[i] = drift * Math.exp(spread * random.nextGaussian());
      candidate[i] = ratio * drift * Math.exp(spread * random.nextGaussian());
    }
    return new Gate.Metric(SUBJECT, baseline, candidate, true, rule);
  }

  private static double harmShare(double ratio, int comparisons, GateRule rule) {
    return harmShare(ratio, comparisons, rule, SPREAD);
  }

  private static double harmShare(double ratio, int comparisons, GateRule rule, double spread) {
    Random random = new Random(20261120);
    int harm = 0;
    for (int i = 0; i < comparisons; i++) {
      GateResult result = Gate.judge(pairs(random, ratio, rule.pairs(), spread, rule));
      harm += result.outcome() == GateResult.Outcome.HARM ? 1 : 0;
    }
    return harm / (double) comparisons;
  }

  @Test
  void ofTwoThousandComparisonsOfTheSameAtMostOnePercentAreFalseAlarms() {
    assertThat(harmShare(1, 2000, GateRule.DEFAULT)).isLessThanOrEqualTo(0.01);
    assertThat(harmShare(1, 2000, GateRule.DEFAULT.lowerIsBetter())).isLessThanOrEqualTo(0.01);
  }

  @Test
  void aLossOfTenPercentIsFound() {
    assertThat(harmShare(0.9, 2000, GateRule.DEFAULT)).isGreaterThanOrEqualTo(0.98);
    assertThat(harmShare(1 / 0.9, 1000, GateRule.DEFAULT.lowerIsBetter()))
        .isGreaterThanOrEqualTo(0.98);
  }

  /** What a gate comes to that makes the further pairs that it asks for, at most three times. */
  private static double harmShareAsAskedFor(double ratio, int comparisons, double spread) {
    Random random = new Random(20261121);
    int harm = 0;
    for (int i = 0; i < comparisons; i++) {
      Gate.Metric all = pairs(random, ratio, 60, spread, RULE);
      int n = RULE.pairs();
      GateResult result = Gate.judge(first(all, n));
      for (int again = 0; again < 3 && goesOn(result, n); again++) {
        n += result.missing();
        result = Gate.judge(first(all, n));
      }
      harm += result.outcome() == GateResult.Outcome.HARM ? 1 : 0;
    }
    return harm / (double) comparisons;
  }

  private static boolean goesOn(GateResult result, int n) {
    return result.outcome() == GateResult.Outcome.NOT_ENOUGH_RUNS && n + result.missing() <= 60;
  }

  private static Gate.Metric first(Gate.Metric all, int n) {
    return new Gate.Metric(
        all.subject(),
        Arrays.copyOf(all.baseline(), n),
        Arrays.copyOf(all.candidate(), n),
        true,
        all.rule());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.03, 0.05})
  void withThePairsThatItAsksForItHoldsAtEveryNoise(double spread) {
    assertThat(harmShareAsAskedFor(1, 2000, spread)).isLessThanOrEqualTo(0.01);
    assertThat(harmShareAsAskedFor(0.9, 2000, spread)).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void atMoreNoiseItAsksForMorePairs() {
    double[] noises = {0.02, 0.03, 0.05, 0.1};
    int[] pairs =
        Arrays.stream(noises)
            .mapToInt(noise -> NoiseFloor.pairs(noise * Math.sqrt(2), 0.1, RULE).orElseThrow())
            .toArray();
    assertThat(pairs).containsExactly(7, 7, 12, 38);
    assertThat(NoiseFloor.pairs(2, 0.1, RULE)).isEmpty();
  }

  @Test
  void aFewPairsSufficeWhereTheWholeIntervalIsBeyondTheMargin() {
    assertThat(Gate.judge(pairs(new Random(1), 0.5, 3)).outcome())
        .isEqualTo(GateResult.Outcome.HARM);
    assertThat(Gate.judge(pairs(new Random(1), 2, 3)).outcome()).isEqualTo(GateResult.Outcome.PASS);
  }

  @Test
  void runsThatShareNoBlocksAreJudgedAsWell() {
    Random random = new Random(5);
    int alarms = 0;
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      alarms += unpaired(random, 1).outcome() == GateResult.Outcome.HARM ? 1 : 0;
      found += unpaired(random, 0.9).outcome() == GateResult.Outcome.HARM ? 1 : 0;
    }
    assertThat(alarms / 1000.0).isLessThanOrEqualTo(0.01);
    assertThat(found / 1000.0).isGreaterThanOrEqualTo(0.95);
  }

  private static GateResult unpaired(Random random, double ratio) {
    double[] a =
        random.doubles(10).map(x -> 1000 * Math.exp(SPREAD * random.nextGaussian())).toArray();
    double[] b =
        random
            .doubles(10)
            .map(x -> ratio * 1000 * Math.exp(SPREAD * random.nextGaussian()))
            .toArray();
    return Gate.judge(new Gate.Metric(SUBJECT, a, b, false, RULE));
  }

  @Test
  void aLossOfFivePercentIsFoundInThreeCasesOfFour() {
    assertThat(harmShare(0.95, 2000, GateRule.DEFAULT)).isBetween(0.72, 0.82);
  }

  @Test
  void falseAlarmsStayRareWhereTheNoiseExceedsTheMargin() {
    assertThat(harmShare(1, 4000, GateRule.DEFAULT, 0.06)).isLessThanOrEqualTo(0.012);
    assertThat(harmShare(0.9, 1000, GateRule.DEFAULT, 0.05)).isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void aGainIsNoHarm() {
    assertThat(harmShare(1.1, 500, GateRule.DEFAULT)).isZero();
  }

  @Test
  void fewerPairsThanTheRuleAsksForAreNotEnough() {
    GateResult result = Gate.judge(pairs(new Random(1), 1, 4));
    assertThat(result.outcome()).isEqualTo(GateResult.Outcome.NOT_ENOUGH_RUNS);
    assertThat(result.outcome().ordinal()).isEqualTo(2);
    assertThat(result.finding().sentence()).contains("make 6 more pairs");
  }

  @Test
  void harmIsToldInWords() {
    GateResult result = Gate.judge(pairs(new Random(1), 0.85, 10));
    assertThat(result.outcome().ordinal()).isEqualTo(1);
    assertThat(result.finding().severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(result.finding().sentence())
        .startsWith("The throughput of the change is typically −")
        .endsWith("a significant regression above the margin of 3 %.");
  }

  @Test
  void severalResponsesShareOneErrorRate() {
    Random random = new Random(3);
    List<Gate.Metric> metrics =
        List.of(pairs(random, 0.8, 10), pairs(random, 1, 10), pairs(random, 1, 10));
    List<GateResult> results = Gate.judgeAll(metrics);
    assertThat(results.get(0).outcome()).isEqualTo(GateResult.Outcome.HARM);
    GateResult alone = Gate.judge(metrics.get(0));
    assertThat(results.get(0).p()).isCloseTo(3 * alone.p(), within(1e-15));
  }

  @Test
  void theNoiseFloorSaysWhatAGateCanFindHere() {
    Gate.Metric same = pairs(new Random(2), 1, 40);
    NoiseFloor floor = NoiseFloor.of(same.baseline(), same.candidate(), GateRule.DEFAULT, 0.95);
    assertThat(floor.noise().contains(SPREAD)).isTrue();
    assertThat(floor.bias().contains(1)).isTrue();
    assertThat(floor.finding().sentence())
        .contains("with a margin of 3 %")
        .contains("one of 10 pairs finds a loss of");
    assertThat(floor.pairsNeeded()).isPresent();
    assertThat(floor.smallestLoss().contains(NoiseFloor.loss(SPREAD * Math.sqrt(2), RULE)))
        .isTrue();
  }

  @Test
  void theSmallestLossIsFoundInNineteenCasesOfTwenty() {
    double loss = NoiseFloor.loss(SPREAD * Math.sqrt(2), RULE);
    assertThat(harmShare(1 - loss, 2000, RULE)).isBetween(0.94, 0.99);
    double noisy = NoiseFloor.loss(0.06 * Math.sqrt(2), RULE);
    assertThat(harmShare(1 - noisy, 2000, RULE, 0.06)).isBetween(0.94, 0.99);
  }
}
