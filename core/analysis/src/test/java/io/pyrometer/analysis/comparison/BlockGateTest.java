package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.comparison.BlockGate.Judgement;
import io.pyrometer.analysis.comparison.BlockGate.Row;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockGateTest {
  private static final double[] NOISE = {-1, 1, -0.5, 0.5, -1, 1, -0.5, 0.5, -1, 1};

  private static Row row(double ratio, double noise, Direction better) {
    return new Row(
        Arrays.stream(NOISE).map(of -> Math.log(ratio) + noise * of).toArray(), 0.03, better);
  }

  private static Judgement judge(Row row) {
    return BlockGate.judge(List.of(row)).get(0).orElseThrow();
  }

  private static double loss(Direction better, double of) {
    return better == Direction.HIGHER ? 1 - of : 1 + of;
  }

  @ParameterizedTest
  @EnumSource
  void aLossIsARegressionAGainAnImprovementAndAnEqualVersionPasses(Direction better) {
    Judgement worse = judge(row(loss(better, 0.1), 0.01, better));
    assertThat(worse.verdict()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(worse.ratio().value()).isCloseTo(loss(better, 0.1), within(1e-9));
    assertThat(worse.p()).isLessThan(BlockGate.LEVEL);
    Judgement gain = judge(row(loss(better, -0.1), 0.01, better));
    assertThat(gain.verdict()).isEqualTo(GateVerdict.PASS);
    assertThat(gain.improvement()).isTrue();
    Judgement equal = judge(row(1, 0.01, better));
    assertThat(equal.verdict()).isEqualTo(GateVerdict.PASS);
    assertThat(equal.improvement()).isFalse();
  }

  /** Ten differences with mean −0.02 and sum of squares 7 · 0.04²: t of 9 degrees by hand. */
  @Test
  void theIntervalIsStudentsOfTheDifferences() {
    Judgement found = judge(row(Math.exp(-0.02), 0.04, Direction.HIGHER));
    double sd = 0.04 * Math.sqrt((6 * 1 + 4 * 0.25) / 9);
    double half = 2.262157 * sd / Math.sqrt(10);
    assertThat(Math.log(found.ratio().low())).isCloseTo(-0.02 - half, within(1e-6));
    assertThat(Math.log(found.ratio().high())).isCloseTo(-0.02 + half, within(1e-6));
    assertThat(found.verdict()).isEqualTo(GateVerdict.NOT_DECIDED);
  }

  @Test
  void aSignificantLossWithinTheSmallestRelevantDifferenceIsNoRegression() {
    Judgement small = judge(row(0.98, 0.005, Direction.HIGHER));
    assertThat(small.p()).isLessThan(0.001);
    assertThat(small.verdict()).isEqualTo(GateVerdict.PASS);
  }

  @Test
  void allRowsShareTheLevel() {
    Row weak = row(0.95, 0.048, Direction.HIGHER);
    Judgement alone = judge(weak);
    assertThat(alone.verdict()).isEqualTo(GateVerdict.REGRESSION);
    List<Row> family = new ArrayList<>(List.of(weak));
    for (int i = 0; i < 49; i++) {
      family.add(row(1, 0.01, Direction.HIGHER));
    }
    Judgement amongMany = BlockGate.judge(family).get(0).orElseThrow();
    assertThat(amongMany.p()).isCloseTo(Math.min(1, 50 * alone.p()), within(1e-9));
    assertThat(amongMany.verdict()).isEqualTo(GateVerdict.NOT_DECIDED);
    assertThat(amongMany.blocksToDecide().orElseThrow()).isGreaterThan(10);
  }

  @Test
  void valuesWithoutNoiseAreJudged() {
    double[] equal = new double[5];
    assertThat(judge(new Row(equal, 0.03, Direction.LOWER)).verdict()).isEqualTo(GateVerdict.PASS);
    Arrays.fill(equal, 0.1);
    assertThat(judge(new Row(equal, 0.03, Direction.LOWER)).verdict())
        .isEqualTo(GateVerdict.REGRESSION);
  }

  @Test
  void theNumberOfBlocksGrowsWithTheNoiseAndEnds() {
    assertThat(BlockGate.blocksToExclude(0.02, 0.03, Direction.HIGHER).orElseThrow())
        .isBetween(6, 12);
    assertThat(BlockGate.blocksToExclude(0.04, 0.03, Direction.HIGHER).orElseThrow())
        .isBetween(22, 30);
    assertThat(BlockGate.blocksToExclude(5, 0.03, Direction.HIGHER)).isEmpty();
  }

  /** Products and running maxima by hand. */
  @Test
  void holmAdjustsEachByTheHypothesesThatRemain() {
    assertThat(MultipleTesting.holm(new double[] {0.04, 0.01, 0.03, 0.5}))
        .containsExactly(new double[] {0.09, 0.04, 0.09, 0.5}, within(1e-14));
  }

  @Test
  void aMarginThatIsNoShareIsRefused() {
    assertThatThrownBy(() -> new Row(new double[0], 1, Direction.HIGHER))
        .isInstanceOf(BadDataException.class);
  }
}
