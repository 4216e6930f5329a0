package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import io.pyrometer.chaos.history.DependencyGraph.Reason;
import io.pyrometer.chaos.history.Transaction.Access;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Who wrote which version of which key. Versions are recoverable (Kingsbury and Alvaro 2020)
 * because no value is written twice to a key.
 */
abstract class Versions {

  /** A version of a key: the written value, or the last element of a list; nil for none. */
  record Version(Object key, Object value) {}

  /** A write and its transaction. */
  record Write(Transaction by, Access access) {
    boolean last() {
      return by.isLast(access);
    }
  }

  private final Map<Version, Write> writes = new LinkedHashMap<>();
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final DependencyGraph dependencies;

  /** By key and version: the transactions that read it before they wrote the key. */
  private final Map<Object, Map<Object, List<Transaction>>> readers = new LinkedHashMap<>();

  /**
   * @param found the values that a read shows to have been written
   * @throws IllegalArgumentException with one sentence if a value is written to a key twice
   */
  Versions(List<Transaction> transactions, Function<Access, List<?>> found) {
    dependencies = new DependencyGraph(transactions);
    for (Transaction each : transactions) {
      for (Access access : each.writes()) {
        if (writes.put(new Version(access.key(), access.value()), new Write(each, access))
            != null) {
          throw new IllegalArgumentException(
              "The value %s is written to the key %s twice, so it does not tell which write a read has seen."
                  .formatted(access.value(), access.key()));
        }
      }
    }
    transactions.stream().filter(Transaction::ok).forEach(each -> requireWritten(each, found));
  }

  /** Finds reads of values that nobody wrote, or that the reader wrote only afterwards. */
  private void requireWritten(Transaction reader, Function<Access, List<?>> found) {
    for (int i = 0; i < reader.accesses().size(); i++) {
      Access read = reader.accesses().get(i);
      for (Object value : read.reads() ? found.apply(read) : List.of()) {
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

  Map<Version, Write> writes() {
    return writes;
  }

  Optional<Write> write(Object key, Object value) {
    return Optional.ofNullable(writes.get(new Version(key, value)));
  }

  void contradiction(AnomalyType type, Transaction transaction, Access read, Object expected) {
    found(
        type,
        "T%d read %s of %s, where it must find %s."
            .formatted(transaction.index(), read.value(), read.key(), expected),
        transaction);
  }

  void found(AnomalyType type, String explanation, Transaction... transactions) {
    anomalies.add(new Anomaly(type, List.of(transactions), explanation));
  }

  /** A transaction read a version: from whom, and whether it may have. */
  void read(Transaction reader, Object key, Object value) {
    readers
        .computeIfAbsent(key, any -> new LinkedHashMap<>())
        .computeIfAbsent(value, any -> new ArrayList<>())
        .add(reader);
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

  void abortedRead(Transaction reader, Object key, Object value, Transaction writer) {
    found(
        AnomalyType.G1A,
        "T%d read %s of %s, which T%d wrote and failed."
            .formatted(reader.index(), value, key, writer.index()),
        writer,
        reader);
  }

  List<Transaction> readers(Object key, Object version) {
    return readers.getOrDefault(key, Map.of()).getOrDefault(version, List.of());
  }

  /** A version directly follows another one, which is nil for the state before all writes. */
  void follows(Object key, Object earlier, Object later) {
    write(key, later)
        .map(Write::by)
        .ifPresent(
            next -> {
              write(key, earlier)
                  .ifPresent(write -> dependencies.add(write.by(), next, Reason.WW, key));
              readers(key, earlier)
                  .forEach(reader -> dependencies.add(reader, next, Reason.RW, key));
            });
  }

  /** Finds transactions that read one version of a key and all replaced it. */
  void lostUpdates(Function<Access, Object> version) {
    Map<Version, List<Transaction>> replacing = new LinkedHashMap<>();
    for (Transaction each : dependencies.transactions()) {
      Set<Object> written = new HashSet<>();
      each.writes().forEach(write -> written.add(write.key()));
      for (Access read : each.externalReads()) {
        if (written.contains(read.key())) {
          replacing
              .computeIfAbsent(
                  new Version(read.key(), version.apply(read)), any -> new ArrayList<>())
              .add(each);
        }
      }
    }
    replacing.forEach(
        (read, by) -> {
          if (by.size() > 1) {
            found(
                AnomalyType.LOST_UPDATE,
                "They all read %s of %s and replaced it.".formatted(read.value(), read.key()),
                by.toArray(Transaction[]::new));
          }
        });
  }
}
