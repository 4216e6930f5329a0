package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import io.pyrometer.chaos.history.DependencyGraph.Reason;
import io.pyrometer.chaos.history.Transaction.Access;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Versions of lists that transactions append unique elements to: each read shows the order of all
 * versions up to its own (Kingsbury and Alvaro 2020, section 4).
 */
final class ListAppend {

  /** A version of a key: the written value, or the last element of a list; nil for none. */
  private record Version(Object key, Object value) {}

  /** A write and its transaction. */
  private record Write(Transaction by, Access access) {
    boolean last() {
      return by.isLast(access);
    }
  }

  private final Map<Version, Write> writes = new LinkedHashMap<>();
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final DependencyGraph dependencies;

  /** The transactions that read a version before they wrote the key. */
  private final Map<Version, List<Transaction>> readers = new LinkedHashMap<>();

  private final Map<Object, List<?>> longest = new HashMap<>();

  /** Throws {@link IllegalArgumentException} if a value is appended to a key twice. */
  ListAppend(List<Transaction> transactions) {
    dependencies = new DependencyGraph(transactions);
    for (Transaction each : transactions) {
      for (Access access : each.writes()) {
        if (writes.put(new Version(access.key(), access.value()), new Write(each, access))
            != null) {
          throw Transaction.malformed(each.describe());
        }
      }
    }
    transactions.stream().filter(Transaction::ok).forEach(this::requireWritten);
    for (Transaction each : transactions) {
      internal(each);
      each.externalReads().forEach(read -> read(each, read));
    }
    order();
    lostUpdates();
  }

  /** Finds reads of values that nobody wrote, or that the reader wrote only afterwards. */
  private void requireWritten(Transaction reader) {
    for (int i = 0; i < reader.accesses().size(); i++) {
      Access read = reader.accesses().get(i);
      for (Object value : read.reads() ? read.list() : List.of()) {
        Optional<Write> write = write(read.key(), value);
        boolean later =
            write.isPresent()
                && write.get().by().index() == reader.index()
                && reader.accesses().indexOf(write.get().access()) > i;
        if (write.isEmpty() || later) {
          found(
              later ? AnomalyType.OWN_WRITES : AnomalyType.UNWRITTEN_READ,
              "T%d read %s of %s, which %s."
                  .formatted(
                      reader.index(),
                      value,
                      read.key(),
                      later ? "it wrote afterwards" : "nobody wrote"),
              reader);
        }
      }
    }
  }

  DependencyGraph dependencies() {
    return dependencies;
  }

  List<Anomaly> anomalies() {
    return anomalies;
  }

  private Optional<Write> write(Object key, Object value) {
    return Optional.ofNullable(writes.get(new Version(key, value)));
  }

  private void contradiction(
      AnomalyType type, Transaction transaction, Access read, Object expected) {
    found(
        type,
        Messages.format("chaos.wrong-read")
            .formatted(transaction.index(), read.value(), read.key(), expected),
        transaction);
  }

  private void found(AnomalyType type, String explanation, Transaction... transactions) {
    anomalies.add(new Anomaly(type, List.of(transactions), explanation));
  }

  /** A transaction read a version: from whom, and whether it may have. */
  private void read(Transaction reader, Object key, Object value) {
    ListsByKey.add(readers, new Version(key, value), reader);
    Optional<Write> known = write(key, value).filter(write -> write.by().index() != reader.index());
    if (known.isEmpty()) {
      return;
    }
    Transaction writer = known.get().by();
    if (writer.failed()) {
      abortedRead(reader, key, value, writer);
    } else if (!known.get().last()) {
      found(
          AnomalyType.G1B,
          "T%d read %s of %s, which T%d replaced itself."
              .formatted(reader.index(), value, key, writer.index()),
          writer,
          reader);
    }
    dependencies.add(writer, reader, Reason.WR, key);
  }

  private void abortedRead(Transaction reader, Object key, Object value, Transaction writer) {
    found(
        AnomalyType.G1A,
        Messages.format("chaos.aborted-read").formatted(reader.index(), value, key, writer.index()),
        writer,
        reader);
  }

  /** A version directly follows another one, which is nil for the state before all writes. */
  private void follows(Object key, Object earlier, Object later) {
    write(key, later)
        .map(Write::by)
        .ifPresent(
            next -> {
              write(key, earlier)
                  .ifPresent(write -> dependencies.add(write.by(), next, Reason.WW, key));
              readers
                  .getOrDefault(new Version(key, earlier), List.of())
                  .forEach(reader -> dependencies.add(reader, next, Reason.RW, key));
            });
  }

  /** Finds transactions that read one version of a key and all replaced it. */
  private void lostUpdates() {
    Map<Version, List<Transaction>> replacing = new LinkedHashMap<>();
    for (Transaction each : dependencies.transactions()) {
      Set<Object> written = new HashSet<>();
      each.writes().forEach(write -> written.add(write.key()));
      for (Access read : each.externalReads()) {
        if (written.contains(read.key())) {
          ListsByKey.add(replacing, new Version(read.key(), version(read)), each);
        }
      }
    }
    replacing.forEach(
        (read, by) -> {
          if (by.size() > 1) {
            found(
                AnomalyType.LOST_UPDATE,
                Messages.format("chaos.lost-update").formatted(read.value(), read.key()),
                by.toArray(Transaction[]::new));
          }
        });
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

  /**
   * Compares lists that were read, also by the transaction that appended to them; the longest
   * counts.
   */
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
    longest.forEach(
        (key, list) ->
            list.forEach(
                value -> write(key, value).ifPresent(found -> observed.add(found.by().index()))));
    writes.forEach(
        (version, write) -> {
          boolean read = longest.getOrDefault(version.key(), List.of()).contains(version.value());
          if (!read && (write.by().ok() || observed.contains(write.by().index()))) {
            ListsByKey.add(unread, version.key(), version.value());
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
              Messages.format("chaos.append-order")
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
