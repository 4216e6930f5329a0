package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a history is linearizable. Each key is checked alone, which is enough because
 * linearizability is local (Herlihy and Wing 1990).
 *
 * @param keys how many the history has
 * @param operations how many of them were answered, or may have taken effect
 * @param undecided keys for which the budget was too small
 * @param counterexample few operations on one key, by invocation, that no order explains; empty
 *     unless the verdict is invalid
 */
public record Linearizability(
    Verdict verdict,
    int keys,
    int operations,
    List<Object> undecided,
    List<Operation> counterexample) {
  /** Of the time; the rest is for a small counterexample. */
  private static final double SEARCH_SHARE = 0.8;

  /**
   * Checks a history of many keys.
   *
   * @throws IllegalArgumentException with one sentence if the model does not know an operation
   */
  public static <S> Linearizability check(Model<S> model, List<Operation> history, Budget budget) {
    return check(model, history, budget, false);
  }

  /**
   * Whether all writes and each read alone are linearizable: a read returns the last value written
   * or one that is being written, as of a regular register with several writers (MWR-weak of Shao,
   * Welch, Pierce and Lee 2011). A lost write contradicts it; two reads that see concurrent writes
   * in different orders do not.
   *
   * @throws IllegalArgumentException with one sentence if the model does not know an operation
   */
  public static <S> Linearizability checkEachRead(
      Model<S> model, List<Operation> history, Budget budget) {
    return check(model, history, budget, true);
  }

  private static <S> Linearizability check(
      Model<S> model, List<Operation> history, Budget budget, boolean eachRead) {
    Map<Object, List<Operation>> byKey = new LinkedHashMap<>();
    int operations = 0;
    for (Operation operation : history) {
      if (!model.knows(operation)) {
        throw new IllegalArgumentException(
            "The history has an unknown operation: %s.".formatted(operation.describe()));
      }
      if (operation.outcome() != Outcome.FAILED) {
        byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
        operations++;
      }
    }
    Budget searches = budget.part(SEARCH_SHARE);
    List<Object> undecided = List.copyOf(byKey.keySet());
    // Half of the time is for all keys alike, the rest for those that need more.
    for (int round = 2; round > 0; round--) {
      List<Object> open = new ArrayList<>();
      int left = round * undecided.size();
      for (Object key : undecided) {
        List<Operation> ofKey = byKey.getOrDefault(key, List.of());
        Found found = search(model, ofKey, eachRead, searches.part(1.0 / left--));
        if (found.verdict() == Verdict.INVALID) {
          return new Linearizability(
              Verdict.INVALID,
              byKey.size(),
              operations,
              List.of(),
              Counterexample.of(model, found.operations(), budget));
        } else if (found.verdict() == Verdict.UNKNOWN) {
          open.add(key);
        }
      }
      undecided = open;
    }
    return new Linearizability(
        undecided.isEmpty() ? Verdict.VALID : Verdict.UNKNOWN,
        byKey.size(),
        operations,
        undecided,
        List.of());
  }

  /**
   * @param operations that are not linearizable, if the verdict is invalid
   */
  private record Found(Verdict verdict, List<Operation> operations) {}

  private static <S> Found search(
      Model<S> model, List<Operation> ofKey, boolean eachRead, Budget budget) {
    Verdict together = new Search<>(model, ofKey, eachRead ? budget.part(0.5) : budget).run();
    if (!eachRead || together == Verdict.VALID) {
      return new Found(together, ofKey);
    }
    List<List<Operation>> parts = new ArrayList<>();
    parts.add(ofKey.stream().filter(each -> !model.onlyReads(each)).toList());
    ofKey.stream()
        .filter(read -> model.onlyReads(read) && read.ok())
        .map(
            read ->
                ofKey.stream().filter(each -> each.equals(read) || !model.onlyReads(each)).toList())
        .forEach(parts::add);
    Verdict all = Verdict.VALID;
    int left = parts.size();
    for (List<Operation> part : parts) {
      Verdict verdict = new Search<>(model, part, budget.part(1.0 / left--)).run();
      if (verdict == Verdict.INVALID) {
        return new Found(verdict, part);
      }
      all = all.and(verdict);
    }
    return new Found(all, ofKey);
  }
}
