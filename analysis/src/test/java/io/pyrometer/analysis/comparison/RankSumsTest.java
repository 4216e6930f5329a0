package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hipparchus.stat.inference.MannWhitneyUTest;
import org.junit.jupiter.api.Test;

class RankSumsTest {
  @Test
  void theCountsOfSmallSamplesAreThoseOfTheTables() {
    // Of the 20 orders of 3 and 3: U = 0, 1, 2, 3 come up 1, 1, 2, 3 times.
    RankSums sums = RankSums.mannWhitney(3, 3);
    assertThat(sums.atMost(0)).isCloseTo(1 / 20.0, within(1e-15));
    assertThat(sums.atMost(1)).isCloseTo(2 / 20.0, within(1e-15));
    assertThat(sums.atMost(2)).isCloseTo(4 / 20.0, within(1e-15));
    assertThat(sums.atMost(3)).isCloseTo(7 / 20.0, within(1e-15));
    assertThat(sums.atMost(9)).isEqualTo(1);
    // Wilcoxon's critical value for n = 10, two-sided 5 %, is 8.
    assertThat(RankSums.signedRanks(10).atMost(8)).isLessThan(0.025);
    assertThat(RankSums.signedRanks(10).atMost(9)).isGreaterThan(0.025);
  }

  @Test
  void theExactTestAgreesWithHipparchus() {
    double[] x = {1.5, 2.25, 3.125, 9};
    double[] y = {2, 4, 5, 6.5, 7};
    assertThat(MannWhitney.of(x, y).p())
        .isCloseTo(new MannWhitneyUTest().mannWhitneyUTest(x, y, true), within(1e-12));
  }

  @Test
  void threeAgainstThreeHaveAnIntervalOfNinetyPercentAndItSaysSo() {
    double[] x = {1, 2, 3};
    double[] y = {4, 6, 8};
    assertThat(HodgesLehmann.shift(x, y, "", 0.95).confidence()).isCloseTo(0.9, within(1e-12));
  }

  @Test
  void onePairHasNoInterval() {
    assertThat(HodgesLehmann.centre(new double[] {3}, "", 0.95).hasInterval()).isFalse();
  }

  @Test
  void allPositiveDifferencesHaveTheLeastSignedRankP() {
    SignedRanks test = SignedRanks.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    assertThat(test.positive()).isEqualTo(55);
    assertThat(test.p()).isCloseTo(2 / 1024.0, within(1e-15));
    assertThat(SignedRanks.of(new double[5]).p()).isEqualTo(1);
  }
}
