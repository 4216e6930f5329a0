package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.FactorialEffects.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FactorialEffectsTest {
  static final AnalysisOptions OPTIONS = AnalysisOptions.DEFAULT.named("throughput", "ops/s");

  private static final TwoLevelDesign DESIGN = Designs.fraction(Factors.published(), 16, List.of());

  private static final int[][] SIGNS = DESIGN.signs();

  /** Nodes double the throughput, awareness adds a third at partitioned alone; spread as given. */
  private static double[][] simulated(long seed, double spread, int blocks) {
    Random random = new Random(seed);
    double[][] y = new double[16][blocks];
    double[] drift = {1, 0.7, 1.3, 0.9};
    for (int run = 0; run < 16; run++) {
      double truth = SIGNS[run][0] > 0 ? 2000 : 1000;
      truth *= SIGNS[run][1] > 0 && SIGNS[run][2] > 0 ? 4 / 3.0 : 1;
      for (int b = 0; b < blocks; b++) {
        y[run][b] = truth * drift[b] * Math.exp(spread * random.nextGaussian());
      }
    }
    return y;
  }

  private static FactorialEffects effects(double[][] values) {
    return Factors.effects(DESIGN, Factors.measured(DESIGN, values), OPTIONS);
  }

  private static Estimate change(FactorialEffects found, String letters) {
    return found.term(letters).change().orElseThrow();
  }

  @Test
  void plantedEffectsAreFoundAndDriftThatBlocksShareLeavesTheirIntervalsNarrow() {
    List<Observation> rows = Factors.measured(DESIGN, simulated(8, 0.03, 3));
    FactorialEffects removed = Factors.effects(DESIGN, rows, OPTIONS);
    FactorialEffects kept = Factors.effects(DESIGN, Factors.unblocked(rows), OPTIONS);
    assertThat(removed.term("A").active()).isTrue();
    assertThat(change(removed, "A").contains(2)).isTrue();
    assertThat(removed.term("D").active()).isFalse();
    assertThat(removed.blocks()).isPositive();
    assertThat(removed.errorDegreesOfFreedom()).isEqualTo(30);
    assertThat(change(removed, "A").halfWidth()).isLessThan(change(kept, "A").halfWidth() / 2);
    assertThat(change(removed, "A").value()).isCloseTo(change(kept, "A").value(), within(1e-12));
  }

  @Test
  void sharesAndErrorAndBlocksAddUpToOne() {
    FactorialEffects found = effects(simulated(9, 0.1, 4));
    double shares = found.terms().stream().mapToDouble(Term::share).sum();
    assertThat(shares + (found.error() + found.blocks()) / found.total())
        .isCloseTo(1, within(1e-12));
    double plain =
        found.terms().stream().mapToDouble(term -> term.plainShare().orElseThrow()).sum();
    assertThat(plain).isBetween(0.5, 1.0);
  }

  @Test
  void whatAPlotNeedsIsThere() {
    FactorialEffects found = effects(simulated(8, 0.03, 3));
    assertThat(found.levelMeans()).hasSize(12);
    assertThat(found.pairMeans()).hasSize(15).allMatch(cells -> cells.size() == 4);
    CellMean low = found.levelMeans().get(0);
    assertThat(low.levels()).containsExactly(Map.entry("nodes", "2"));
    CellMean high = found.levelMeans().get(1);
    assertThat(high.mean().value() / low.mean().value())
        .isCloseTo(change(found, "A").value(), within(1e-9));
    assertThat(found.terms())
        .isSortedAccordingTo(Comparator.comparingDouble(term -> -term.sumOfSquares()));
  }

  @Test
  void anOutlyingReplicateIsNamed() {
    double[][] y = simulated(8, 0.03, 3);
    y[5][2] *= 0.5;
    FactorialEffects found = effects(y);
    assertThat(found.outliers().get(0).treatment()).isEqualTo(DESIGN.levels(5));
    assertThat(found.outliers().get(0).block()).isEqualTo("3");
  }

  private static FactorialEffects noise(long seed) {
    Random random = new Random(seed);
    double[][] y = new double[16][3];
    for (double[] row : y) {
      for (int r = 0; r < 3; r++) {
        row[r] = Math.exp(0.05 * random.nextGaussian());
      }
    }
    TwoLevelDesign design = Designs.full(Factors.letters(4));
    return Factors.effects(design, Factors.measured(design, y), OPTIONS);
  }

  @Test
  void noiseAloneStandsOutInOneExperimentOfTwenty() {
    long alarms =
        LongStream.range(0, 600)
            .filter(seed -> noise(seed).terms().stream().anyMatch(Term::active))
            .count();
    assertThat(alarms / 600.0).isBetween(0.02, 0.08);
  }

  @Test
  void blocksThatLackATreatmentAreNotForTheBalancedAnalysis() {
    List<Observation> observations = new ArrayList<>();
    for (int row = 0; row < 6; row++) {
      Map<String, String> levels = Map.of("a", "" + row / 2 % 2, "b", "" + row % 2);
      observations.add(new Observation(levels, "" + row / 4, Map.of("y", 1.0 + row)));
    }
    List<Factor> factors = Factor.of(observations, List.of("a", "b"));
    assertThatThrownBy(() -> FactorialEffects.ofDesign(observations, factors, "y", OPTIONS))
        .isInstanceOf(BadDataException.class);
  }

  @Test
  void figuresThatCannotBeAnalysedAreRefusedInOneSentence() {
    TwoLevelDesign design = Designs.full(Factors.letters(2));
    for (double[] y : new double[][] {{5, 5, 5, 5}, {1, 2, 3}, {1, 2, 3, Double.NaN}}) {
      assertThatThrownBy(() -> Factors.effects(design, Factors.unreplicated(design, y), OPTIONS))
          .isInstanceOf(BadDataException.class);
    }
    List<Observation> negative = Factors.unreplicated(design, new double[] {1, 2, 3, -4});
    assertThatThrownBy(() -> Factors.effects(design, negative, OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("-4");
  }

  @Test
  void runsWithoutAnyErrorGiveNoNaN() {
    double[][] y = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    TwoLevelDesign design = Designs.full(Factors.letters(2));
    FactorialEffects found =
        Factors.effects(design, Factors.measured(design, y), OPTIONS.on(ResponseScale.PLAIN));
    assertThat(found.term("A").p().orElseThrow()).isLessThan(1e-6);
    assertThat(found.term("AB").p().orElseThrow()).isEqualTo(1);
    assertThat(found.outliers()).isEmpty();
  }
}
