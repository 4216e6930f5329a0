package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.FactorialEffects.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FactorialEffectsTest {
  static final FactorialOptions OPTIONS = FactorialOptions.DEFAULT.named("throughput", "ops/s");

  /** Nodes double the throughput, awareness adds a third at partitioned alone; spread as given. */
  private static FactorialData simulated(long seed, double spread, int blocks) {
    Random random = new Random(seed);
    TwoLevelDesign design = Designs.fraction(Factors.published(), 16, List.of());
    double[][] y = new double[16][blocks];
    double[] drift = {1, 0.7, 1.3, 0.9};
    for (int run = 0; run < 16; run++) {
      double truth = design.sign(run, 0) > 0 ? 2000 : 1000;
      truth *= design.sign(run, 1) > 0 && design.sign(run, 2) > 0 ? 4 / 3.0 : 1;
      for (int b = 0; b < blocks; b++) {
        y[run][b] = truth * drift[b] * Math.exp(spread * random.nextGaussian());
      }
    }
    return new FactorialData(design, y, true);
  }

  @Test
  void plantedEffectsAreFound() {
    FactorialEffects found = FactorialEffects.of(simulated(8, 0.03, 3), OPTIONS);
    Effect nodes = found.effect("A");
    assertThat(nodes.active()).isTrue();
    assertThat(nodes.change().contains(2)).isTrue();
    assertThat(found.effect("D").active()).isFalse();
  }

  @Test
  void driftThatBlocksShareLeavesTheIntervalsNarrow() {
    FactorialData data = simulated(8, 0.03, 3);
    FactorialEffects removed = FactorialEffects.of(data, OPTIONS);
    FactorialEffects kept = FactorialEffects.of(data, OPTIONS.keepingBlocks());
    assertThat(removed.blocks()).isPositive();
    assertThat(removed.levels().errorDegreesOfFreedom()).isEqualTo(30);
    assertThat(removed.standardErrorOfQ(1)).isLessThan(kept.standardErrorOfQ(1) / 2);
    assertThat(removed.effect("A").q().value())
        .isCloseTo(kept.effect("A").q().value(), within(1e-12));
  }

  @Test
  void sharesAndErrorAndBlocksAddUpToOne() {
    FactorialEffects found = FactorialEffects.of(simulated(9, 0.1, 4), OPTIONS);
    double shares = found.effects().stream().mapToDouble(Effect::share).sum();
    assertThat(shares + found.unexplained() + found.blocks() / found.total())
        .isCloseTo(1, within(1e-12));
    double plain =
        found.untransformedShares().values().stream().mapToDouble(Double::doubleValue).sum();
    assertThat(plain).isBetween(0.5, 1.0);
  }

  @Test
  void whatAPlotNeedsIsThere() {
    FactorialEffects found = FactorialEffects.of(simulated(8, 0.03, 3), OPTIONS);
    assertThat(found.mainMeans()).hasSize(12);
    assertThat(found.interactionMeans()).hasSize(15).allMatch(cells -> cells.size() == 4);
    CellMean low = found.mainMeans().get(0);
    assertThat(low.levels()).containsExactly(Map.entry("nodes", "2"));
    CellMean high = found.mainMeans().get(1);
    assertThat(high.mean().value() / low.mean().value())
        .isCloseTo(found.effect("A").change().value(), within(1e-9));
    for (int i = 1; i < found.effects().size(); i++) {
      assertThat(found.effects().get(i).sumOfSquares())
          .isLessThanOrEqualTo(found.effects().get(i - 1).sumOfSquares());
    }
  }

  @Test
  void anOutlyingReplicateIsNamed() {
    FactorialData data = simulated(8, 0.03, 3);
    double[][] y = data.responses();
    y[5][2] *= 0.5;
    FactorialEffects found =
        FactorialEffects.of(new FactorialData(data.design(), y, true), OPTIONS);
    assertThat(found.outliers().get(0).treatment()).isEqualTo(data.design().levels(5));
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
    return FactorialEffects.of(new FactorialData(design, y, true), OPTIONS);
  }

  @Test
  void noiseAloneStandsOutInOneExperimentOfTwenty() {
    long alarms =
        LongStream.range(0, 600)
            .filter(seed -> noise(seed).effects().stream().anyMatch(Effect::active))
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
    assertThatThrownBy(() -> FactorialData.of(observations, List.of("a", "b"), "y"))
        .isInstanceOf(BadDataException.class);
  }

  @Test
  void figuresThatCannotBeAnalysedAreRefusedInOneSentence() {
    TwoLevelDesign design = Designs.full(Factors.letters(2));
    for (double[] y : new double[][] {{5, 5, 5, 5}, {1, 2, 3}, {1, 2, 3, Double.NaN}}) {
      assertThatThrownBy(() -> FactorialData.unreplicated(design, y))
          .isInstanceOf(BadDataException.class);
    }
    FactorialData negative = FactorialData.unreplicated(design, new double[] {1, 2, 3, -4});
    assertThatThrownBy(() -> FactorialEffects.of(negative, OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("-4");
    List<Observation> oneLevel = List.of(new Observation(Map.of("a", "1"), "1", Map.of("y", 1.0)));
    assertThatThrownBy(() -> FactorialData.of(oneLevel, List.of("a"), "y"))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(" a ");
  }

  @Test
  void runsWithoutAnyErrorGiveNoNaN() {
    double[][] y = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    FactorialEffects found =
        FactorialEffects.of(
            new FactorialData(Designs.full(Factors.letters(2)), y, true),
            OPTIONS.on(ResponseScale.PLAIN));
    assertThat(found.effect("A").p().orElseThrow()).isLessThan(1e-6);
    assertThat(found.effect("AB").p().orElseThrow()).isEqualTo(1);
    assertThat(found.outliers()).isEmpty();
  }
}
