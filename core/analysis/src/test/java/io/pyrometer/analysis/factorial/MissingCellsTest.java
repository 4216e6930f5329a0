package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A failed trial leaves a hole in its block; the others must still tell the truth. */
class MissingCellsTest {

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
        effects(
            Golden.observations("/evidence/missing3bigblock.csv", "block", "y", factors),
            factors,
            List.of());
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
    List<Observation> rows = Golden.observations("/evidence/uniqueid.csv", "run", "y", factors);
    FactorialEffects found =
        FactorialEffects.ofDesign(rows, Factor.of(rows, factors), "y", AnalysisOptions.DEFAULT);
    assertThat(found.errorDegreesOfFreedom()).isEqualTo(32);
    assertThat(found.blocks()).isZero();
    assertThat(found.term("A").active()).isTrue();
    assertThat(found.term("A").change().orElseThrow().value()).isCloseTo(1.2, within(0.05));
  }
}
