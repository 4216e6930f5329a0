package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import io.pyrometer.chaos.history.Transaction.Access;
import io.pyrometer.chaos.history.Versions.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Transactions that append unique elements to lists and read lists: each read shows the order of
 * all versions up to its own (Kingsbury and Alvaro 2020, section 4).
 */
final class ListAppend extends Versions {
  private final Map<Object, List<?>> longest = new HashMap<>();

  ListAppend(List<Transaction> transactions) {
    super(transactions, Access::list);
    for (Transaction each : transactions) {
      internal(each);
      for (Access read : each.externalReads()) {
        read(each, read);
      }
    }
    order();
    lostUpdates(ListAppend::version);
  }

  private void internal(Transaction transaction) {
    Map<Object, List<?>> known = new HashMap<>();
    Map<Object, List<Object>> appended = new HashMap<>();
    if (!transaction.ok()) {
      return;
    }
    for (Access access : transaction.accesses()) {
      List<Object> own = appended.computeIfAbsent(access.key(), key -> new ArrayList<>());
      if (!access.reads()) {
        own.add(access.value());
        continue;
      }
      List<?> found = access.list();
      compare(transaction, access.key(), found);
      if (new HashSet<>(found).size() < found.size()) {
        contradiction(AnomalyType.DUPLICATE_ELEMENTS, transaction, access, "each element once");
      }
      List<Object> expected = new ArrayList<>(known.getOrDefault(access.key(), List.of()));
      expected.addAll(own);
      boolean fits =
          known.containsKey(access.key())
              ? found.equals(expected)
              : found.size() >= own.size()
                  && found.subList(found.size() - own.size(), found.size()).equals(own);
      if (!fits) {
        contradiction(AnomalyType.INTERNAL, transaction, access, "… " + expected);
      }
      known.put(access.key(), found);
      own.clear();
    }
  }

  private static Object version(Access read) {
    List<?> list = read.list();
    return list.isEmpty() ? Operation.NIL : list.get(list.size() - 1);
  }

  /** Of lists that were read, also by the transaction that appended to them, the longest counts. */
  private void compare(Transaction reader, Object key, List<?> list) {
    List<?> other = longest.getOrDefault(key, List.of());
    int common = Math.min(list.size(), other.size());
    if (!list.subList(0, common).equals(other.subList(0, common))) {
      found(
          AnomalyType.INCOMPATIBLE_ORDER,
          "%s was read as %s and as %s.".formatted(key, other, list),
          reader);
    }
    if (list.size() >= other.size()) {
      longest.put(key, list);
    }
  }

  private void read(Transaction reader, Access read) {
    List<?> list = read.list();
    Object key = read.key();
    Object last = version(read);
    for (int i = 0; i < list.size() - 1; i++) {
      Object element = list.get(i);
      write(key, element)
          .filter(write -> write.by().failed())
          .ifPresent(write -> abortedRead(reader, key, element, write.by()));
    }
    read(reader, key, last);
  }

  private void order() {
    Map<Object, List<Object>> unread = new HashMap<>();
    Set<Integer> observed = new HashSet<>();
    for (Map.Entry<Object, List<?>> each : longest.entrySet()) {
      each.getValue()
          .forEach(
              value ->
                  write(each.getKey(), value)
                      .map(write -> write.by().index())
                      .ifPresent(observed::add));
    }
    writes()
        .forEach(
            (version, write) -> {
              boolean read =
                  longest.getOrDefault(version.key(), List.of()).contains(version.value());
              if (!read && (write.by().ok() || observed.contains(write.by().index()))) {
                unread
                    .computeIfAbsent(version.key(), key -> new ArrayList<>())
                    .add(version.value());
              }
            });
    longest.forEach(this::ownOrder);
    longest.forEach(
        (key, list) -> {
          Object before = Operation.NIL;
          Optional<Write> aborted = Optional.empty();
          for (Object element : list) {
            follows(key, before, element);
            Optional<Write> write = write(key, element);
            if (aborted.isPresent() && write.filter(w -> w.by().ok()).isPresent()) {
              dirtyUpdate(key, aborted.get().by(), write.get().by());
              aborted = Optional.empty();
            }
            if (write.filter(w -> w.by().failed()).isPresent()) {
              aborted = write;
            }
            before = element;
          }
          Object last = before;
          // What nobody read was appended after the longest list that somebody did.
          unread.getOrDefault(key, List.of()).forEach(later -> follows(key, last, later));
        });
  }

  /** Finds transactions whose appends to a list are in another order there. */
  private void ownOrder(Object key, List<?> list) {
    Map<Integer, Access> last = new HashMap<>();
    for (Object element : list) {
      Optional<Write> write = write(key, element);
      if (write.isPresent()) {
        Transaction by = write.get().by();
        Access append = write.get().access();
        Access before = last.getOrDefault(by.index(), append);
        if (by.accesses().indexOf(before) > by.accesses().indexOf(append)) {
          found(
              AnomalyType.OWN_WRITES,
              "T%d appended %s to %s before %s, which precedes it in the list."
                  .formatted(by.index(), append.value(), key, before.value()),
              by);
        }
        last.put(by.index(), append);
      }
    }
  }

  private void dirtyUpdate(Object key, Transaction aborted, Transaction later) {
    found(
        AnomalyType.DIRTY_UPDATE,
        "T%d appended to %s after T%d, which failed."
            .formatted(later.index(), key, aborted.index()),
        aborted,
        later);
  }
}
