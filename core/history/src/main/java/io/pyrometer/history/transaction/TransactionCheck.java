package io.pyrometer.history.transaction;

import io.pyrometer.history.Bound;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Verdict;
import io.pyrometer.history.transaction.MicroOperation.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether transactions are isolated, from cycles of the dependencies that their reads reveal, as
 * Elle (Kingsbury and Alvaro 2020). A history without an anomaly is not proven to be isolated: the
 * order of versions that no read shows is not known.
 *
 * @param verdict of the level of isolation that was asked for
 * @param transactions those that committed, or may have
 * @param anomalies all that were found, also those that the level permits, shortest first
 */
public record TransactionCheck(Verdict verdict, int transactions, List<Anomaly> anomalies) {

  /**
   * Checks the operations {@code txn} of a history, which append to lists or write to registers.
   *
   * @param linearizableKeys of registers: whether single keys are known to be linearizable, which
   *     shows more of the order of their versions
   * @throws IllegalArgumentException with one sentence if a transaction is malformed, appends and
   *     writes occur together, or a value is written to a key twice
   */
  public static TransactionCheck of(
      List<Operation> history, Isolation level, boolean linearizableKeys, Bound bound) {
    List<Transaction> transactions = Transaction.of(history);
    boolean appends = contain(Kind.APPEND, transactions);
    if (appends && contain(Kind.WRITE, transactions)) {
      throw new IllegalArgumentException(
          "A history has both :append and :w; check lists and registers apart.");
    }
    Versions versions =
        appends ? ListAppend.of(transactions) : Registers.of(transactions, linearizableKeys);
    boolean realTime = level == Isolation.STRICT_SERIALIZABLE;
    if (realTime) {
      versions.dependencies().addRealTime();
    }
    CycleSearch search = new CycleSearch(versions.dependencies(), realTime, bound);
    List<Anomaly> anomalies = new ArrayList<>(versions.anomalies());
    anomalies.addAll(search.find());
    boolean invalid = anomalies.stream().anyMatch(each -> level.excludes(each.type()));
    Verdict verdict =
        invalid ? Verdict.INVALID : search.bounded() ? Verdict.UNKNOWN : Verdict.VALID;
    int committed = (int) transactions.stream().filter(each -> !each.failed()).count();
    return new TransactionCheck(verdict, committed, anomalies);
  }

  private static boolean contain(Kind kind, List<Transaction> transactions) {
    return transactions.stream()
        .flatMap(each -> each.accesses().stream())
        .anyMatch(access -> access.kind() == kind);
  }
}
