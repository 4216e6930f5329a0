package io.pyrometer.analysis.factorial;

/** The scale on which effects add up. */
public enum ResponseScale {
  /** ln y: effects are ratios. Right for throughput and time, whose spread is a share of them. */
  LN {
    @Override
    double forward(double y) {
      return Math.log(y);
    }

    @Override
    double back(double x) {
      return Math.exp(x);
    }
  },
  /** y as it is: how published tables are made. */
  IDENTITY {
    @Override
    double forward(double y) {
      return y;
    }

    @Override
    double back(double x) {
      return x;
    }
  };

  abstract double forward(double y);

  abstract double back(double x);
}
