package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;

/**
 * A fitted parameter.
 *
 * @param name as in the model's formula
 * @param estimate with its profile interval: all values whose best fit is not significantly worse
 * @param standardError from the Jacobian, for comparison with other tools; 0 at a bound
 * @param openLow whether the interval has no lower end, or ends at the parameter's bound
 * @param openHigh whether the interval has no upper end that the points determine: then the end
 *     given is only how far was looked
 */
public record Parameter(
    String name, Estimate estimate, double standardError, boolean openLow, boolean openHigh) {}
