package io.pyrometer.chaos.history;

import java.util.List;

/**
 * One anomaly.
 *
 * @param explanation one sentence, or for a cycle one of each dependency
 */
public record Anomaly(AnomalyType type, List<Transaction> transactions, String explanation) {}
