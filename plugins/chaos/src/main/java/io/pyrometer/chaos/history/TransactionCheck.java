package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Transaction.Access;
import io.pyrometer.chaos.history.Transaction.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

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
   * Checks a history of operations {@code txn}, which append to lists or write to registers. All
   * keys are empty at first.
   *
   * @throws IllegalArgumentException with one sentence if a transaction is malformed, appends and
   *     writes occur together, or a value is written to a key twice
   */
  public static TransactionCheck of(List<Operation> history, Isolation level, Budget budget) {
    List<Transaction> transactions = Transaction.of(history);
    boolean lists = contain(transactions, a -> a.kind() == Kind.APPEND || a.isListRead());
    if (lists && contain(transactions, a -> a.kind() == Kind.WRITE)) {
      throw new IllegalArgumentException(
          "The history has both lists and registers; check them apart.");
    }
    if (lists
        && contain(transactions, a -> a.reads() && !a.isListRead() && a.value() != Operation.NIL)) {
      throw new IllegalArgumentException("The history has a read of a list that found none.");
    }
    Versions versions = lists ? new ListAppend(transactions) : new Registers(transactions);
    DependencyGraph graph = versions.dependencies();
    List<Anomaly> anomalies = new ArrayList<>(versions.anomalies());
    anomalies.addAll(graph.cycles(level == Isolation.STRICT_SERIALIZABLE, budget));
    boolean invalid = anomalies.stream().anyMatch(each -> level.excludes(each.type()));
    Verdict verdict = invalid ? Verdict.INVALID : graph.bounded() ? Verdict.UNKNOWN : Verdict.VALID;
    int committed = (int) transactions.stream().filter(each -> !each.failed()).count();
    return new TransactionCheck(verdict, committed, anomalies);
  }

  private static boolean contain(List<Transaction> transactions, Predicate<Access> which) {
    return transactions.stream().flatMap(each -> each.accesses().stream()).anyMatch(which);
  }
}
