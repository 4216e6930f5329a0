package io.pyrometer.history.linear;

import io.pyrometer.history.Edn;
import io.pyrometer.history.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A first-in, first-out queue: {@code enqueue x}, and {@code dequeue}, which returns the oldest
 * element or nil if there is none.
 */
public record Queue() implements Model<List<Object>> {

  @Override
  public List<Object> initial() {
    return List.of();
  }

  @Override
  public Optional<List<Object>> step(List<Object> state, Operation operation) {
    if (enqueues(operation)) {
      List<Object> longer = new ArrayList<>(state);
      longer.add(operation.argument());
      return Optional.of(longer);
    }
    Object first = state.isEmpty() ? Edn.NIL : state.get(0);
    if (operation.ok() && !operation.result().equals(first)) {
      return Optional.empty();
    }
    return Optional.of(state.isEmpty() ? state : state.subList(1, state.size()));
  }

  private static boolean enqueues(Operation operation) {
    return operation.function().equals("enqueue");
  }

  /** A queue that is found empty stays so. */
  @Override
  public boolean onlyReads(Operation operation) {
    return !enqueues(operation) && operation.ok() && operation.result() == Edn.NIL;
  }

  /** An element may be left out with all that is known of it. */
  @Override
  public boolean mayLeaveOut(List<Operation> left, List<Operation> kept) {
    if (Model.super.mayLeaveOut(left, kept)) {
      return true;
    }
    Set<Object> remaining = new HashSet<>();
    kept.forEach(each -> remaining.add(element(each)));
    return left.stream()
        .allMatch(each -> onlyReads(each) || (known(each) && !remaining.contains(element(each))));
  }

  private static boolean known(Operation operation) {
    return enqueues(operation) || operation.ok();
  }

  private static Object element(Operation operation) {
    return enqueues(operation) ? operation.argument() : operation.result();
  }
}
