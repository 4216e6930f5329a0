package io.pyrometer.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which transactions must precede which, and why: the edges of a direct serialization graph. */
final class Dependencies {

  /** Why one transaction precedes another. */
  enum Reason {
    /** It wrote the version that the other replaced. */
    WW("%2$s replaced the version of %3$s that %1$s wrote"),
    /** It wrote the version that the other read. */
    WR("%2$s read the version of %3$s that %1$s wrote"),
    /** It read the version that the other replaced. */
    RW("%2$s replaced the version of %3$s that %1$s read"),
    /** It ended before the other began. */
    TIME("%1$s ended before %2$s began");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }
  }

  /** {@code key} is nil for an edge of time. */
  record Edge(int from, int to, Reason reason, Object key) {
    String describe() {
      return reason.sentence.formatted("T" + from, "T" + to, key);
    }
  }

  private final List<Map<Integer, Map<Reason, Edge>>> edges = new ArrayList<>();
  private final List<Transaction> transactions;

  Dependencies(List<Transaction> transactions) {
    this.transactions = transactions;
    transactions.forEach(each -> edges.add(new LinkedHashMap<>()));
  }

  List<Transaction> transactions() {
    return transactions;
  }

  void add(Transaction from, Transaction to, Reason reason, Object key) {
    if (from.index() != to.index()) {
      edges
          .get(from.index())
          .computeIfAbsent(to.index(), index -> new LinkedHashMap<>())
          .putIfAbsent(reason, new Edge(from.index(), to.index(), reason, key));
    }
  }

  int size() {
    return edges.size();
  }

  /** All edges that leave a transaction. */
  List<Edge> from(int index) {
    return edges.get(index).values().stream().flatMap(by -> by.values().stream()).toList();
  }

  /**
   * Adds the order of time between transactions, without those edges that follow from others: each
   * transaction has an edge from the latest ended ones only.
   */
  void addRealTime() {
    List<Transaction> byEnd =
        transactions.stream()
            .filter(Transaction::ok)
            .sorted(Comparator.comparingLong(each -> each.call().completed()))
            .toList();
    List<Transaction> byStart =
        transactions.stream()
            .filter(each -> !each.failed())
            .sorted(Comparator.comparingLong(each -> each.call().invoked()))
            .toList();
    List<Transaction> frontier = new ArrayList<>();
    int ended = 0;
    for (Transaction each : byStart) {
      while (ended < byEnd.size() && byEnd.get(ended).call().completed() < each.call().invoked()) {
        Transaction end = byEnd.get(ended++);
        frontier.removeIf(earlier -> earlier.call().completed() < end.call().invoked());
        frontier.add(end);
      }
      frontier.forEach(earlier -> add(earlier, each, Reason.TIME, Operation.NIL));
    }
  }
}
