package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One transaction of a history.
 *
 * @param index from 0, by position in the history
 * @param accesses as answered, or as called where there is no answer: its reads are not known then
 */
public record Transaction(int index, Operation call, List<Access> accesses) {

  /**
   * The operations of a history.
   *
   * @throws IllegalArgumentException with one sentence if one is no well-formed transaction
   */
  public static List<Transaction> of(List<Operation> history) {
    List<Transaction> transactions = new ArrayList<>();
    for (Operation call : history) {
      List<Access> accesses = accesses(call, call.argument());
      if (call.ok()) {
        List<Access> answered = accesses(call, call.result());
        if (!withoutReads(answered).equals(withoutReads(accesses))) {
          throw malformed(call.describe());
        }
        accesses = answered;
      }
      transactions.add(new Transaction(transactions.size(), call, accesses));
    }
    return transactions;
  }

  private static List<Access> accesses(Operation call, Object list) {
    if (call.function().equals("txn") && list instanceof List<?> accesses) {
      return accesses.stream().map(Access::of).toList();
    }
    throw malformed(call.describe());
  }

  static IllegalArgumentException malformed(Object transaction) {
    return new IllegalArgumentException(
        Messages.format("chaos.malformed-transaction").formatted(transaction));
  }

  /** Accesses as they were called: those of an answer without what reads have found. */
  private static List<Access> withoutReads(List<Access> accesses) {
    return accesses.stream()
        .map(a -> a.reads() ? new Access(a.kind(), a.key(), Operation.NIL) : a)
        .toList();
  }

  boolean ok() {
    return call.ok();
  }

  boolean failed() {
    return call.outcome() == Outcome.FAILED;
  }

  /** Reads with a known answer of keys that the transaction has not accessed before. */
  List<Access> externalReads() {
    Set<Object> accessed = new HashSet<>();
    return accesses.stream()
        .filter(access -> accessed.add(access.key()) && access.reads() && ok())
        .toList();
  }

  List<Access> writes() {
    return accesses.stream().filter(access -> !access.reads()).toList();
  }

  /** Returns whether a write is the transaction's last one to its key. */
  boolean isLast(Access write) {
    List<Access> ofKey =
        writes().stream().filter(access -> access.key().equals(write.key())).toList();
    return ofKey.get(ofKey.size() - 1).equals(write);
  }

  /** Description for a person to read. */
  public String describe() {
    StringBuilder text = new StringBuilder("T").append(index).append(':');
    for (Access access : accesses) {
      text.append(' ')
          .append(access.kind().word())
          .append(' ')
          .append(access.key())
          .append(' ')
          .append(access.reads() && !ok() ? "?" : access.value());
    }
    return text.append(ok() ? "" : failed() ? " (failed)" : " (no answer)").toString();
  }

  /**
   * One access of a transaction: {@code ["r", k, v]} or {@code ["append", k, v]}.
   *
   * @param value the appended element, or the list that was read
   */
  public record Access(Kind kind, Object key, Object value) {

    /**
     * @throws IllegalArgumentException with one sentence if the value is none
     */
    static Access of(Object value) {
      if (value instanceof List<?> triple && triple.size() == 3) {
        for (Kind kind : Kind.values()) {
          if (kind.word().equals(triple.get(0)) && kind.accepts(triple.get(2))) {
            return new Access(kind, triple.get(1), triple.get(2));
          }
        }
      }
      throw malformed(value);
    }

    boolean reads() {
      return kind == Kind.READ;
    }

    /** The elements that a read of a list found. */
    List<?> list() {
      return value instanceof List<?> list ? list : List.of();
    }
  }

  /** Kind of access to the key. */
  public enum Kind {
    READ("r"),
    APPEND("append");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    private boolean accepts(Object value) {
      return this == APPEND || value == Operation.NIL || value instanceof List;
    }

    /** The name of the kind in a history file. */
    public String word() {
      return word;
    }
  }
}
