package io.pyrometer.history.transaction;

import io.pyrometer.history.Edn;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Operation.Outcome;
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
public record Transaction(int index, Operation call, List<MicroOperation> accesses) {

  /** The operations {@code txn} of a history. */
  public static List<Transaction> of(List<Operation> history) {
    List<Transaction> transactions = new ArrayList<>();
    for (Operation call : history) {
      Object list = call.ok() && call.result() != Edn.NIL ? call.result() : call.argument();
      if (list instanceof List<?> accesses) {
        transactions.add(
            new Transaction(
                transactions.size(), call, accesses.stream().map(MicroOperation::of).toList()));
      }
    }
    return transactions;
  }

  boolean ok() {
    return call.ok();
  }

  boolean failed() {
    return call.outcome() == Outcome.FAILED;
  }

  /** Reads with a known answer of keys that the transaction has not accessed before. */
  List<MicroOperation> externalReads() {
    Set<Object> accessed = new HashSet<>();
    return accesses.stream()
        .filter(access -> accessed.add(access.key()) && access.reads() && ok())
        .toList();
  }

  List<MicroOperation> writes() {
    return accesses.stream().filter(access -> !access.reads()).toList();
  }

  /** Whether a write is the transaction's last one to its key. */
  boolean isLast(MicroOperation write) {
    List<MicroOperation> ofKey =
        writes().stream().filter(access -> access.key().equals(write.key())).toList();
    return ofKey.get(ofKey.size() - 1).equals(write);
  }

  /** What a person reads. */
  public String describe() {
    StringBuilder text = new StringBuilder("T").append(index).append(':');
    for (MicroOperation access : accesses) {
      text.append(' ')
          .append(access.kind().keyword().name())
          .append(' ')
          .append(Edn.print(access.key()))
          .append(' ')
          .append(access.reads() && !ok() ? "?" : Edn.print(access.value()));
    }
    return text.append(ok() ? "" : failed() ? " (failed)" : " (no answer)").toString();
  }
}
