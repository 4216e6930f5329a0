package io.pyrometer.analysis.comparison;

import static io.pyrometer.analysis.Golden.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.RatioEstimate;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.estimate.Welch;
import org.junit.jupiter.api.Test;

class TwoSampleGoldenTest {
  private static final JsonNode GOLDEN = Golden.json("two-sample-tests.json");
  private static final double[] X = array(GOLDEN.get("x"));
  private static final double[] Y = array(GOLDEN.get("y"));

  private static double expected(String key) {
    return GOLDEN.get(key).asDouble();
  }

  @Test
  void mannWhitneyIsExactWithoutTies() {
    MannWhitney test = MannWhitney.of(X, Y);
    assertThat(test.u()).isEqualTo(expected("mwu_U_x"));
    assertThat(test.p()).isCloseTo(expected("mwu_p_exact"), within(1e-15));
    assertThat(test.exact()).isTrue();
  }

  @Test
  void mannWhitneyWithTiesIsCorrectedForThemAndForContinuity() {
    JsonNode ties = GOLDEN.get("ties");
    MannWhitney test = MannWhitney.of(array(ties.get("x")), array(ties.get("y")));
    assertThat(test.u()).isEqualTo(ties.get("U_x").asDouble());
    assertThat(test.p()).isCloseTo(ties.get("p_asymptotic_cc_tiecorr").asDouble(), within(1e-12));
    assertThat(test.exact()).isFalse();
  }

  @Test
  void mannWhitneyOfLargeSamplesUsesTheSameApproximation() {
    assertThat(MannWhitney.approximate(X, Y, MannWhitney.of(X, Y).u()).p())
        .isCloseTo(expected("mwu_p_asymptotic_cc_tiecorr"), within(1e-12));
  }

  @Test
  void cliffsDeltaAndVarghaDelaneyAgree() {
    assertThat(CliffsDelta.of(X, Y)).isCloseTo(expected("cliffs_delta_x_minus_y"), within(1e-14));
    assertThat((CliffsDelta.of(X, Y) + 1) / 2)
        .isCloseTo(expected("vargha_delaney_A_x"), within(1e-14));
    JsonNode ties = GOLDEN.get("ties");
    assertThat(CliffsDelta.of(array(ties.get("x")), array(ties.get("y"))))
        .isCloseTo(ties.get("cliffs_delta").asDouble(), within(1e-14));
  }

  @Test
  void hodgesLehmannHasItsExactInterval() {
    Estimate shift = HodgesLehmann.shift(X, Y, "ms", 0.95);
    assertThat(shift.value()).isCloseTo(expected("hodges_lehmann_y_minus_x"), within(1e-12));
    assertThat(shift.low()).isCloseTo(1.2, within(1e-12));
    assertThat(shift.high()).isCloseTo(5.0, within(1e-12));
    assertThat(shift.confidence()).isCloseTo(expected("hl_conf"), within(1e-14));
    assertThat(RankSums.mannWhitney(10, 10).orderForInterval(0.95))
        .isEqualTo(GOLDEN.get("hl_k").asInt());
    JsonNode ties = GOLDEN.get("ties");
    assertThat(HodgesLehmann.shift(array(ties.get("x")), array(ties.get("y")), "", 0.95).value())
        .isEqualTo(ties.get("hl_y_minus_x").asDouble());
  }

  @Test
  void welchGivesTheDifferenceOfMeans() {
    Welch welch = Welch.of(X, Y);
    assertThat(welch.t()).isCloseTo(expected("welch_t_y_minus_x"), within(1e-12));
    assertThat(welch.degreesOfFreedom()).isCloseTo(expected("welch_df"), within(1e-11));
    assertThat(welch.p()).isCloseTo(expected("welch_p"), within(1e-12));
    double half = StudentT.twoSided(0.95, welch.degreesOfFreedom()) * welch.standardError();
    double difference = Samples.mean(Y) - Samples.mean(X);
    double[] interval = array(GOLDEN.get("welch_ci95_diff"));
    assertThat(difference - half).isCloseTo(interval[0], within(1e-8));
    assertThat(difference + half).isCloseTo(interval[1], within(1e-8));
  }

  @Test
  void logWelchGivesTheRatioOfGeometricMeans() {
    RatioEstimate ratio = Ratios.welch(X, Y, 0.95);
    double[] interval = array(GOLDEN.get("ratio_geomean_ci95_logwelch"));
    assertThat(ratio.ratio().value()).isCloseTo(expected("ratio_geomean"), within(1e-12));
    assertThat(ratio.ratio().low()).isCloseTo(interval[0], within(1e-9));
    assertThat(ratio.ratio().high()).isCloseTo(interval[1], within(1e-9));
    assertThat(ratio.degreesOfFreedom()).isCloseTo(expected("logwelch_df"), within(1e-10));
    assertThat(ratio.p()).isCloseTo(expected("logwelch_p"), within(1e-12));
  }

  @Test
  void fiellerGivesTheRatioOfArithmeticMeans() {
    Estimate ratio = Ratios.fieller(X, Y, 0.95).orElseThrow();
    double[] interval = array(GOLDEN.get("fieller_ci95"));
    assertThat(ratio.value()).isCloseTo(expected("fieller_ratio_of_means"), within(1e-12));
    assertThat(ratio.low()).isCloseTo(interval[0], within(1e-9));
    assertThat(ratio.high()).isCloseTo(interval[1], within(1e-9));
    assertThat(Welch.of(X, Y).degreesOfFreedom())
        .isCloseTo(expected("fieller_df_welch"), within(1e-10));
    double t = StudentT.twoSided(0.95, Welch.of(X, Y).degreesOfFreedom());
    double mean = Samples.mean(X);
    assertThat(t * t * Samples.variance(X) / X.length / (mean * mean))
        .isCloseTo(expected("fieller_g"), within(1e-11));
  }

  @Test
  void holmAndBenjaminiHochbergAdjust() {
    JsonNode testing = GOLDEN.get("multiple_testing");
    double[] p = array(testing.get("p"));
    assertThat(MultipleTesting.holm(p)).containsExactly(array(testing.get("holm")), within(1e-14));
    assertThat(MultipleTesting.benjaminiHochberg(p))
        .containsExactly(array(testing.get("bh")), within(1e-14));
  }
}
