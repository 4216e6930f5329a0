package io.pyrometer.analysis.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimatesTest {
  @Test
  void mediansHaveTheExactIntervalOfTheirRanks() {
    Estimate three = Means.median(new double[] {3, 1, 2}, "ops/s");
    assertThat(three).isEqualTo(new Estimate(2, 1, 3, 0.75, 3, "ops/s"));
    double[] ten = {10, 1, 9, 2, 8, 3, 7, 4, 6, 5};
    Estimate of = Means.median(ten, "");
    // The tabled interval of 10 values, from the second to the ninth: 1 − 22/1024.
    assertThat(of.low()).isEqualTo(2);
    assertThat(of.high()).isEqualTo(9);
    assertThat(of.confidence()).isCloseTo(1 - 22 / 1024.0, within(1e-12));
    assertThat(Means.median(new double[] {4}, "").hasInterval()).isFalse();
  }

  @Test
  void aSingleReplicateHasNoInterval() {
    Estimate once = Means.arithmetic(new double[] {7}, "ops/s");
    assertThat(once.hasInterval()).isFalse();
  }

  @Test
  void figuresThatAreNoFiguresAreRefused() {
    assertThatThrownBy(() -> Means.arithmetic(new double[] {1, Double.NaN}, ""))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(" 2 ")
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> Means.arithmetic(new double[0], ""))
        .isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> Means.arithmetic(new double[] {1e300, -1e300}, ""))
        .isInstanceOf(BadDataException.class);
  }

  @ParameterizedTest
  @CsvSource({
    // Two-sided 5 % and 1 % points of the printed tables.
    "0.975, 1, 12.7062047", "0.975, 2, 4.30265273", "0.975, 9, 2.26215716",
    "0.975, 32, 2.03693334", "0.995, 1, 63.6567412", "0.995, 4, 4.60409487",
    "0.5, 7, 0", "0.01, 9, -2.82143792", "0.9999, 3, 22.2037423"
  })
  void studentsQuantilesAreThoseOfTheTables(double probability, double df, double expected) {
    assertThat(StudentT.quantile(probability, df)).isCloseTo(expected, within(1e-7));
    assertThat(StudentT.below(StudentT.quantile(probability, df), df))
        .isCloseTo(probability, within(1e-12));
  }
}
