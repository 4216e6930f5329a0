package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.factorial.FactorialEffects.CellMean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeveralLevelsTest {
  private static List<Observation> simulated(int blocks, double spread) {
    Random random = new Random(6);
    List<Observation> observations = new ArrayList<>();
    for (int b = 1; b <= blocks; b++) {
      double drift = 1 + 0.2 * random.nextDouble();
      for (int cell = 0; cell < 24; cell++) {
        String path = List.of("put-all", "streamer", "lanes", "thin").get(cell % 4);
        int backups = cell / 4 % 3;
        double y = 1000 * drift * Math.exp(spread * random.nextGaussian());
        y *= path.equals("lanes") ? 1.5 : 1;
        y *= backups == 2 ? 0.7 : 1;
        Map<String, String> levels =
            Map.of("path", path, "backups", "" + backups, "sql", cell < 12 ? "off" : "on");
        observations.add(new Observation(levels, String.valueOf(b), Map.of("y", y)));
      }
    }
    return observations;
  }

  @Test
  void plantedLevelsAreFound() {
    FactorialEffects found =
        FactorialEffects.of(
            simulated(3, 0.03),
            List.of("backups", "path", "sql"),
            List.of(),
            "y",
            AnalysisOptions.DEFAULT.named("throughput", "ops/s"));
    assertThat(found.terms().stream().filter(FactorialEffects.Term::active).map(t -> t.name()))
        .containsExactlyInAnyOrder("path", "backups");
    FactorialEffects.Term path =
        found.terms().stream().filter(term -> term.name().equals("path")).findFirst().orElseThrow();
    assertThat(path.extremes().orElseThrow().difference().contains(1.5)).isTrue();
    assertThat(path.extremes().orElseThrow().alike()).isEmpty();
    CellMean lanes = mean(found, "path", "lanes");
    CellMean thin = mean(found, "path", "thin");
    assertThat(lanes.mean().value() / thin.mean().value()).isCloseTo(1.5, within(0.06));
  }

  private static CellMean mean(FactorialEffects found, String factor, String level) {
    return found.levelMeans().stream()
        .filter(cell -> level.equals(cell.levels().get(factor)))
        .findFirst()
        .orElseThrow();
  }

  /** A design that is recognised gets the effects of the model of several levels. */
  @Test
  void aBalancedDesignOfTwoLevelsHasTheSameEffects() {
    double[][] y = {{15, 18, 12}, {45, 48, 51}, {25, 28, 19}, {75, 75, 81}};
    TwoLevelDesign design = Designs.full(Factors.letters(2));
    List<Observation> rows = Factors.measured(design, y);
    FactorialEffects levels =
        FactorialEffects.of(rows, List.of("A", "B"), List.of("A*B"), "y", AnalysisOptions.DEFAULT);
    FactorialEffects effects = Factors.effects(design, rows, AnalysisOptions.DEFAULT);
    assertThat(levels.levelMeans()).isEqualTo(effects.levelMeans());
    assertThat(levels.terms().get(0).p()).isEqualTo(effects.term("A").p());
    assertThat(levels.total()).isCloseTo(effects.total() - effects.blocks(), within(1e-9));
  }

  @Test
  void termsThatCannotBeToldApartAreNamed() {
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String level = String.valueOf(i % 3);
      observations.add(
          new Observation(
              Map.of("a", level, "twin", level), String.valueOf(i), Map.of("y", 1.0 + i)));
    }
    assertThatThrownBy(
            () ->
                FactorialEffects.of(
                    observations, List.of("a", "twin"), List.of(), "y", AnalysisOptions.DEFAULT))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("twin");
  }

  /** The first three levels are the same, so which of them is largest is chance. */
  @Test
  void levelsThatAreNotToldFromTheLargestAreNamed() {
    List<Observation> observations = new ArrayList<>();
    Random random = new Random(3);
    for (int block = 0; block < 6; block++) {
      for (int level = 0; level < 5; level++) {
        double y = (level < 3 ? 100 : 80) * Math.exp(0.02 * random.nextGaussian());
        observations.add(
            new Observation(Map.of("a", "l" + level), String.valueOf(block), Map.of("y", y)));
      }
    }
    FactorialEffects found =
        FactorialEffects.of(observations, List.of("a"), List.of(), "y", AnalysisOptions.DEFAULT);
    FactorialEffects.Extremes extremes = found.terms().get(0).extremes().orElseThrow();
    assertThat(extremes.alike()).hasSize(2).doesNotContain("l3", "l4");
  }

  @Test
  void whereNoFactorIsSeenTheExcludedDifferenceIsStated() {
    for (double spread : new double[] {0.001, 0.1}) {
      List<Observation> observations = new ArrayList<>();
      Random random = new Random(5);
      for (int i = 0; i < 30; i++) {
        double y = 100 * Math.exp(spread * random.nextGaussian());
        observations.add(
            new Observation(
                Map.of("a", String.valueOf(i % 3)), String.valueOf(i / 3), Map.of("y", y)));
      }
      FactorialEffects found =
          FactorialEffects.of(observations, List.of("a"), List.of(), "y", AnalysisOptions.DEFAULT);
      // Ten blocks: half a family's interval is about 1.2 standard deviations.
      assertThat(found.excluded().orElseThrow() / spread).isBetween(1.0, 3.0);
    }
  }
}
