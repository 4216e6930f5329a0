package io.pyrometer.journal;

import io.pyrometer.protocol.HealthReport;
import java.util.Map;

/**
 * The findings of a driver's checks in the grid of a run, while its treatments loaded it in turns.
 *
 * @param levels that all these treatments have, by factor; empty where one grid serves all
 */
public record Examination(Map<String, String> levels, HealthReport report) {}
