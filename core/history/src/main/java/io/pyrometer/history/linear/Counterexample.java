package io.pyrometer.history.linear;

import io.pyrometer.history.Bound;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Few operations of one object that no order explains. Any order of the whole history would order
 * these as well, so they alone refute it. None of them can be left out, which does not mean that no
 * smaller counterexample exists.
 *
 * @param operations by invocation
 */
public record Counterexample(List<Operation> operations) {

  /**
   * Shrinks a history that is not linearizable: to its shortest prefix that is not, then by leaving
   * out as much at once as is possible. All searches together may take a part of the bound; where
   * they do, the counterexample stays as it is by then.
   *
   * @param history of one key
   */
  static <S> Counterexample of(Model<S> model, List<Operation> history, Bound bound) {
    return new Shrinking<>(model, bound).shrink(history);
  }

  private static final class Shrinking<S> {
    private static final int SHARE = 20;

    private final Model<S> model;
    private final Bound bound;
    private long stepsLeft;

    Shrinking(Model<S> model, Bound bound) {
      this.model = model;
      this.bound = bound;
      this.stepsLeft = bound.steps() / SHARE;
    }

    Counterexample shrink(List<Operation> history) {
      List<Operation> least = shortestPrefix(history);
      for (int size = Math.max(1, least.size() / 2); size >= 1; size /= 2) {
        int before;
        do {
          before = least.size();
          least = withoutValues(withoutRuns(least, size));
        } while (size == 1 && least.size() < before);
      }
      return new Counterexample(
          least.stream().sorted(Comparator.comparingLong(Operation::invoked)).toList());
    }

    private boolean fails(List<Operation> history) {
      Search<S> search = new Search<>(model, history, new Bound(stepsLeft, bound.bytes()));
      boolean fails = stepsLeft > 0 && search.run() == Verdict.INVALID;
      stepsLeft -= search.steps();
      return fails;
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
        if (!kept.isEmpty() && model.mayLeaveOut(left, kept) && fails(kept)) {
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
        if (!left.isEmpty() && !kept.isEmpty() && model.mayLeaveOut(left, kept) && fails(kept)) {
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
}
