package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Operation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Searches for an order of the operations of one object that respects real time and that the model
 * accepts: the algorithm of Wing and Gong (1993) with Lowe's memo of configurations (2017), over a
 * linked list of invocations and completions.
 *
 * <p>Configurations (what has taken effect, and the state) are entered once. An operation without
 * an answer has no completion in the list, so it can take effect at any later time or never.
 */
final class Search<S> {
  /** Of a configuration in a hash set, without its bits: estimated for a 64-bit JVM. */
  private static final long BYTES = 150;

  private static final int HEAD = 0;
  private static final int STEPS_PER_LOOK = 1_000;

  private final Model<S> model;
  private final Budget budget;
  private final List<Operation> operations = new ArrayList<>();

  /** By position in the list: the operation, and whether this is its completion. */
  private final int[] operationAt;

  private final boolean[] completionAt;
  private final int[] completionOf;
  private final int[] next;
  private final int[] previous;
  private final int end;
  private final BitSet effective = new BitSet();
  private final Set<Configuration<S>> entered = new HashSet<>();
  private final Deque<Step<S>> path = new ArrayDeque<>();
  private int answersLeft;
  private long steps;

  private record Step<S>(int position, S before) {}

  private record Configuration<S>(BitSet effective, S state) {}

  private record Event(long time, boolean completion, int operation) {}

  Search(Model<S> model, List<Operation> history, Budget budget) {
    this.model = model;
    this.budget = budget;
    List<Event> events = new ArrayList<>();
    for (Operation operation : withoutUnseen(model, history)) {
      boolean answered = operation.outcome() == Outcome.OK;
      if (operation.outcome() != Outcome.FAILED) {
        events.add(new Event(operation.invoked(), false, operations.size()));
        if (answered) {
          events.add(new Event(operation.completed(), true, operations.size()));
          answersLeft++;
        }
        operations.add(operation);
      }
    }
    // Invocations first: operations that share an instant are concurrent.
    events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::completion));
    end = events.size() + 1;
    operationAt = new int[end + 1];
    completionAt = new boolean[end + 1];
    completionOf = new int[operations.size()];
    next = new int[end + 1];
    previous = new int[end + 1];
    for (int i = 0; i <= end; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      if (i != HEAD && i != end) {
        Event event = events.get(i - 1);
        operationAt[i] = event.operation();
        completionAt[i] = event.completion();
        if (event.completion()) {
          completionOf[event.operation()] = i;
        }
      }
    }
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
    int position = next[HEAD];
    while (answersLeft > 0) {
      if ((steps++ % STEPS_PER_LOOK == 0 && budget.spent()) || entered.size() > configurations) {
        return Verdict.UNKNOWN;
      }
      if (position != end && !completionAt[position]) {
        Optional<S> after = enter(position, state);
        if (after.isPresent()) {
          path.push(new Step<>(position, state));
          state = after.get();
          position = next[HEAD];
        } else {
          position = next[position];
        }
      } else if (path.isEmpty()) {
        return Verdict.INVALID;
      } else {
        Step<S> last = path.pop();
        state = last.before();
        leave(last.position());
        position = next[last.position()];
      }
    }
    return Verdict.VALID;
  }

  /** The state after the operation, if it is possible and its configuration is a new one. */
  private Optional<S> enter(int position, S state) {
    int index = operationAt[position];
    Operation operation = operations.get(index);
    Optional<S> after = model.step(state, operation);
    if (after.isEmpty() || (!operation.ok() && after.get().equals(state))) {
      return Optional.empty();
    }
    effective.set(index);
    if (!entered.add(new Configuration<>((BitSet) effective.clone(), after.get()))) {
      effective.clear(index);
      return Optional.empty();
    }
    unlink(position);
    if (operation.ok()) {
      unlink(completionOf[index]);
      answersLeft--;
    }
    return after;
  }

  private void leave(int position) {
    int index = operationAt[position];
    effective.clear(index);
    if (operations.get(index).ok()) {
      link(completionOf[index]);
      answersLeft++;
    }
    link(position);
  }

  private void unlink(int position) {
    next[previous[position]] = next[position];
    previous[next[position]] = previous[position];
  }

  private void link(int position) {
    next[previous[position]] = position;
    previous[next[position]] = position;
  }
}
