package io.pyrometer.analysis;

import java.util.function.DoubleUnaryOperator;

/** The scale on which effects and residuals add up. */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum ResponseScale {
  /** ln y: effects are ratios. Right for throughput and time, whose spread is a share of them. */
  LN(Math::log, Math::exp),

  /** y as it is: how published tables are made. */
  PLAIN(DoubleUnaryOperator.identity(), DoubleUnaryOperator.identity());

  private final DoubleUnaryOperator forward;
  private final DoubleUnaryOperator back;

  ResponseScale(DoubleUnaryOperator forward, DoubleUnaryOperator back) {
    this.forward = forward;
    this.back = back;
  }

  /** From the response to the scale. */
  public double forward(double y) {
    return forward.applyAsDouble(y);
  }

  /** From the scale to the response. */
  public double back(double x) {
    return back.applyAsDouble(x);
  }
}
