package io.pyrometer.history.linear;

import io.pyrometer.history.Bound;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whether a history is linearizable. Each key is checked alone, which is enough because
 * linearizability is local (Herlihy and Wing 1990).
 *
 * @param keys how many were checked
 * @param operations how many of them were answered, or may have taken effect
 * @param undecided keys whose search reached its bound
 * @param counterexample of the first key that fails; empty unless the verdict is invalid
 */
public record Linearizability(
    Verdict verdict,
    int keys,
    int operations,
    List<Object> undecided,
    Optional<Counterexample> counterexample) {

  /** Checks a history of many keys. */
  public static <S> Linearizability check(Model<S> model, List<Operation> history, Bound bound) {
    return check(model, history, bound, Stream::of);
  }

  /**
   * Whether all writes and each read alone are linearizable: a read returns the last value written
   * or one that is being written, as of a regular register with several writers (MWR-weak of Shao,
   * Welch, Pierce and Lee 2011). A lost write contradicts it; two reads that see concurrent writes
   * in different orders do not.
   */
  public static <S> Linearizability checkEachRead(
      Model<S> model, List<Operation> history, Bound bound) {
    return check(model, history, bound, ofKey -> eachRead(model, ofKey, bound));
  }

  private static <S> Stream<List<Operation>> eachRead(
      Model<S> model, List<Operation> ofKey, Bound bound) {
    if (new Search<>(model, ofKey, bound).run() == Verdict.VALID) {
      return Stream.empty();
    }
    List<Operation> writes = ofKey.stream().filter(each -> !model.onlyReads(each)).toList();
    return Stream.concat(
        Stream.of(writes),
        ofKey.stream()
            .filter(read -> model.onlyReads(read) && read.ok())
            .map(
                read ->
                    ofKey.stream()
                        .filter(each -> each.equals(read) || !model.onlyReads(each))
                        .toList()));
  }

  /**
   * @param parts of the operations on a key, each of which must be linearizable
   */
  private static <S> Linearizability check(
      Model<S> model,
      List<Operation> history,
      Bound bound,
      Function<List<Operation>, Stream<List<Operation>>> parts) {
    Map<Object, List<Operation>> byKey = new LinkedHashMap<>();
    int operations = 0;
    for (Operation operation : history) {
      if (operation.outcome() != Operation.Outcome.FAILED) {
        byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
        operations++;
      }
    }
    Verdict verdict = Verdict.VALID;
    List<Object> undecided = new ArrayList<>();
    Optional<Counterexample> first = Optional.empty();
    for (Map.Entry<Object, List<Operation>> each : byKey.entrySet()) {
      Verdict found = Verdict.VALID;
      Iterator<List<Operation>> rest = parts.apply(each.getValue()).iterator();
      while (rest.hasNext() && found != Verdict.INVALID) {
        List<Operation> part = rest.next();
        Verdict ofPart = new Search<>(model, part, bound).run();
        found = found.and(ofPart);
        if (ofPart == Verdict.INVALID && first.isEmpty()) {
          first = Optional.of(Counterexample.of(model, part, bound));
        }
      }
      verdict = verdict.and(found);
      if (found == Verdict.UNKNOWN) {
        undecided.add(each.getKey());
      }
    }
    return new Linearizability(verdict, byKey.size(), operations, undecided, first);
  }
}
