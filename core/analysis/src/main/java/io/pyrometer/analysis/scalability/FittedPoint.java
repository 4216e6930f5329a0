package io.pyrometer.analysis.scalability;

/**
 * A measured point beside its fit.
 *
 * @param n as measured
 * @param observed throughput
 * @param fitted throughput
 * @param residual observed − fitted on the linear scale, ln(observed/fitted) on the logarithmic one
 * @param standardised the residual over the residual standard deviation; 0 for a perfect fit
 */
public record FittedPoint(
    double n, double observed, double fitted, double residual, double standardised) {}
