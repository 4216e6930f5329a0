package io.pyrometer.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Shrinks a history that is not linearizable to few operations that no order explains either. Any
 * order of the whole history would order these as well, so they alone refute it.
 */
final class Counterexample<S> {
  /** Of the remaining time, for one search. */
  private static final double SHARE = 0.1;

  private final Model<S> model;
  private final Budget budget;

  private Counterexample(Model<S> model, Budget budget) {
    this.model = model;
    this.budget = budget;
  }

  /**
   * The shortest prefix of a history that is not linearizable, without all that can be left out.
   *
   * @param history of one key
   * @param budget after it, the counterexample stays as it is by then
   * @return by invocation
   */
  static <S> List<Operation> of(Model<S> model, List<Operation> history, Budget budget) {
    return new Counterexample<>(model, budget).shrink(history);
  }

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
    return new Search<>(model, history, budget.part(SHARE)).run() == Verdict.INVALID;
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

  /** What was invoked until a time; what was answered later has no answer yet. */
  private List<Operation> prefix(List<Operation> history, long time) {
    return history.stream()
        .filter(operation -> operation.invoked() <= time)
        .map(each -> each.ok() && each.completed() > time ? each.withoutAnswer() : each)
        .toList();
  }

  private List<Operation> withoutRuns(List<Operation> history, int size) {
    List<Operation> least = history;
    for (int from = 0; from < least.size(); ) {
      int to = Math.min(from + size, least.size());
      List<Operation> left = least.subList(from, to);
      List<Operation> kept = new ArrayList<>(least.subList(0, from));
      kept.addAll(least.subList(to, least.size()));
      if (!kept.isEmpty() && left.stream().allMatch(model.mayLeaveOut(kept)) && fails(kept)) {
        least = kept;
      } else {
        from = to;
      }
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
      List<Operation> kept = least.stream().filter(o -> !mentioned(o).contains(value)).toList();
      if (!left.isEmpty()
          && !kept.isEmpty()
          && left.stream().allMatch(model.mayLeaveOut(kept))
          && fails(kept)) {
        least = kept;
      }
    }
    return least;
  }

  private List<Object> mentioned(Operation operation) {
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
