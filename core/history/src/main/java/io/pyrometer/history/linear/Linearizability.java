package io.pyrometer.history.linear;

import io.pyrometer.history.Bound;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
      Verdict found = new Search<>(model, each.getValue(), bound).run();
      verdict = verdict.and(found);
      if (found == Verdict.UNKNOWN) {
        undecided.add(each.getKey());
      } else if (found == Verdict.INVALID && first.isEmpty()) {
        first = Optional.of(Counterexample.of(model, each.getValue(), bound));
      }
    }
    return new Linearizability(verdict, byKey.size(), operations, undecided, first);
  }
}
