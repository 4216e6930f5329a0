package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Claims on data that no fitted model describes. Their limits are those of the others; a rate
 * outside them is a fact to be printed, not a fault.
 */
final class OutsideClaims {
  /** Noise with a standard deviation of about 1, a new series for each treatment. */
  private record Noise(String name, Function<Random, Supplier<Double>> series) {}

  private static final List<Noise> NOISES =
      List.of(
          new Noise("of Student's t of 3 degrees", r -> () -> ComparisonClaims.heavy(r)),
          new Noise(
              "with one value in 20 at half speed",
              r -> () -> r.nextGaussian() - (r.nextInt(20) == 0 ? 14 : 0)),
          new Noise(
              "that takes two values, 3 sd apart, by the start",
              r -> () -> (r.nextBoolean() ? 1.5 : -1.5) + 0.3 * r.nextGaussian()),
          new Noise("correlated by 0.5 from block to block", r -> correlated(0.5, r)));

  /** A law that is none of the fitted ones, without a peak. */
  private record Law(String name, DoubleUnaryOperator at) {}

  private static final List<Law> LAWS =
      List.of(
          new Law("logarithmic growth", n -> Math.log(1 + n)),
          new Law("exponential approach to a limit", n -> 1 - Math.exp(-n / 6)),
          new Law("in proportion, with a step down by 30 % after 8", n -> n > 8 ? 0.7 * n : n),
          new Law("in proportion to 8, then a quarter as steep", n -> Math.min(n, 6 + n / 4)));

  private OutsideClaims() {}

  static List<Claim> all() {
    Claims claims = new Claims();
    for (Noise noise : NOISES) {
      String of = "noise 5 % " + noise.name();
      claims.add(
          "an effect is claimed of pure noise",
          "2 × 2 × 2 in 3 blocks, " + of,
          new Limits(1000, 0, 0.05),
          r -> effects(noise, r).terms().stream().anyMatch(Term::active));
    }
    for (Law law : LAWS) {
      String how = law.name() + ", 10 N to 32, 3 blocks, noise 3 %";
      claims.add(
          "the interval at twice the measured range covers the truth",
          how,
          new Limits(100, 0.92, 0.98),
          r -> curve(law, r).at(64).throughput().contains(1000 * law.at().applyAsDouble(64)));
      claims.add(
          "the interval at twice the measured range covers the truth, or lack of fit is stated",
          how,
          new Limits(100, 0.92, 1),
          r -> {
            Scalability curve = curve(law, r);
            return curve.at(64).throughput().contains(1000 * law.at().applyAsDouble(64))
                || curve.chosen().misfits()
                || curve.law().misfits();
          });
      claims.add(
          "a peak is published though there is none",
          how,
          new Limits(100, 0, 0.05),
          r -> curve(law, r).peak().isPresent());
    }
    return claims.all();
  }

  private static Supplier<Double> correlated(double by, Random r) {
    double[] last = {r.nextGaussian()};
    return () -> {
      double value = last[0];
      last[0] = by * value + Math.sqrt(1 - by * by) * r.nextGaussian();
      return value;
    };
  }

  private static FactorialEffects effects(Noise noise, Random r) {
    List<Observation> rows = new ArrayList<>();
    for (int run = 0; run < 8; run++) {
      Supplier<Double> series = noise.series().apply(r);
      Map<String, String> levels =
          Map.of("a", "" + run / 4, "b", "" + run / 2 % 2, "c", "" + run % 2);
      for (int b = 0; b < 3; b++) {
        double y = 100 * Math.exp(0.05 * series.get());
        rows.add(new Observation(levels, "b" + b, Map.of("y", y)));
      }
    }
    List<Factor> factors = Factor.of(rows, List.of("a", "b", "c"));
    return FactorialEffects.ofDesign(rows, factors, "y", AnalysisOptions.DEFAULT);
  }

  private static Scalability curve(Law law, Random r) {
    List<ScalePoint> points = new ArrayList<>();
    for (int b = 0; b < 3; b++) {
      for (int n : new int[] {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
        double x = 1000 * law.at().applyAsDouble(n) * Math.exp(0.03 * r.nextGaussian());
        points.add(new ScalePoint(n, x, "b" + b));
      }
    }
    return Scalability.of(points, AnalysisOptions.DEFAULT);
  }
}
