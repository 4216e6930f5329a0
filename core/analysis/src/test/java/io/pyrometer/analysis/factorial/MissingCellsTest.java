package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A failed trial leaves a hole in its block; the others must still tell the truth. */
class MissingCellsTest {

  private static List<Observation> rows(String file, String block, List<String> factors) {
    List<Observation> observations = new ArrayList<>();
    for (Map<String, String> row : Golden.csv("/evidence/" + file)) {
      Map<String, String> levels = new LinkedHashMap<>();
      factors.forEach(factor -> levels.put(factor, row.getOrDefault(factor, "")));
      observations.add(
          new Observation(
              levels,
              row.getOrDefault(block, ""),
              Map.of("y", Double.parseDouble(row.getOrDefault("y", "")))));
    }
    return observations;
  }

  private static FactorialEffects effects(
      List<Observation> observations, List<String> factors, List<String> interactions) {
    return FactorialEffects.of(observations, factors, interactions, "y", AnalysisOptions.DEFAULT);
  }

  private static FactorialEffects.Term term(FactorialEffects found, String name) {
    return found.terms().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void threeMissingOfFortyEightNextToGreatBlocksShiftNothing() {
    List<String> factors = List.of("p", "q", "r", "s");
    FactorialEffects found =
        effects(rows("missing3bigblock.csv", "block", factors), factors, List.of());
    Estimate p = term(found, "p").change().orElseThrow();
    assertThat(p.value()).isCloseTo(1.24, within(0.02));
    assertThat(p.low()).isGreaterThan(1.2);
    Estimate q = term(found, "q").change().orElseThrow();
    assertThat(q.value()).isCloseTo(0.89, within(0.02));
    assertThat(term(found, "p").active()).isTrue();
    assertThat(term(found, "q").active()).isTrue();
  }

  @Test
  void idsThatAreUniquePerRowAreReplicatesAndNoBlocks() {
    List<String> factors = List.of("p", "q", "r", "s");
    List<Observation> rows = rows("uniqueid.csv", "run", factors);
    FactorialEffects found =
        FactorialEffects.ofDesign(rows, Factor.of(rows, factors), "y", AnalysisOptions.DEFAULT);
    assertThat(found.errorDegreesOfFreedom()).isEqualTo(32);
    assertThat(found.blocks()).isZero();
    assertThat(found.term("A").active()).isTrue();
    assertThat(found.term("A").change().orElseThrow().value()).isCloseTo(1.2, within(0.05));
  }
}
