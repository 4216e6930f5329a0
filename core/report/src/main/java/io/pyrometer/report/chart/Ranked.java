package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import java.util.Optional;

/**
 * One treatment among others.
 *
 * @param ratio to the plainest treatment; empty for that treatment itself
 * @param note a restriction of the figure, in a few words; empty where there is none
 */
public record Ranked(String label, Estimate estimate, Optional<Estimate> ratio, String note) {}
