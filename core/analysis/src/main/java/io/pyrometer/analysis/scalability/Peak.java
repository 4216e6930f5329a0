package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;

/**
 * Where the law turns.
 *
 * @param n N* = √((1−σ)/κ), beyond which throughput falls
 * @param throughput at N*
 * @param knee the N of the largest X²/N, beyond which each further node costs more than it gives
 * @param kneeThroughput at the knee
 */
public record Peak(Estimate n, Estimate throughput, Estimate knee, Estimate kneeThroughput) {}
