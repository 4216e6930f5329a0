package io.pyrometer.analysis;

/** The scale on which effects and residuals add up. */
public enum ResponseScale {
  /** ln y: effects are ratios. Right for throughput and time, whose spread is a share of them. */
  LN,

  /** y as it is: how published tables are made. */
  PLAIN;

  /** From the response to the scale. */
  public double forward(double y) {
    return this == LN ? Math.log(y) : y;
  }

  /** From the scale to the response. */
  public double back(double x) {
    return this == LN ? Math.exp(x) : x;
  }
}
