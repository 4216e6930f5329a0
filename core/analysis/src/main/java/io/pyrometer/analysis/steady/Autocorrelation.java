package io.pyrometer.analysis.steady;

/** Autocorrelation of a series, which reduces its effective number of values. */
final class Autocorrelation {
  private static final double MOST = 0.9;

  private Autocorrelation() {}

  /**
   * By how much the variance of a mean or slope exceeds that of independent values: (1+ρ)/(1−ρ) of
   * a first-order process, at least 1. The estimate of ρ from few values lies below the truth, by
   * about (1 + 3ρ)/n around a mean (Kendall 1954) and (2 + 4ρ)/n around a line, which is added.
   *
   * @param residuals around what was fitted
   * @param fitted 1 for a mean, 2 for a line
   */
  static double inflation(double[] residuals, int fitted) {
    double squares = 0;
    double products = 0;
    for (int i = 0; i < residuals.length; i++) {
      squares += residuals[i] * residuals[i];
      products += i == 0 ? 0 : residuals[i] * residuals[i - 1];
    }
    double rho = squares > 0 ? products / squares : 0;
    rho =
        Math.max(
            0, Math.min(MOST, rho + (fitted + (2 + fitted) * Math.max(0, rho)) / residuals.length));
    return (1 + rho) / (1 - rho);
  }
}
