package io.pyrometer.chaos.history.transaction;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One anomaly.
 *
 * @param explanation one sentence, or for a cycle one of each dependency
 */
public record Anomaly(AnomalyType type, List<Transaction> transactions, String explanation) {

  /** What a person reads: the transactions, and why they cannot be. */
  public String describe() {
    return transactions.stream()
        .map(Transaction::describe)
        .collect(Collectors.joining("\n", "", "\n" + explanation));
  }
}
