package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateVerdictTest {
  private static LossTest throughput(double low, double value, double high, double p) {
    return new LossTest(GateRule.DEFAULT, p, new Estimate(value, low, high, 0.95, 10, ""));
  }

  @ParameterizedTest
  @CsvSource({
    // Margin 3 %: only an interval that ends above 0.97 passes, however many blocks there were.
    "0.98, 1.00, 1.02, 1, PASS",
    "0.96, 0.99, 1.02, 1, LARGER_LOSS_EXCLUDED",
    "0.91, 0.99, 1.07, 1, LARGER_LOSS_EXCLUDED",
    "0.89, 0.99, 1.09, 1, NOT_ENOUGH_RUNS",
    "0.80, 0.90, 0.95, 0.001, REGRESSION",
    "0.93, 0.96, 0.99, 0.001, REGRESSION",
    // Significant, but estimated within the margin.
    "0.96, 0.98, 0.99, 0.001, LARGER_LOSS_EXCLUDED",
    // Beyond the margin, but not after correction for all comparisons.
    "0.80, 0.90, 0.96, 0.02, NOT_ENOUGH_RUNS",
  })
  void theIntervalDecides(double low, double value, double high, double p, GateVerdict expected) {
    assertThat(throughput(low, value, high, p).verdict()).isEqualTo(expected);
    LossTest latency =
        new LossTest(
            new GateRule(0.01, 0.03, Direction.LOWER),
            p,
            new Estimate(2 - value, 2 - high, 2 - low, 0.95, 10, ""));
    assertThat(latency.verdict()).isEqualTo(expected);
  }

  @Test
  void theSizeOfARegressionIsOpenWhereItsIntervalReachesBelowTheMargin() {
    assertThat(throughput(0.93, 0.96, 0.99, 0.001).openSize()).isTrue();
    assertThat(throughput(0.80, 0.90, 0.95, 0.001).openSize()).isFalse();
    assertThat(throughput(0.98, 1.00, 1.02, 1).openSize()).isFalse();
  }

  @Test
  void aLossWithoutABoundIsNotPrintedAsANumber() {
    LossTest latency =
        new LossTest(
            new GateRule(0.01, 0.03, Direction.LOWER), 1, new Estimate(1, 0, 1e20, 0.95, 5, ""));
    assertThat(latency.inWords("block"))
        .isEqualTo("an increase of more than 1000 % is not excluded; more blocks are needed");
  }
}
