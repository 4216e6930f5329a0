package io.pyrometer.analysis.scalability;

/**
 * A point that belongs to none of the models that the others allow.
 *
 * @param point as measured
 * @param expected by the model that comes nearest to it when fitted without it
 * @param studentised its externally studentised residual under that model
 * @param p corrected for the number of points (Bonferroni)
 */
public record OutlyingPoint(ScalePoint point, double expected, double studentised, double p) {}
