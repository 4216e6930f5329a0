package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.FactorialEffects.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactorialGoldenTest {
  private static final FactorialOptions PLAIN =
      FactorialOptions.DEFAULT.on(ResponseScale.PLAIN).keepingBlocks();
  private static final TwoLevelDesign PUBLISHED =
      Designs.fromGenerators(Factors.letters(6), List.of("E=AB", "F=CD"));

  private static FactorialEffects published(String response) {
    double[] y = Golden.column(Golden.csv("/golden/published-factorial.csv"), response);
    return FactorialEffects.of(FactorialData.unreplicated(PUBLISHED, y), PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"throughput", "read_ms", "write_ms", "total_throughput"})
  void thePublishedEffectsAreThoseOfTheVectors(String response) {
    FactorialEffects found = published(response);
    int seen = 0;
    for (Map<String, String> row : Golden.csv("/golden/published-factorial-effects.csv")) {
      if (row.get("response").equals(response)) {
        Effect effect = found.effect(row.get("column"));
        assertThat(effect.chain().letters()).isEqualTo(row.get("alias_chain"));
        close(effect.q().value(), row.get("q"), 1e-9);
        close(effect.size(), row.get("effect_2q"), 1e-9);
        close(effect.sumOfSquares(), row.get("SS"), 1e-8);
        assertThat(100 * effect.share())
            .isCloseTo(Double.parseDouble(row.get("pct_variation")), within(5e-9));
        assertThat(effect.lenthT()).isCloseTo(Double.parseDouble(row.get("lenth_t")), within(5e-9));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(15);
  }

  private static void close(double actual, String expected, double share) {
    double value = Double.parseDouble(expected);
    assertThat(actual).isCloseTo(value, Golden.relative(value, share));
  }

  @Test
  void runSevenDoesNotBelong() {
    LevelEffects.Outlying run = published("throughput").outliers().get(0);
    assertThat(run.treatment()).isEqualTo(PUBLISHED.levels(6));
    assertThat(run.studentised()).isCloseTo(-12.1522, within(5e-5));
    assertThat(run.p()).isCloseTo(9.3e-5, within(5e-7));
    assertThat(published("throughput").outliers()).hasSize(1);
  }

  private static FactorialData replicated() {
    List<double[]> rows = new ArrayList<>();
    for (Map<String, String> row : Golden.csv("/golden/factorial-replicated.csv")) {
      rows.add(
          new double[] {
            Double.parseDouble(row.get("y1")),
            Double.parseDouble(row.get("y2")),
            Double.parseDouble(row.get("y3"))
          });
    }
    TwoLevelDesign design = Designs.fromGenerators(Factors.letters(6), List.of("E=ABC", "F=BCD"));
    return new FactorialData(design, rows.toArray(new double[0][]), true);
  }

  @Test
  void replicatedEffectsHaveTheIntervalsOfTheVectors() {
    FactorialEffects found = FactorialEffects.of(replicated(), PLAIN);
    for (Map<String, String> row : Golden.csv("/golden/factorial-replicated-effects.csv")) {
      Effect effect = found.effect(row.get("column"));
      assertThat(effect.chain().letters()).isEqualTo(row.get("alias_chain"));
      Estimate q = effect.q();
      assertThat(q.value()).isCloseTo(Double.parseDouble(row.get("q")), within(5e-9));
      close(effect.size(), row.get("effect_2q"), 1e-8);
      close(effect.sumOfSquares(), row.get("SS"), 1e-7);
      close(100 * effect.share(), row.get("pct_variation"), 1e-8);
      assertThat(q.low()).isCloseTo(Double.parseDouble(row.get("ci95_lo")), within(5e-8));
      assertThat(q.high()).isCloseTo(Double.parseDouble(row.get("ci95_hi")), within(5e-8));
      assertThat(q.value() / found.standardErrorOfQ(1))
          .isCloseTo(Double.parseDouble(row.get("t")), within(1e-8));
      close(found.standardErrorOfQ(1), row.get("se_q"), 1e-9);
      close(effect.p().orElseThrow(), row.get("p_value"), 1e-6);
    }
  }

  @Test
  void theReplicatedSummaryIsThatOfTheVectors() {
    JsonNode golden = Golden.json("factorial-replicated-summary.json");
    FactorialEffects found = FactorialEffects.of(replicated(), PLAIN);
    assertThat(found.mean().value()).isCloseTo(golden.get("q0").asDouble(), within(1e-9));
    assertThat(found.total()).isCloseTo(golden.get("SST").asDouble(), within(1e-6));
    assertThat(found.levels().error()).isCloseTo(golden.get("SSE").asDouble(), within(1e-6));
    assertThat(found.levels().errorDegreesOfFreedom()).isEqualTo(golden.get("df_error").asInt());
    assertThat(found.standardErrorOfQ(1)).isCloseTo(golden.get("s_q").asDouble(), within(1e-10));
    assertThat(100 * found.unexplained())
        .isCloseTo(golden.get("pct_error").asDouble(), within(1e-9));
    double half = found.effect("A").q().halfWidth();
    assertThat(half / found.standardErrorOfQ(1))
        .isCloseTo(golden.get("t975").asDouble(), within(1e-9));
    Lenth lenth = found.lenth().orElseThrow();
    JsonNode expected = golden.get("lenth_on_means");
    assertThat(lenth.s0()).isCloseTo(expected.get("s0").asDouble(), within(1e-9));
    assertThat(lenth.pse()).isCloseTo(expected.get("PSE").asDouble(), within(1e-9));
    assertThat(lenth.me()).isCloseTo(expected.get("ME").asDouble(), within(1e-7));
    assertThat(lenth.sme()).isCloseTo(expected.get("SME").asDouble(), within(1e-7));
  }

  @Test
  void lenthJudgesTheFiltrationRates() {
    JsonNode golden = Golden.json("lenth.json");
    double[] y = Golden.array(golden.get("y_yates_order"));
    FactorialEffects found =
        FactorialEffects.of(FactorialData.unreplicated(Designs.full(Factors.letters(4)), y), PLAIN);
    golden
        .get("effects")
        .properties()
        .forEach(
            e ->
                assertThat(found.effect(e.getKey()).size())
                    .isCloseTo(e.getValue().asDouble(), within(1e-12)));
    Lenth lenth = found.lenth().orElseThrow();
    assertThat(lenth.s0()).isCloseTo(golden.get("s0").asDouble(), within(1e-12));
    assertThat(lenth.pse()).isCloseTo(2.625, within(1e-12));
    assertThat(lenth.me()).isCloseTo(golden.get("ME").asDouble(), within(1e-8));
    assertThat(lenth.sme()).isCloseTo(golden.get("SME").asDouble(), within(1e-8));
    assertThat(found.effects().stream().filter(Effect::active).map(e -> e.chain().letters()))
        .containsExactly("A", "AC", "AD", "D");
  }

  @Test
  void jainsTwoByTwoHasItsAllocationOfVariation() {
    double[][] y = {{15, 18, 12}, {45, 48, 51}, {25, 28, 19}, {75, 75, 81}};
    FactorialEffects found =
        FactorialEffects.of(new FactorialData(Designs.full(Factors.letters(2)), y, true), PLAIN);
    assertThat(found.mean().value()).isCloseTo(41, within(1e-12));
    assertThat(found.effect("A").q().value()).isCloseTo(21.5, within(1e-12));
    assertThat(found.effect("B").q().value()).isCloseTo(9.5, within(1e-12));
    assertThat(found.effect("AB").q().value()).isCloseTo(5, within(1e-12));
    assertThat(found.levels().error()).isCloseTo(102, within(1e-9));
    assertThat(found.total()).isCloseTo(7032, within(1e-9));
    assertThat(100 * found.effect("A").share()).isCloseTo(78.8823, within(5e-5));
    assertThat(100 * found.effect("B").share()).isCloseTo(15.4010, within(5e-5));
    assertThat(100 * found.effect("AB").share()).isCloseTo(4.26621, within(5e-6));
    assertThat(100 * found.unexplained()).isCloseTo(1.45051, within(5e-6));
    assertThat(found.standardErrorOfQ(1)).isCloseTo(1.030776, within(5e-7));
  }
}
