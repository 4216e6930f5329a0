package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import io.pyrometer.chaos.history.Transaction.Access;
import io.pyrometer.chaos.history.Versions.Write;
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
final class Registers extends Versions {
  /** By key: which version is known to precede which. */
  private final Map<Object, Map<Object, Set<Object>>> order = new LinkedHashMap<>();

  Registers(List<Transaction> transactions) {
    super(transactions, r -> r.value() == Operation.NIL ? List.of() : List.of(r.value()));
    transactions.forEach(this::accesses);
    writes().forEach((version, write) -> precedes(version.key(), Operation.NIL, version.value()));
    order.forEach(this::dependencies);
    lostUpdates(Access::value);
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
    for (Access access : transaction.accesses()) {
      Object key = access.key();
      Object before = known.get(key);
      if (access.reads() && transaction.ok()) {
        if (before == null) {
          read(transaction, key, access.value());
        } else if (!before.equals(access.value())) {
          contradiction(AnomalyType.INTERNAL, transaction, access, before);
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

  private void dependencies(Object key, Map<Object, Set<Object>> following) {
    Set<Object> all = new LinkedHashSet<>(following.keySet());
    following.values().forEach(all::addAll);
    List<Set<Object>> cycles =
        DependencyGraph.components(all, each -> following.getOrDefault(each, Set.of()));
    for (Set<Object> cycle : cycles) {
      found(
          AnomalyType.CYCLIC_VERSIONS,
          "The versions %s of %s precede one another.".formatted(cycle, key),
          cycle.stream()
              .flatMap(value -> write(key, value).stream())
              .map(Write::by)
              .distinct()
              .toArray(Transaction[]::new));
    }
    if (cycles.isEmpty()) {
      following.forEach(
          (earlier, later) ->
              later.stream()
                  .filter(value -> tookEffect(key, value))
                  .forEach(value -> follows(key, earlier, value)));
    }
  }

  /** Only what surely took effect has a place in the order. */
  private boolean tookEffect(Object key, Object value) {
    return write(key, value).filter(write -> write.by().ok()).isPresent()
        || !readers(key, value).isEmpty();
  }
}
