package io.pyrometer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.Factors;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.analysis.scalability.Points;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.steady.SteadyState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever comes in, a sentence or finite figures come out. */
class HostileFiguresTest {
  private static final List<Pair> PAIR = List.of(new Pair("a", "b"));

  /** Figures of the kinds that break formulas: few, equal, tiny, huge, not numbers. */
  private static double[] figures(long seed, int n) {
    Random random = new Random(seed);
    double[] pool = {0, -1, 1, 1, 2, 1e-300, 1e300, 1e-12, 1e12, Double.NaN, 1 + 1e-15};
    int kinds = random.nextInt(4);
    double same = pool[random.nextInt(pool.length)];
    double[] figures = new double[n];
    for (int i = 0; i < n; i++) {
      figures[i] =
          switch (kinds) {
            case 0 -> pool[random.nextInt(pool.length)];
            case 1 -> pool[2 + random.nextInt(3)];
            case 2 -> Math.exp(300 * random.nextGaussian());
            default -> random.nextInt(4) == 0 ? same : 1 + random.nextDouble();
          };
    }
    return figures;
  }

  private static void finiteOrRefused(double[] figures, Function<double[], Object> analysis) {
    Object found;
    try {
      found = analysis.apply(figures);
    } catch (BadDataException refused) {
      assertThat(refused.getMessage()).endsWith(".").doesNotContain("\n");
      return;
    }
    assertThat(found.toString()).doesNotContain("NaN", "Infinity");
  }

  @Property(tries = 300, seed = "2026")
  void estimates(@ForAll long seed, @ForAll @IntRange(min = 0, max = 8) int n) {
    double[] figures = figures(seed, n);
    finiteOrRefused(figures, x -> Means.arithmetic(x, ""));
    finiteOrRefused(figures, x -> Means.geometric(x, ""));
  }

  @Property(tries = 300, seed = "2026")
  void comparisons(@ForAll long seed, @ForAll @IntRange(min = 0, max = 8) int n) {
    double[] other = figures(seed + 1, n);
    ComparisonRule rule = ComparisonRule.HIGHER_IS_BETTER;
    double[] figures = figures(seed, n);
    finiteOrRefused(figures, x -> TreatmentComparisons.of(model(x, other), PAIR, rule, 1));
    finiteOrRefused(
        figures,
        x ->
            BlockGate.judge(
                List.of(
                    new BlockGate.Row(Golden.lnRatios(x, other), 0.03, Direction.HIGHER),
                    new BlockGate.Row(Golden.lnRatios(other, x), 0.03, Direction.LOWER))));
  }

  private static BlockModel model(double[] a, double[] b) {
    List<Measurement> rows = new ArrayList<>();
    for (int i = 0; i < a.length; i++) {
      rows.add(new Measurement("a", "b" + i, "", a[i]));
      rows.add(new Measurement("b", "b" + i, "", b[i]));
    }
    return BlockModel.of(rows);
  }

  @Property(tries = 60, seed = "2026")
  void scalability(@ForAll long seed, @ForAll @IntRange(min = 1, max = 14) int n) {
    double[] nodes = IntStream.range(0, n).mapToDouble(i -> 1 + i / 2).toArray();
    for (ResponseScale scale : ResponseScale.values()) {
      finiteOrRefused(
          figures(seed, n),
          x -> Scalability.of(Points.of(nodes, x), AnalysisOptions.DEFAULT.on(scale)));
    }
  }

  @Property(tries = 200, seed = "2026")
  void factorials(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int replicates) {
    List<Factor> factors =
        IntStream.range(0, 3).mapToObj(i -> Factor.of("f" + i, "0", "1")).toList();
    for (ResponseScale scale : ResponseScale.values()) {
      AnalysisOptions options = AnalysisOptions.DEFAULT.on(scale);
      finiteOrRefused(
          figures(seed, 8 * replicates),
          x -> {
            double[][] rows = new double[8][];
            for (int run = 0; run < 8; run++) {
              rows[run] = Arrays.copyOfRange(x, run * replicates, (run + 1) * replicates);
            }
            TwoLevelDesign design = Designs.full(factors);
            return Factors.effects(design, Factors.measured(design, rows), options);
          });
      finiteOrRefused(
          figures(seed, 12),
          x -> {
            List<Observation> rows = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
              rows.add(
                  new Observation(
                      Map.of("a", "" + i % 3, "b", "" + i % 2), "" + i / 6, Map.of("y", x[i])));
            }
            return FactorialEffects.of(rows, List.of("a", "b"), List.of(), "y", options);
          });
    }
  }

  @Property(tries = 100, seed = "2026")
  void series(@ForAll long seed, @ForAll @IntRange(min = 0, max = 120) int n) {
    finiteOrRefused(figures(seed, n), SteadyState::of);
  }
}
