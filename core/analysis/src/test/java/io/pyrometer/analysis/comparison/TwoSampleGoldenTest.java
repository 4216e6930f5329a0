package io.pyrometer.analysis.comparison;

import static io.pyrometer.analysis.Golden.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
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
  void holmAndBenjaminiHochbergAdjust() {
    JsonNode testing = GOLDEN.get("multiple_testing");
    double[] p = array(testing.get("p"));
    assertThat(MultipleTesting.holm(p)).containsExactly(array(testing.get("holm")), within(1e-14));
    assertThat(MultipleTesting.benjaminiHochberg(p))
        .containsExactly(array(testing.get("bh")), within(1e-14));
  }
}
