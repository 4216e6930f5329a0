package io.pyrometer.analysis.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against R's lme4 and lmerTest, and statsmodels; {@code mixed/oracle.R} and {@code
 * mixed/statsmodels_figures.py} make the figures.
 */
class MixedModelTest {
  private static final double DIGITS = 1e-5;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "balanced",
        "unbalanced",
        "missing-cells",
        "zero-component",
        "factorial",
        "several-runs",
        "crossed",
        "builds-in-runs",
        "great-blocks"
      })
  void fitsAsLme4AndLmerTestDo(String name) throws IOException {
    JsonNode oracle = oracle(name);
    MixedFit fit = fit(oracle);
    assertThat(fit.criterion()).isCloseTo(oracle.get("criterion").asDouble(), near(1));
    Map<String, Double> variances = fit.variances();
    for (Map.Entry<String, JsonNode> component : oracle.get("components").properties()) {
      double expected = component.getValue().asDouble();
      double actual =
          component.getKey().equals("Residual")
              ? fit.residualVariance()
              : variances.getOrDefault(component.getKey(), Double.NaN);
      assertThat(actual).as(component.getKey()).isCloseTo(expected, near(expected));
    }
    for (int c = 0; c < fit.coefficients().length; c++) {
      Contrast found = fit.coefficient(c);
      double se = oracle.get("standardError").get(c).asDouble();
      assertThat(found.value()).isCloseTo(oracle.get("estimate").get(c).asDouble(), near(se));
      assertThat(found.standardError()).isCloseTo(se, near(se));
      double df = oracle.get("df").get(c).asDouble();
      assertThat(found.degreesOfFreedom()).isCloseTo(df, near(df));
      assertThat(found.t())
          .isCloseTo(
              oracle.get("t").get(c).asDouble(),
              near(1 + Math.abs(oracle.get("t").get(c).asDouble())));
      double p = oracle.get("p").get(c).asDouble();
      assertThat(found.p()).isCloseTo(p, within(2e-4 * p + 1e-15));
    }
  }

  /**
   * Its standard errors are of the Hessian of fixed effects and variances together, which differs
   * from lme4's (XᵀV⁻¹X)⁻¹ by up to 0.6 % where blocks are unbalanced.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "balanced",
        "unbalanced",
        "missing-cells",
        "zero-component",
        "factorial",
        "several-runs",
        "crossed",
        "builds-in-runs",
        "great-blocks"
      })
  void fitsAsStatsmodelsDoes(String name) throws IOException {
    JsonNode figures = figures("statsmodels.json").get("sets").get(name);
    MixedFit fit = fit(oracle(name));
    assertThat(fit.criterion()).isCloseTo(figures.get("criterion").asDouble(), near(1));
    double variance = figures.get("residual").asDouble();
    assertThat(fit.residualVariance()).isCloseTo(variance, near(variance));
    for (Map.Entry<String, JsonNode> component : figures.get("components").properties()) {
      double expected = component.getValue().asDouble();
      assertThat(fit.variances().getOrDefault(component.getKey(), Double.NaN))
          .as(component.getKey())
          .isCloseTo(expected, near(expected + variance));
    }
    for (int c = 0; c < fit.coefficients().length; c++) {
      double se = figures.get("standardError").get(c).asDouble();
      assertThat(fit.coefficient(c).value())
          .isCloseTo(figures.get("estimate").get(c).asDouble(), near(se));
      assertThat(fit.coefficient(c).standardError()).isCloseTo(se, within(6e-3 * se));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "balanced",
        "unbalanced",
        "missing-cells",
        "zero-component",
        "factorial",
        "several-runs",
        "crossed",
        "builds-in-runs"
      })
  void testsSeveralCoefficientsAtOnceAsLmerTestDoes(String name) throws IOException {
    JsonNode oracle = oracle(name);
    MixedFit fit = fit(oracle);
    for (JsonNode test : oracle.get("tests")) {
      int[] columns =
          test.get("columns").isArray()
              ? StreamSupport.stream(test.get("columns").spliterator(), false)
                  .mapToInt(JsonNode::asInt)
                  .toArray()
              : new int[] {test.get("columns").asInt()};
      double[][] weights = new double[columns.length][fit.coefficients().length];
      IntStream.range(0, columns.length).forEach(i -> weights[i][columns[i]] = 1);
      MixedFit.Test found = fit.test(weights, Double.POSITIVE_INFINITY, 1);
      assertThat(found.f()).isCloseTo(test.get("f").asDouble(), near(test.get("f").asDouble()));
      assertThat(found.numerator()).isEqualTo(test.get("numerator").asInt());
      double denominator = test.get("denominator").asDouble();
      assertThat(found.denominator()).isCloseTo(denominator, near(denominator));
      double p = test.get("p").asDouble();
      assertThat(found.p()).isCloseTo(p, within(2e-4 * p + 1e-13));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "balanced",
        "unbalanced",
        "zero-component",
        "factorial",
        "several-runs",
        "crossed"
      })
  void judgesAValueByItsShiftFromTheOthersAsLmerTestDoes(String name) throws IOException {
    JsonNode oracle = oracle(name);
    MixedFit fit = fit(oracle);
    for (int i = 0; i < 3; i++) {
      JsonNode shift = oracle.get("shift").get(i);
      MixedFit.Outlier found = fit.shifted(i, 1);
      assertThat(found.studentised())
          .isCloseTo(shift.get("t").asDouble(), near(1 + Math.abs(shift.get("t").asDouble())));
      assertThat(found.degreesOfFreedom())
          .isCloseTo(shift.get("df").asDouble(), near(shift.get("df").asDouble()));
    }
  }

  @Test
  void isThePairedTTestWithOneValueACell() {
    double[] a = {100, 140, 90, 120, 111, 95, 133};
    double[] b = {104, 149, 91, 128, 113, 101, 137};
    Contrast paired = Ratios.paired(a, b);
    Contrast found = ofTwo(a, b).coefficient(1);
    assertThat(found.degreesOfFreedom()).isCloseTo(6, within(1e-6));
    assertThat(found.value()).isCloseTo(paired.value(), within(1e-12));
    assertThat(found.p()).isCloseTo(paired.p(), within(1e-9));
    assertThat(found.halfWidth(0.95)).isCloseTo(paired.halfWidth(0.95), within(1e-9));
  }

  @Test
  void isOrdinaryLeastSquaresWithoutRandomEffects() {
    double[] y = {1, 2, 2.5, 4.5, 5};
    double[][] x = {{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}};
    MixedFit fit = MixedModel.fit(y, x, List.of());
    assertThat(fit.coefficients()[1]).isCloseTo(1.05, within(1e-12));
    assertThat(fit.coefficient(1).degreesOfFreedom()).isCloseTo(3, within(1e-9));
  }

  @Tag("simulation")
  @Test
  void findsTheMinimumThatAFineGridFinds() {
    Random random = new Random(5);
    for (int trial = 0; trial < 60; trial++) {
      int blocks = 2 + random.nextInt(6);
      double sd = Math.pow(10, random.nextDouble() * 5 - 3);
      List<String> labels = new ArrayList<>();
      List<double[]> rows = new ArrayList<>();
      List<Double> values = new ArrayList<>();
      for (int b = 0; b < blocks; b++) {
        double effect = sd * random.nextGaussian();
        for (int t = 0; t < 3; t++) {
          if (random.nextDouble() < 0.85 || b < 2) {
            labels.add("b" + b);
            rows.add(new double[] {1, t == 1 ? 1 : 0, t == 2 ? 1 : 0});
            values.add(effect + random.nextGaussian());
          }
        }
      }
      double[] y = values.stream().mapToDouble(Double::doubleValue).toArray();
      double[][] x = rows.toArray(new double[0][]);
      MixedFit fit = MixedModel.fit(y, x, List.of(Grouping.of("block", labels)));
      double least =
          IntStream.range(-1, 900)
              .mapToDouble(i -> i < 0 ? 0 : Math.pow(10, i / 100.0 - 3))
              .map(rho -> MixedModel.criterion(y, x, List.of(Grouping.of("block", labels)), rho))
              .min()
              .orElseThrow();
      assertThat(fit.criterion()).isLessThanOrEqualTo(least + 1e-8);
    }
  }

  @Test
  void namesAnOutlyingValueThatBlocksHide() {
    Random random = new Random(9);
    List<String> labels = new ArrayList<>();
    double[][] x = new double[20][];
    double[] y = new double[20];
    for (int i = 0; i < 20; i++) {
      labels.add("b" + i / 2);
      x[i] = new double[] {1, i % 2};
      y[i] = 0.5 * (i / 2) + 0.01 * random.nextGaussian();
    }
    MixedFit clean = MixedModel.fit(y, x, List.of(Grouping.of("block", labels)));
    assertThat(clean.outliers(0.05)).isEmpty();
    y[7] += 0.3;
    MixedFit disturbed = MixedModel.fit(y, x, List.of(Grouping.of("block", labels)));
    // With two values a block the fault may lie with either; both are of that block.
    assertThat(disturbed.outliers(0.05)).isNotEmpty();
    assertThat(disturbed.outliers(0.05).get(0).observation()).isIn(6, 7);
  }

  @Test
  void refusesWhatCannotBeFitted() {
    double[][] same = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
    assertThatThrownBy(() -> MixedModel.fit(new double[] {1, 2, 3, 4}, same, List.of()))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("aliased");
    double[][] full = {{1, 0}, {1, 1}};
    assertThatThrownBy(() -> MixedModel.fit(new double[] {1, 2}, full, List.of()))
        .hasMessageContaining("2 values for a model of 2 parameters");
    double[][] x = {{1}, {1}, {1}};
    assertThatThrownBy(
            () ->
                MixedModel.fit(
                    new double[] {1, 2, 3}, x, List.of(new Grouping("cell", new int[] {0, 1, 2}))))
        .hasMessageContaining("Every value has a cell of its own");
  }

  private static MixedFit ofTwo(double[] a, double[] b) {
    List<Integer> blocks = new ArrayList<>();
    List<double[]> rows = new ArrayList<>();
    double[] y = new double[2 * a.length];
    for (int i = 0; i < a.length; i++) {
      y[2 * i] = Math.log(a[i]);
      y[2 * i + 1] = Math.log(b[i]);
      blocks.addAll(List.of(i, i));
      rows.addAll(List.of(new double[] {1, 0}, new double[] {1, 1}));
    }
    return MixedModel.fit(y, rows.toArray(new double[0][]), List.of(Grouping.of("block", blocks)));
  }

  private static MixedFit fit(JsonNode oracle) {
    double[][] x =
        StreamSupport.stream(oracle.get("x").spliterator(), false)
            .map(Golden::array)
            .toArray(double[][]::new);
    List<Grouping> random = new ArrayList<>();
    for (Map.Entry<String, JsonNode> group : oracle.get("groups").properties()) {
      int[] of = Arrays.stream(Golden.array(group.getValue())).mapToInt(g -> (int) g).toArray();
      random.add(new Grouping(group.getKey(), of));
    }
    return MixedModel.fit(Golden.array(oracle.get("y")), x, random);
  }

  private static Offset<Double> near(double size) {
    return within(DIGITS * Math.abs(size) + 1e-12);
  }

  private static JsonNode oracle(String name) throws IOException {
    return figures("figures.json").get(name);
  }

  private static JsonNode figures(String file) throws IOException {
    try (InputStream in = MixedModelTest.class.getResourceAsStream("/mixed/" + file)) {
      return new ObjectMapper().readTree(in);
    }
  }
}
