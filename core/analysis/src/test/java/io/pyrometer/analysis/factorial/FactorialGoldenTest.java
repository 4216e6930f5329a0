package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactorialGoldenTest {
  private static final AnalysisOptions PLAIN = AnalysisOptions.DEFAULT.on(ResponseScale.PLAIN);
  private static final TwoLevelDesign PUBLISHED =
      Designs.fromGenerators(Factors.letters(6), List.of("E=AB", "F=CD"));

  private static FactorialEffects published(String response) {
    double[] y = Golden.column(Golden.csv("/golden/published-factorial.csv"), response);
    return Factors.effects(PUBLISHED, Factors.unreplicated(PUBLISHED, y), PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"throughput", "read_ms", "write_ms", "total_throughput"})
  void thePublishedEffectsAreThoseOfTheVectors(String response) {
    FactorialEffects found = published(response);
    int seen = 0;
    for (Map<String, String> row : Golden.csv("/golden/published-factorial-effects.csv")) {
      if (row.get("response").equals(response)) {
        Term effect = found.term(row.get("column"));
        assertThat(chain(effect)).isEqualTo(row.get("alias_chain"));
        close(size(effect) / 2, row.get("q"), 1e-9);
        close(size(effect), row.get("effect_2q"), 1e-9);
        close(effect.sumOfSquares(), row.get("SS"), 1e-8);
        assertThat(100 * effect.share())
            .isCloseTo(Double.parseDouble(row.get("pct_variation")), within(5e-9));
        assertThat(size(effect) / found.lenth().orElseThrow().pse())
            .isCloseTo(Double.parseDouble(row.get("lenth_t")), within(5e-9));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(15);
  }

  private static double size(Term effect) {
    return effect.size(ResponseScale.PLAIN);
  }

  private static String chain(Term effect) {
    return effect.chain().orElseThrow().letters();
  }

  private static void close(double actual, String expected, double share) {
    double value = Double.parseDouble(expected);
    assertThat(actual).isCloseTo(value, Golden.relative(value, share));
  }

  @Test
  void runSevenDoesNotBelong() {
    FactorialEffects.Outlying run = published("throughput").outliers().get(0);
    assertThat(run.treatment()).isEqualTo(PUBLISHED.levels(6));
    assertThat(run.studentised()).isCloseTo(-12.1522, within(5e-5));
    assertThat(run.p()).isCloseTo(9.3e-5, within(5e-7));
    assertThat(published("throughput").outliers()).hasSize(1);
  }

  private static FactorialEffects replicated() {
    double[][] rows =
        Golden.csv("/golden/factorial-replicated.csv").stream()
            .map(row -> Stream.of("y1", "y2", "y3").map(row::get))
            .map(of -> of.mapToDouble(Double::parseDouble).toArray())
            .toArray(double[][]::new);
    TwoLevelDesign design = Designs.fromGenerators(Factors.letters(6), List.of("E=ABC", "F=BCD"));
    List<Observation> measured = Factors.measured(design, rows);
    return Factors.effects(design, Factors.unblocked(measured), PLAIN);
  }

  @Test
  void replicatedEffectsHaveTheIntervalsOfTheVectors() {
    FactorialEffects found = replicated();
    for (Map<String, String> row : Golden.csv("/golden/factorial-replicated-effects.csv")) {
      Term effect = found.term(row.get("column"));
      assertThat(chain(effect)).isEqualTo(row.get("alias_chain"));
      Estimate q = effect.change().orElseThrow().times(0.5, "");
      assertThat(q.value()).isCloseTo(Double.parseDouble(row.get("q")), within(5e-9));
      close(size(effect), row.get("effect_2q"), 1e-8);
      close(effect.sumOfSquares(), row.get("SS"), 1e-7);
      close(100 * effect.share(), row.get("pct_variation"), 1e-8);
      assertThat(q.low()).isCloseTo(Double.parseDouble(row.get("ci95_lo")), within(5e-8));
      assertThat(q.high()).isCloseTo(Double.parseDouble(row.get("ci95_hi")), within(5e-8));
      double t = Double.parseDouble(row.get("t"));
      assertThat(effect.f().orElseThrow()).isCloseTo(t * t, within(1e-7 * (1 + t * t)));
      close(effect.p().orElseThrow(), row.get("p_value"), 1e-6);
    }
  }

  @Test
  void theReplicatedSummaryIsThatOfTheVectors() {
    JsonNode golden = Golden.json("factorial-replicated-summary.json");
    FactorialEffects found = replicated();
    assertThat(found.total()).isCloseTo(golden.get("SST").asDouble(), within(1e-6));
    assertThat(found.error()).isCloseTo(golden.get("SSE").asDouble(), within(1e-6));
    assertThat(found.errorDegreesOfFreedom()).isEqualTo(golden.get("df_error").asInt());
    assertThat(100 * found.error() / found.total())
        .isCloseTo(golden.get("pct_error").asDouble(), within(1e-9));
    double half = found.term("A").change().orElseThrow().halfWidth() / 2;
    assertThat(half)
        .isCloseTo(golden.get("s_q").asDouble() * golden.get("t975").asDouble(), within(1e-9));
    double[] sizes = found.terms().stream().mapToDouble(FactorialGoldenTest::size).toArray();
    Lenth lenth = Lenth.of(sizes).orElseThrow();
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
    TwoLevelDesign design = Designs.full(Factors.letters(4));
    FactorialEffects found = Factors.effects(design, Factors.unreplicated(design, y), PLAIN);
    golden
        .get("effects")
        .properties()
        .forEach(
            e ->
                assertThat(size(found.term(e.getKey())))
                    .isCloseTo(e.getValue().asDouble(), within(1e-12)));
    Lenth lenth = found.lenth().orElseThrow();
    assertThat(lenth.s0()).isCloseTo(golden.get("s0").asDouble(), within(1e-12));
    assertThat(lenth.pse()).isCloseTo(2.625, within(1e-12));
    assertThat(lenth.me()).isCloseTo(golden.get("ME").asDouble(), within(1e-8));
    assertThat(lenth.sme()).isCloseTo(golden.get("SME").asDouble(), within(1e-8));
    assertThat(found.terms().stream().filter(Term::active).map(FactorialGoldenTest::chain))
        .containsExactly("A", "AC", "AD", "D");
  }

  @Test
  void jainsTwoByTwoHasItsAllocationOfVariation() {
    double[][] y = {{15, 18, 12}, {45, 48, 51}, {25, 28, 19}, {75, 75, 81}};
    TwoLevelDesign design = Designs.full(Factors.letters(2));
    FactorialEffects found =
        Factors.effects(design, Factors.unblocked(Factors.measured(design, y)), PLAIN);
    assertThat(size(found.term("A"))).isCloseTo(2 * 21.5, within(1e-12));
    assertThat(size(found.term("B"))).isCloseTo(2 * 9.5, within(1e-12));
    assertThat(size(found.term("AB"))).isCloseTo(2 * 5, within(1e-12));
    assertThat(found.error()).isCloseTo(102, within(1e-9));
    assertThat(found.total()).isCloseTo(7032, within(1e-9));
    assertThat(100 * found.term("A").share()).isCloseTo(78.8823, within(5e-5));
    assertThat(100 * found.term("B").share()).isCloseTo(15.4010, within(5e-5));
    assertThat(100 * found.term("AB").share()).isCloseTo(4.26621, within(5e-6));
    double deviations = found.term("A").f().orElseThrow();
    assertThat(Math.sqrt(deviations)).isCloseTo(21.5 / 1.030776, within(5e-5));
  }
}
