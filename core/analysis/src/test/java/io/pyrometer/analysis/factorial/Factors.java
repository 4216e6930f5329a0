package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Factors and measured designs to test with. */
public final class Factors {
  /** The name of the response in {@link #measured}. */
  public static final String RESPONSE = "y";

  private Factors() {}

  /** Named by their letters, with levels − and +. */
  static List<Factor> letters(int k) {
    return IntStream.range(0, k)
        .mapToObj(i -> Factor.of(EffectAliases.LETTERS.substring(i, i + 1), "-1", "1"))
        .toList();
  }

  /** Those of the published experiment. */
  static List<Factor> published() {
    return List.of(
        Factor.of("nodes", "2", "4"),
        Factor.of("awareness", "false", "true"),
        Factor.of("partitioned", "false", "true"),
        Factor.of("persistence", "false", "true"),
        Factor.of("region", "512", "2048"),
        Factor.of("cores", "1", "2"));
  }

  /** Observations of a design: a row of values for each run, a column for each block. */
  public static List<Observation> measured(TwoLevelDesign design, double[][] values) {
    List<Observation> observations = new ArrayList<>();
    for (int run = 0; run < values.length; run++) {
      for (int block = 0; block < values[run].length; block++) {
        Map<String, Double> value = Map.of(RESPONSE, values[run][block]);
        observations.add(new Observation(design.levels(run), "" + (block + 1), value));
      }
    }
    return observations;
  }

  /** Observations of a design that was run once. */
  public static List<Observation> unreplicated(TwoLevelDesign design, double[] values) {
    double[][] rows = new double[values.length][];
    IntStream.range(0, rows.length).forEach(run -> rows[run] = new double[] {values[run]});
    return measured(design, rows);
  }

  /** The same values, none of which shares its block with another. */
  static List<Observation> unblocked(List<Observation> observations) {
    return IntStream.range(0, observations.size())
        .mapToObj(
            i -> {
              Observation row = observations.get(i);
              return new Observation(row.levels(), "row " + i, row.values());
            })
        .toList();
  }

  /** The effects of a design. */
  public static FactorialEffects effects(
      TwoLevelDesign design, List<Observation> observations, AnalysisOptions options) {
    return FactorialEffects.ofDesign(observations, design.factors(), RESPONSE, options);
  }
}
