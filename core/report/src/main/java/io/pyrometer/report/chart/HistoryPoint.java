package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;

/**
 * One run in a history.
 *
 * @param run as the axis names it, for example its date or commit
 * @param change what changed from this run on, in a few words, for example {@code −12 %}; empty
 *     where nothing did
 */
public record HistoryPoint(String run, Estimate estimate, String change) {}
