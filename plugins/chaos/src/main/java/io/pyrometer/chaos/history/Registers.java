package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Versions.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Transactions that write unique values to registers. A read does not show which versions came
 * before its own; the order is taken from what is certain: the state before all writes is first,
 * and a transaction that reads and writes a key replaces the version that it read.
 */
final class Registers {
  private final Versions versions;
  private final Map<Object, Map<Object, List<Transaction>>> readers = new LinkedHashMap<>();

  /** By key: which version is known to precede which. */
  private final Map<Object, Map<Object, Set<Object>>> order = new LinkedHashMap<>();

  private Registers(List<Transaction> transactions) {
    this.versions =
        new Versions(
            transactions, r -> r.value() == Operation.NIL ? List.of() : List.of(r.value()));
  }

  static Versions of(List<Transaction> transactions) {
    Registers all = new Registers(transactions);
    transactions.forEach(all::accesses);
    all.versions
        .writes()
        .forEach((version, write) -> all.precedes(version.key(), Operation.NIL, version.value()));
    all.dependencies();
    all.versions.lostUpdates(MicroOperation::value);
    return all.versions;
  }

  private void precedes(Object key, Object earlier, Object later) {
    if (!earlier.equals(later)) {
      order
          .computeIfAbsent(key, any -> new LinkedHashMap<>())
          .computeIfAbsent(earlier, any -> new LinkedHashSet<>())
          .add(later);
    }
  }

  private void accesses(Transaction transaction) {
    Map<Object, Object> known = new HashMap<>();
    for (MicroOperation access : transaction.accesses()) {
      Object key = access.key();
      Object before = known.get(key);
      if (access.reads() && transaction.ok()) {
        if (before == null) {
          readers
              .computeIfAbsent(key, any -> new LinkedHashMap<>())
              .computeIfAbsent(access.value(), any -> new ArrayList<>())
              .add(transaction);
          versions.read(transaction, key, access.value());
        } else if (!before.equals(access.value())) {
          versions.found(
              AnomalyType.INTERNAL,
              "T%d read %s of %s, where it must find %s."
                  .formatted(transaction.index(), access.value(), key, before),
              transaction);
        }
        known.put(key, access.value());
      } else if (!access.reads()) {
        if (before != null && !transaction.failed()) {
          precedes(key, before, access.value());
        }
        known.put(key, access.value());
      }
    }
  }

  private void dependencies() {
    order.forEach(
        (key, following) -> {
          if (cyclic(key, following)) {
            return;
          }
          Map<Object, List<Transaction>> of = readers.getOrDefault(key, Map.of());
          following.forEach(
              (earlier, all) ->
                  all.forEach(
                      later ->
                          versions
                              .write(key, later)
                              .filter(this::mayHaveCommitted)
                              .ifPresent(
                                  write ->
                                      versions.follows(
                                          key,
                                          earlier,
                                          later,
                                          of.getOrDefault(earlier, List.of())))));
        });
  }

  /** Only what surely took effect has a place in the order. */
  private boolean mayHaveCommitted(Write write) {
    return write.by().ok()
        || readers.getOrDefault(write.access().key(), Map.of()).containsKey(write.access().value());
  }

  private boolean cyclic(Object key, Map<Object, Set<Object>> following) {
    List<Object> all = new ArrayList<>();
    Map<Object, Integer> index = new HashMap<>();
    following.forEach(
        (earlier, later) -> {
          add(earlier, all, index);
          later.forEach(value -> add(value, all, index));
        });
    int[][] successors = new int[all.size()][];
    for (int i = 0; i < successors.length; i++) {
      successors[i] =
          following.getOrDefault(all.get(i), Set.of()).stream().mapToInt(index::get).toArray();
    }
    List<int[]> cycles = Components.of(successors);
    for (int[] cycle : cycles) {
      Set<Object> values = new LinkedHashSet<>();
      Set<Transaction> involved = new LinkedHashSet<>();
      for (int member : cycle) {
        values.add(all.get(member));
        versions.write(key, all.get(member)).ifPresent(write -> involved.add(write.by()));
      }
      versions.found(
          AnomalyType.CYCLIC_VERSIONS,
          "The versions %s of %s precede one another.".formatted(values, key),
          involved.toArray(Transaction[]::new));
    }
    return !cycles.isEmpty();
  }

  private static void add(Object value, List<Object> all, Map<Object, Integer> index) {
    if (index.putIfAbsent(value, all.size()) == null) {
      all.add(value);
    }
  }
}
