package io.pyrometer.analysis.factorial;

/**
 * A run that does not belong with the others.
 *
 * @param run its index in the design, from 0
 * @param replicate its index, from 0
 * @param observed the response
 * @param expected what the other runs predict, on the response's scale
 * @param studentised the externally studentised residual
 * @param p two-sided, times the number of values (Bonferroni), at most 1
 */
public record OutlyingRun(
    int run, int replicate, double observed, double expected, double studentised, double p) {}
