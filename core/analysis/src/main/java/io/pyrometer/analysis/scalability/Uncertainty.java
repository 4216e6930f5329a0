package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * The covariance of (ln λ, θ) and what it does to functions of them, by the delta method with
 * Student's t.
 */
public final class Uncertainty {
  /** An interval wider than e^±50 says no more than one of e^±50, and stays finite. */
  private static final double WIDEST_LOG = 50;

  private final double[][] covariance;
  private final double degreesOfFreedom;
  private final int replicates;
  private final CurveFit.Ahead ahead;

  Uncertainty(
      double[][] covariance, double degreesOfFreedom, int replicates, CurveFit.Ahead ahead) {
    this.ahead = ahead;
    this.covariance = Arrays.stream(covariance).map(double[]::clone).toArray(double[][]::new);
    this.degreesOfFreedom = degreesOfFreedom;
    this.replicates = replicates;
  }

  Estimate curve(LawFit fit, double n, double confidence, String unit) {
    double[] theta = fit.theta();
    double[] gradient = new double[theta.length];
    double g = fit.model().at(n, theta, gradient);
    if (!(g > 0)) {
      return new Estimate(0, 0, 0, confidence, replicates, unit);
    }
    double[] logGradient = new double[theta.length + 1];
    logGradient[0] = 1;
    for (int k = 0; k < theta.length; k++) {
      logGradient[k + 1] = gradient[k] / g;
    }
    return around(fit.lambda() * g, logGradient, confidence, unit);
  }

  /** The profile interval of the curve at a place beyond the points; 0 where there is no curve. */
  Estimate beyond(LawFit fit, double n, double confidence, String unit) {
    double x = fit.throughput(n);
    double most = fit.points().stream().mapToDouble(FittedPoint::observed).max().orElse(0);
    if (!(x > 1e-6 * most)) {
      // The curve has come down to nothing: how high could it still be?
      double[] ends = ahead.interval(n, 0.05 * most, 0.3, confidence);
      return new Estimate(0, 0, ends[1], confidence, replicates, unit);
    }
    Estimate delta = curve(fit, n, confidence, unit);
    double step = Math.min(0.3, Math.max(0.004, Math.log(delta.high() / x) / 2));
    double[] ends = ahead.interval(n, x, step, confidence);
    return new Estimate(
        x, Math.min(x, ends[0]), Math.max(x, ends[1]), confidence, replicates, unit);
  }

  /**
   * The interval of a positive function of θ alone, symmetric on its logarithm; its gradient is
   * taken by differences.
   */
  Estimate of(ToDoubleFunction<double[]> function, double[] theta, double confidence, String unit) {
    double value = function.applyAsDouble(theta);
    double[] logGradient = new double[theta.length + 1];
    for (int k = 0; k < theta.length; k++) {
      double step = 1e-5 * Math.max(Math.abs(theta[k]), 1e-9);
      double[] up = theta.clone();
      double[] down = theta.clone();
      up[k] += step;
      down[k] -= step;
      double change = Math.log(function.applyAsDouble(up) / function.applyAsDouble(down));
      logGradient[k + 1] = Double.isFinite(change) ? change / (2 * step) : 0;
    }
    return around(value, logGradient, confidence, unit);
  }

  private Estimate around(double value, double[] logGradient, double confidence, String unit) {
    double variance = 0;
    for (int i = 0; i < logGradient.length; i++) {
      for (int j = 0; j < logGradient.length; j++) {
        variance += logGradient[i] * covariance[i][j] * logGradient[j];
      }
    }
    double t = StudentT.twoSided(confidence, degreesOfFreedom);
    double half = Math.min(WIDEST_LOG, t * Math.sqrt(Math.max(0, variance)));
    return new Estimate(
        value, value * Math.exp(-half), value * Math.exp(half), confidence, replicates, unit);
  }
}
