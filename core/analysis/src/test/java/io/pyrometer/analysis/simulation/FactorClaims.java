package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import io.pyrometer.analysis.factorial.Factors;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Claims on the effects of factors. */
final class FactorClaims {
  private static final String CLAIMED =
      "a factor that is set once for a start is claimed of pure noise";

  private static final String COVERED =
      "the 95 % interval of a factor that is set once for a start covers it";

  private FactorClaims() {}

  static List<Claim> all() {
    Claims claims = new Claims();
    factors(claims);
    splitPlots(claims);
    return claims.all();
  }

  /** Trials with the same number of nodes share their processes. */
  private static void splitPlots(Claims claims) {
    for (double startSd : new double[] {0, 0.03, 0.05}) {
      String how = "2 × 2 × 2, 3 blocks, noise 3 %%, start sd %.0f %%".formatted(100 * startSd);
      claims.add(
          CLAIMED,
          how,
          new Limits(2000, 0, 0.05),
          r -> ofTwoLevels(startSd, r).p().orElseThrow() < 0.05);
      claims.add(
          COVERED,
          how,
          new Limits(2000, 0.93, 0.97),
          r -> ofTwoLevels(startSd, r).change().orElseThrow().contains(1));
    }
    byLevels(claims);
  }

  /** Trials with the same level of {@code nodes} share their processes. */
  private static void byLevels(Claims claims) {
    for (int levels : new int[] {2, 4}) {
      for (double startSd : levels == 2 ? new double[] {0, 0.03, 0.05} : new double[] {0.03}) {
        String how =
            "%d numbers of nodes with 6 paths each, 3 blocks, noise 3 %%, start sd %.0f %%"
                .formatted(levels, 100 * startSd);
        claims.add(
            CLAIMED, how, new Limits(1000, 0, 0.06), r -> nodes(levels, startSd, r).active());
        claims.add(
            COVERED,
            how,
            new Limits(1000, 0.92, 0.98),
            r -> {
              Term nodes = nodes(levels, startSd, r);
              return nodes
                  .change()
                  .orElseGet(() -> nodes.extremes().orElseThrow().difference())
                  .contains(1);
            });
      }
    }
  }

  /** As {@link #nodes}, of the first of three factors of two levels. */
  private static Term ofTwoLevels(double startSd, Random r) {
    List<Observation> rows = new ArrayList<>();
    for (int b = 0; b < 3; b++) {
      double[] start = {startSd * r.nextGaussian(), startSd * r.nextGaussian()};
      for (int run = 0; run < 8; run++) {
        double y = 100 * Math.exp(start[run / 4] + 0.03 * r.nextGaussian());
        Map<String, String> levels =
            Map.of("a", "" + run / 4, "b", "" + run / 2 % 2, "c", "" + run % 2);
        rows.add(new Observation(levels, "b" + b, "s" + run / 4, Map.of("y", y)));
      }
    }
    List<Factor> factors = Factor.of(rows, List.of("a", "b", "c"));
    return FactorialEffects.ofDesign(rows, factors, "y", AnalysisOptions.DEFAULT).term("A");
  }

  private static Term nodes(int levels, double startSd, Random r) {
    List<Observation> rows = new ArrayList<>();
    for (int b = 0; b < 3; b++) {
      double block = 0.03 * r.nextGaussian();
      for (int n = 0; n < levels; n++) {
        double start = startSd * r.nextGaussian();
        for (int path = 0; path < 6; path++) {
          double y = 100 * Math.exp(block + start + 0.03 * r.nextGaussian());
          rows.add(
              new Observation(
                  Map.of("nodes", "" + n, "path", "p" + path), "b" + b, "s" + n, Map.of("y", y)));
        }
      }
    }
    List<String> factors = List.of("nodes", "path");
    return FactorialEffects.of(rows, factors, List.of("nodes*path"), "y", AnalysisOptions.DEFAULT)
        .terms()
        .stream()
        .filter(term -> term.name().equals("nodes"))
        .findFirst()
        .orElseThrow();
  }

  private static void factors(Claims claims) {
    claims.add(
        "a value is called outlying though none is",
        "a factor of 5 levels in 6 blocks, noise 5 %, block sd 5 %, at 5 %",
        new Limits(500, 0, 0.06),
        r ->
            !FactorialEffects.of(levels(r), List.of("a"), List.of(), "y", AnalysisOptions.DEFAULT)
                .outliers()
                .isEmpty());
    claims.add(
        "a level is called significantly lower than the largest though none is",
        "a factor of 5 levels in 6 blocks, noise 5 %, block sd 5 %",
        new Limits(500, 0, 0.06),
        r ->
            FactorialEffects.of(levels(r), List.of("a"), List.of(), "y", AnalysisOptions.DEFAULT)
                    .terms()
                    .get(0)
                    .extremes()
                    .orElseThrow()
                    .alike()
                    .size()
                < 4);
    claims.add(
        "the 95 % interval of an effect covers it",
        "2 × 2 in 3 blocks, one cell missing in each, block sd 60 %",
        new Limits(1000, 0.93, 0.97),
        r -> {
          List<Observation> rows = new ArrayList<>();
          for (int b = 0; b < 3; b++) {
            double level = 0.6 * r.nextGaussian();
            int lost = r.nextInt(4);
            for (int c = 0; c < 4; c++) {
              double y = level + (c / 2 == 1 ? Math.log(1.3) : 0) + 0.02 * r.nextGaussian();
              if (c != lost) {
                rows.add(
                    new Observation(
                        Map.of("a", "" + c / 2, "b", "" + c % 2),
                        "b" + b,
                        Map.of("y", 100 * Math.exp(y))));
              }
            }
          }
          return FactorialEffects.of(
                  rows, List.of("a", "b"), List.of(), "y", AnalysisOptions.DEFAULT)
              .terms()
              .stream()
              .filter(term -> term.name().equals("a"))
              .anyMatch(term -> term.change().orElseThrow().contains(1.3));
        });
    List<Factor> factors =
        IntStream.range(0, 5).mapToObj(f -> Factor.of("f" + f, "off", "on")).toList();
    claims.add(
        "an effect is claimed of pure noise",
        "2^5 without replicates, Lenth's rule",
        new Limits(1000, 0, 0.06),
        r -> {
          double[] y = r.doubles(32).map(u -> 1000 * Math.exp(0.03 * r.nextGaussian())).toArray();
          TwoLevelDesign design = Designs.full(factors);
          return Factors.effects(design, Factors.unreplicated(design, y), AnalysisOptions.DEFAULT)
              .terms()
              .stream()
              .anyMatch(Term::active);
        });
  }

  private static List<Observation> levels(Random r) {
    List<Observation> rows = new ArrayList<>();
    for (int block = 0; block < 6; block++) {
      double level = 0.05 * r.nextGaussian();
      for (int a = 0; a < 5; a++) {
        double y = 100 * Math.exp(level + 0.05 * r.nextGaussian());
        rows.add(new Observation(Map.of("a", "l" + a), "b" + block, Map.of("y", y)));
      }
    }
    return rows;
  }
}
