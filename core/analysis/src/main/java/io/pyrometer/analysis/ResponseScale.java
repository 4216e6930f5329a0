package io.pyrometer.analysis;

/** The scale on which effects and residuals add up. */
public enum ResponseScale {
  /** ln y: effects are ratios. Right for throughput and time, whose spread is a share of them. */
  LN {
    @Override
    public double forward(double y) {
      return Math.log(y);
    }

    @Override
    public double back(double x) {
      return Math.exp(x);
    }
  },
  /** y as it is: how published tables are made. */
  PLAIN {
    @Override
    public double forward(double y) {
      return y;
    }

    @Override
    public double back(double x) {
      return x;
    }
  };

  /** From the response to the scale. */
  public abstract double forward(double y);

  /** From the scale to the response. */
  public abstract double back(double x);
}
