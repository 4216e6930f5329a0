package io.pyrometer.analysis.scalability;

import static io.pyrometer.analysis.Golden.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.ResponseScale;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fits on the linear scale, as other tools make them. */
class LawGoldenTest {
  private static final JsonNode GOLDEN = Golden.json("scalability-fits.json");
  private static final AnalysisOptions PLAIN =
      AnalysisOptions.DEFAULT.on(ResponseScale.PLAIN).named("nodes", "ops/s");

  private static List<ScalePoint> points(String set) {
    JsonNode node = GOLDEN.get(set);
    return Points.of(array(node.get("N")), array(node.get("X")));
  }

  private static LawFit law(String set, AnalysisOptions options) {
    return new LawFit(Model.UNIVERSAL, new PooledPoints(points(set), options));
  }

  /** The vectors' own search ended within this share of the least sum of squares. */
  private static Offset<Double> digits(double expected) {
    return Golden.relative(expected, 3e-6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"specsdm91", "single-host-scaling"})
  void theLawIsFittedAsPublished(String set) {
    JsonNode golden = GOLDEN.get(set);
    LawFit fit = law(set, PLAIN);
    String[] keys = {"lambda_", "sigma", "kappa"};
    double[] errors = array(golden.get("se"));
    for (int k = 0; k < 3; k++) {
      double expected = golden.get(keys[k]).asDouble();
      LawFit.Parameter parameter = fit.parameters().get(k);
      assertThat(parameter.estimate().value()).isCloseTo(expected, digits(expected));
      assertThat(parameter.standardError()).isCloseTo(errors[k], digits(errors[k]));
      double[] interval = array(golden.get("profile_ci95").get(k));
      assertThat(parameter.estimate().low()).isCloseTo(interval[0], digits(interval[0]));
      assertThat(parameter.estimate().high()).isCloseTo(interval[1], digits(interval[1]));
      assertThat(parameter.openLow() || parameter.openHigh()).isFalse();
    }
    double rss = golden.get("rss").asDouble();
    assertThat(fit.rss()).isBetween(rss * (1 - 1e-10), rss * (1 + 1e-12));
    assertThat(fit.residualSd())
        .isCloseTo(golden.get("resid_sd").asDouble(), Golden.relative(fit.residualSd(), 1e-10));
    assertThat(fit.degreesOfFreedom()).isEqualTo(golden.get("df").asInt());
  }

  @ParameterizedTest
  @CsvSource({
    "amdahl, AMDAHL",
    "usl, UNIVERSAL",
    "power, POWER",
    "hop-lin, HOP_LINEAR",
    "linear, LINEAR"
  })
  void everyCandidateHasItsParametersAndAicc(String key, Model model) {
    for (String set : List.of("specsdm91", "raytracer", "single-host-scaling")) {
      if (set.equals("raytracer") && model.parameters() == 3) {
        continue; // the vector's κ and c are negative; within bounds it is Amdahl's law, see below
      }
      JsonNode golden = GOLDEN.get(set).get("models").get(key);
      LawFit fit = new LawFit(model, new PooledPoints(points(set), PLAIN));
      double rss = golden.get("rss").asDouble();
      assertThat(fit.rss()).as(set).isCloseTo(rss, Golden.relative(rss, 1e-9));
      double aicc = golden.get("aicc").asDouble();
      assertThat(fit.aicc().orElseThrow()).as(set).isCloseTo(aicc, within(1e-7));
      double[] parameters = array(golden.get("params"));
      for (int k = 0; k < parameters.length; k++) {
        assertThat(fit.parameters().get(k).estimate().value())
            .as(set)
            .isCloseTo(parameters[k], Golden.relative(parameters[k], 5e-5));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"specsdm91", "single-host-scaling"})
  void theLogarithmicScaleHasItsOwnFit(String set) {
    JsonNode golden = GOLDEN.get(set).get("logscale_fit");
    LawFit fit = law(set, PLAIN.on(ResponseScale.LN));
    double[] errors = array(golden.get("se_loglambda_sigma_kappa"));
    String[] keys = {"lambda_", "sigma", "kappa"};
    for (int k = 0; k < 3; k++) {
      double expected = golden.get(keys[k]).asDouble();
      LawFit.Parameter parameter = fit.parameters().get(k);
      assertThat(parameter.estimate().value()).isCloseTo(expected, digits(expected));
      double error = parameter.standardError() / (k == 0 ? fit.lambda() : 1);
      assertThat(error).isCloseTo(errors[k], Golden.relative(errors[k], 1e-4));
    }
    assertThat(fit.residualSd()).isCloseTo(golden.get("resid_sd_log").asDouble(), within(1e-10));
  }

  @Test
  void specsdm91PeaksAtNinetySixNodes() {
    JsonNode golden = GOLDEN.get("specsdm91");
    Scalability.Peak peak = law("specsdm91", PLAIN).peak().orElseThrow();
    assertThat(peak.n().value()).isCloseTo(96.51945, within(2e-4));
    assertThat(peak.throughput().value()).isCloseTo(golden.get("X_peak").asDouble(), within(1e-3));
    double[] knee = array(golden.get("knee_kleinrock"));
    assertThat(peak.knee().value()).isCloseTo(knee[0], within(1e-4));
    assertThat(law("specsdm91", PLAIN).throughput(peak.knee().value()))
        .isCloseTo(knee[1], within(5e-3));
    assertThat(law("specsdm91", PLAIN).lambda() / law("specsdm91", PLAIN).value("σ"))
        .isCloseTo(golden.get("amdahl_limit").asDouble(), within(1e-2));
  }

  @Test
  void raytracerWithinBoundsIsAmdahl() {
    LawFit fit = law("raytracer", PLAIN);
    assertThat(fit.lambda()).isCloseTo(21.848843, within(1e-6));
    assertThat(fit.value("σ")).isCloseTo(.05777078, within(1e-8));
    assertThat(fit.value("κ")).isZero();
    assertThat(fit.rss()).isCloseTo(697.23780, within(1e-5));
    assertThat(fit.parameter("κ").openLow()).isTrue();
    assertThat(fit.parameter("κ").estimate().low()).isZero();
    Scalability found = Scalability.of(points("raytracer"), PLAIN);
    assertThat(found.peak()).isEmpty();
  }
}
