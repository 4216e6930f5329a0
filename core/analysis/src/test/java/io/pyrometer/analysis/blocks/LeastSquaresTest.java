package io.pyrometer.analysis.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against R's lme4 and lmerTest; {@code blocks/oracle.R} makes the figures. */
class LeastSquaresTest {
  private static final double DIGITS = 1e-5;

  @ParameterizedTest
  @ValueSource(strings = {"balanced", "great-blocks"})
  void contrastsOfCompleteBlocksEqualThoseOfLmerTest(String name) throws IOException {
    JsonNode oracle = oracle(name);
    LeastSquares fit = ofBlocks(oracle);
    double noise = oracle.get("components").get("Residual").asDouble();
    assertThat(fit.residualVariance()).isCloseTo(noise, near(noise));
    for (int c = 1; c < fit.coefficients().length; c++) {
      double[] weights = new double[fit.coefficients().length];
      weights[c] = 1;
      Contrast found = fit.contrast(weights);
      double se = oracle.get("standardError").get(c).asDouble();
      assertThat(found.value()).isCloseTo(oracle.get("estimate").get(c).asDouble(), near(se));
      assertThat(found.standardError()).isCloseTo(se, near(se));
      double df = oracle.get("df").get(c).asDouble();
      assertThat(found.degreesOfFreedom()).isCloseTo(df, near(df));
      double p = oracle.get("p").get(c).asDouble();
      assertThat(found.p()).isCloseTo(p, within(2e-4 * p + 1e-15));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"balanced", "great-blocks"})
  void blockModelGivesTheSameContrastsAndVariances(String name) throws IOException {
    JsonNode oracle = oracle(name);
    double[] y = Golden.array(oracle.get("y"));
    List<Measurement> rows = new ArrayList<>();
    for (int i = 0; i < y.length; i++) {
      double[] x = Golden.array(oracle.get("x").get(i));
      int treatment = 0;
      for (int c = 1; c < x.length; c++) {
        treatment += x[c] == 1 ? c : 0;
      }
      int block = oracle.get("groups").get("block").get(i).asInt();
      rows.add(new Measurement("t" + treatment, "b" + block, "", Math.exp(y[i])));
    }
    BlockModel model = BlockModel.of(rows);
    for (int c = 1; c < oracle.get("estimate").size(); c++) {
      Contrast found = model.lnRatio("t0", "t" + c).orElseThrow();
      double se = oracle.get("standardError").get(c).asDouble();
      assertThat(found.value()).isCloseTo(oracle.get("estimate").get(c).asDouble(), near(se));
      if (name.equals("great-blocks")) { // the spreads of "balanced" differ, though by chance
        assertThat(found.standardError()).isCloseTo(se, near(se));
        double p = oracle.get("p").get(c).asDouble();
        assertThat(found.p()).isCloseTo(p, within(2e-4 * p + 1e-15));
      }
    }
  }

  @Test
  void severalCoefficientsAreTestedAsLmerTestDoes() throws IOException {
    JsonNode oracle = oracle("balanced");
    JsonNode test = oracle.get("tests").get(0);
    LeastSquares.Test found =
        ofBlocks(oracle).test(new double[][] {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    assertThat(found.f()).isCloseTo(test.get("f").asDouble(), near(test.get("f").asDouble()));
    assertThat(found.numerator()).isEqualTo(3);
    assertThat(found.denominator()).isCloseTo(test.get("denominator").asDouble(), near(15));
    double p = test.get("p").asDouble();
    assertThat(found.p()).isCloseTo(p, within(2e-4 * p));
  }

  @Test
  void refusesWhatCannotBeFitted() {
    double[][] same = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
    assertThatThrownBy(() -> LeastSquares.fit(new double[] {1, 2, 3, 4}, same))
        .isInstanceOf(BadDataException.class);
    double[][] full = {{1, 0}, {1, 1}};
    assertThatThrownBy(() -> LeastSquares.fit(new double[] {1, 2}, full))
        .isInstanceOf(BadDataException.class);
  }

  private static LeastSquares ofBlocks(JsonNode oracle) {
    double[][] x =
        StreamSupport.stream(oracle.get("x").spliterator(), false)
            .map(Golden::array)
            .toArray(double[][]::new);
    int[] block =
        Arrays.stream(Golden.array(oracle.get("groups").get("block")))
            .mapToInt(g -> (int) g)
            .toArray();
    return LeastSquares.within(Golden.array(oracle.get("y")), x, new Grouping("block", block));
  }

  private static Offset<Double> near(double size) {
    return within(DIGITS * Math.abs(size) + 1e-12);
  }

  private static JsonNode oracle(String name) throws IOException {
    try (InputStream in = LeastSquaresTest.class.getResourceAsStream("/blocks/figures.json")) {
      return new ObjectMapper().readTree(in).get(name);
    }
  }
}
