package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.protocol.ListsByKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Verdict whether a history is linearizable. Each key is checked alone, which is enough because
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
  /** Share of the time for the search; the rest is for a small counterexample. */
  private static final double SEARCH_SHARE = 0.8;

  /** Share of the remaining time for one search on the way to a small counterexample. */
  private static final double SHRINKING_SHARE = 0.1;

  /** Checks a history of many keys. */
  public static <S> Linearizability check(Model<S> model, List<Operation> history, Budget budget) {
    return check(model, history, budget, false);
  }

  /**
   * Verdict whether all writes and each read alone are linearizable: a read returns the last value
   * written or one that is being written, as of a regular register with several writers (MWR-weak
   * of Shao, Welch, Pierce and Lee 2011). A lost write contradicts it; two reads that see
   * concurrent writes in different orders do not.
   */
  public static <S> Linearizability checkEachRead(
      Model<S> model, List<Operation> history, Budget budget) {
    return check(model, history, budget, true);
  }

  private static <S> Linearizability check(
      Model<S> model, List<Operation> history, Budget budget, boolean eachRead) {
    List<Operation> effective =
        history.stream().filter(each -> each.outcome() != Outcome.FAILED).toList();
    Map<Object, List<Operation>> byKey = effective.stream().collect(ListsByKey.by(Operation::key));
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
              effective.size(),
              List.of(),
              counterexample(model, found.operations(), budget));
        } else if (found.verdict() == Verdict.UNKNOWN) {
          open.add(key);
        }
      }
      undecided = open;
    }
    return new Linearizability(
        undecided.isEmpty() ? Verdict.VALID : Verdict.UNKNOWN,
        byKey.size(),
        effective.size(),
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

  /**
   * The shortest prefix of a history that is not linearizable, without all that can be left out.
   *
   * @param history of one key
   * @param budget after it, the counterexample stays as it is by then
   * @return by invocation
   */
  static <S> List<Operation> counterexample(
      Model<S> model, List<Operation> history, Budget budget) {
    return new Shrinking<>(model, budget).shrink(history);
  }

  /**
   * Shrinks a history that is not linearizable to few operations that no order explains either. Any
   * order of the whole history would order these as well, so they alone refute it.
   */
  private record Shrinking<S>(Model<S> model, Budget budget) {
    private List<Operation> shrink(List<Operation> history) {
      List<Operation> least = shortestPrefix(history);
      for (int size = Math.max(1, least.size() / 2); size >= 1; size /= 2) {
        int before;
        do {
          before = least.size();
          least = withoutValues(withoutRuns(least, size));
        } while (size == 1 && least.size() < before);
      }
      return least.stream().sorted(Comparator.comparingLong(Operation::invoked)).toList();
    }

    private boolean fails(List<Operation> history) {
      return new Search<>(model, history, budget.part(SHRINKING_SHARE)).run() == Verdict.INVALID;
    }

    /** Without some operations, or all of them where the rest would be linearizable. */
    private List<Operation> without(List<Operation> left, List<Operation> history) {
      Set<Operation> all = new HashSet<>(left);
      List<Operation> kept = history.stream().filter(each -> !all.contains(each)).toList();
      return !kept.isEmpty() && left.stream().allMatch(model.mayLeaveOut(kept)) && fails(kept)
          ? kept
          : history;
    }

    private List<Operation> shortestPrefix(List<Operation> history) {
      List<Long> ends =
          history.stream().filter(Operation::ok).map(Operation::completed).sorted().toList();
      int fails = ends.size() - 1;
      int holds = -1;
      while (fails - holds > 1) {
        int middle = (fails + holds) >>> 1;
        if (fails(prefix(history, ends.get(middle)))) {
          fails = middle;
        } else {
          holds = middle;
        }
      }
      return prefix(history, ends.get(fails));
    }

    /** Operations invoked until a time; what was answered later has no answer yet. */
    private static List<Operation> prefix(List<Operation> history, long time) {
      return history.stream()
          .filter(operation -> operation.invoked() <= time)
          .map(each -> each.ok() && each.completed() > time ? each.withoutAnswer() : each)
          .toList();
    }

    private List<Operation> withoutRuns(List<Operation> history, int size) {
      List<Operation> least = history;
      for (int from = 0; from < least.size(); ) {
        int to = Math.min(from + size, least.size());
        List<Operation> kept = without(least.subList(from, to), least);
        from = kept.size() < least.size() ? from : to;
        least = kept;
      }
      return least;
    }

    /** Leaves out all operations that mention a value, such as a write together with its reads. */
    private List<Operation> withoutValues(List<Operation> history) {
      Set<Object> values = new LinkedHashSet<>();
      history.forEach(operation -> values.addAll(mentioned(operation)));
      List<Operation> least = history;
      for (Object value : values) {
        List<Operation> left = least.stream().filter(o -> mentioned(o).contains(value)).toList();
        least = left.isEmpty() ? least : without(left, least);
      }
      return least;
    }

    private static List<Object> mentioned(Operation operation) {
      List<Object> values = new ArrayList<>();
      for (Object value : List.of(operation.argument(), operation.result())) {
        if (value instanceof List<?> several) {
          values.addAll(several);
        } else {
          values.add(value);
        }
      }
      return values;
    }
  }

  /**
   * Searches for an order of the operations of one object that respects real time and that the
   * model accepts: the algorithm of Wing and Gong (1993) with Lowe's memo of configurations (2017).
   *
   * <p>Configurations (what has taken effect, and the state) are entered once. Next in the order
   * may be what was invoked no later than anything else was answered that has not taken effect. So
   * an operation without an answer can take effect at any later time or never.
   */
  private static final class Search<S> {
    /** Bytes of a configuration in a hash set, without its bits: estimated for a 64-bit JVM. */
    private static final long BYTES = 150;

    private static final int STEPS_PER_LOOK = 1_000;

    private final Model<S> model;
    private final Budget budget;

    /** By invocation. */
    private final List<Operation> operations;

    private final BitSet effective = new BitSet();
    private final Set<Configuration<S>> entered = new HashSet<>();
    private final Deque<Step<S>> path = new ArrayDeque<>();
    private long answersLeft;
    private long steps;

    /**
     * An operation that takes effect.
     *
     * @param answered the first answer of those invoked before it that have not taken effect
     */
    private record Step<S>(int operation, S before, long answered) {}

    private record Configuration<S>(BitSet effective, S state) {}

    Search(Model<S> model, List<Operation> history, Budget budget) {
      this.model = model;
      this.budget = budget;
      this.operations =
          withoutUnseen(model, history).stream()
              .sorted(Comparator.comparingLong(Operation::invoked))
              .toList();
      this.answersLeft = operations.stream().filter(Operation::ok).count();
    }

    /**
     * Leaves out all operations without an answer that no answer shows to have taken effect. No
     * verdict changes: they may as well never take effect, and the rest does not depend on them.
     */
    private static <S> List<Operation> withoutUnseen(Model<S> model, List<Operation> history) {
      List<Operation> kept = history.stream().filter(Operation::ok).toList();
      while (true) {
        Predicate<Operation> unseen = model.mayLeaveOut(kept);
        List<Operation> seen =
            history.stream().filter(each -> each.ok() || !unseen.test(each)).toList();
        if (seen.size() == kept.size()) {
          return kept;
        }
        kept = seen;
      }
    }

    Verdict run() {
      long configurations = budget.bytes() / (BYTES + operations.size() / Byte.SIZE);
      S state = model.initial();
      int at = 0;
      long answered = Operation.NEVER;
      while (answersLeft > 0) {
        if ((steps++ % STEPS_PER_LOOK == 0 && budget.spent()) || entered.size() > configurations) {
          return Verdict.UNKNOWN;
        }
        int next = effective.nextClearBit(at);
        if (next < operations.size() && operations.get(next).invoked() <= answered) {
          Optional<S> after = enter(next, state);
          if (after.isPresent()) {
            path.push(new Step<>(next, state, answered));
            state = after.get();
            at = 0;
            answered = Operation.NEVER;
            continue;
          }
        } else if (path.isEmpty()) {
          return Verdict.INVALID;
        } else {
          Step<S> last = path.pop();
          next = last.operation();
          state = last.before();
          answered = last.answered();
          effective.clear(next);
          answersLeft += operations.get(next).ok() ? 1 : 0;
        }
        at = next + 1;
        answered = Math.min(answered, operations.get(next).completed());
      }
      return Verdict.VALID;
    }

    /** The state after the operation, if it is possible and its configuration is a new one. */
    private Optional<S> enter(int next, S state) {
      Operation operation = operations.get(next);
      Optional<S> after = model.step(state, operation);
      if (after.isEmpty() || (!operation.ok() && after.get().equals(state))) {
        return Optional.empty();
      }
      effective.set(next);
      if (!entered.add(new Configuration<>((BitSet) effective.clone(), after.get()))) {
        effective.clear(next);
        return Optional.empty();
      }
      answersLeft -= operation.ok() ? 1 : 0;
      return after;
    }
  }
}
