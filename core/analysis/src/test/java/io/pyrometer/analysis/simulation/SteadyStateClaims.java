package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.simulation.Claim.Limits;
import io.pyrometer.analysis.steady.SteadyState;
import java.util.List;

/** Claims on trials that settle or do not. */
final class SteadyStateClaims {
  private SteadyStateClaims() {}

  static List<Claim> all() {
    Claims claims = new Claims();
    for (int n : new int[] {60, 200}) {
      claims.add(
          "a flat trial is called unsettled",
          n + " samples, noise 5 %",
          new Limits(1000, 0, 0.03),
          r -> unsettled(r.doubles(n).map(u -> 1000 + 50 * r.nextGaussian()).toArray()));
    }
    claims.add(
        "a flat trial is called unsettled",
        "120 samples, neighbours correlated by 0.5",
        new Limits(1000, 0, 0.05),
        r -> {
          double[] samples = new double[120];
          double e = 0;
          for (int i = 0; i < samples.length; i++) {
            e = 0.5 * e + 30 * r.nextGaussian();
            samples[i] = 1000 + e;
          }
          return unsettled(samples);
        });
    claims.add(
        "a flat trial is called unsettled",
        "150 samples of 0.1 s, a pause every 5 s",
        new Limits(1000, 0, 0.03),
        r -> {
          double[] samples = r.doubles(150).map(u -> 1000 + 30 * r.nextGaussian()).toArray();
          for (int i = r.nextInt(50); i < 150; i += 50) {
            samples[i] *= 0.1;
          }
          return unsettled(samples);
        });
    claims.add(
        "a trial that moves between two levels is called unsettled",
        "200 samples, levels 1000 and 1500, 20 samples each on average",
        new Limits(1000, 0.8, 1),
        r -> {
          double level = 1000;
          double[] samples = new double[200];
          for (int i = 0; i < samples.length; i++) {
            level = r.nextInt(20) == 0 ? 2500 - level : level;
            samples[i] = level + 20 * r.nextGaussian();
          }
          return unsettled(samples);
        });
    return claims.all();
  }

  private static boolean unsettled(double[] samples) {
    return !SteadyState.of(samples).settled();
  }
}
