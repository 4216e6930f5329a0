package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.Estimate;

/**
 * A lasting change in a history.
 *
 * @param index of the first value after it
 * @param label of that value, for example a version
 * @param before the mean between the change before and this one
 * @param after the mean between this change and the next
 * @param ratio after/before of the geometric means, with its interval
 * @param p of means so far apart without a change
 */
public record ChangePoint(
    int index, String label, double before, double after, Estimate ratio, double p) {}
