package io.pyrometer.chaos.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Isolation of transactions, by cycles of the dependencies that their reads reveal, as Elle
 * (Kingsbury and Alvaro 2020). A history without an anomaly is not proven to be isolated: the order
 * of versions that no read shows is not known.
 *
 * @param verdict of the level of isolation that was asked for
 * @param transactions those that committed, or may have
 * @param anomalies all that were found, also those that the level permits, shortest first
 */
public record TransactionCheck(Verdict verdict, int transactions, List<Anomaly> anomalies) {

  /**
   * Checks a history of operations {@code txn}, which append to lists that are empty at first.
   *
   * @throws IllegalArgumentException with one sentence if a transaction is malformed, or a value is
   *     appended to a key twice
   */
  public static TransactionCheck of(List<Operation> history, Isolation level, Budget budget) {
    List<Transaction> transactions = Transaction.of(history);
    ListAppend versions = new ListAppend(transactions);
    DependencyGraph graph = versions.dependencies();
    List<Anomaly> anomalies = new ArrayList<>(versions.anomalies());
    anomalies.addAll(graph.cycles(level == Isolation.STRICT_SERIALIZABLE, budget));
    boolean invalid = anomalies.stream().anyMatch(each -> level.excludes(each.type()));
    Verdict verdict = invalid ? Verdict.INVALID : graph.bounded() ? Verdict.UNKNOWN : Verdict.VALID;
    int committed = (int) transactions.stream().filter(each -> !each.failed()).count();
    return new TransactionCheck(verdict, committed, anomalies);
  }
}
