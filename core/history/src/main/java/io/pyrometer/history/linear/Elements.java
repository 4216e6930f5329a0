package io.pyrometer.history.linear;

import io.pyrometer.history.Edn;
import io.pyrometer.history.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A set: {@code add x}, {@code remove x}, and {@code read}, which returns all elements. */
public record Elements() implements Model<Set<Object>> {

  @Override
  public Set<Object> initial() {
    return Set.of();
  }

  @Override
  public Optional<Set<Object>> step(Set<Object> state, Operation operation) {
    if (onlyReads(operation)) {
      return !operation.ok() || elements(operation).equals(state)
          ? Optional.of(state)
          : Optional.empty();
    }
    boolean adds = operation.function().equals("add");
    if (state.contains(operation.argument()) == adds) {
      return Optional.of(state);
    }
    Set<Object> after = new HashSet<>(state);
    if (adds) {
      after.add(operation.argument());
    } else {
      after.remove(operation.argument());
    }
    return Optional.of(after);
  }

  private static Set<Object> elements(Operation read) {
    if (read.result() == Edn.NIL) {
      return Set.of();
    }
    return read.result() instanceof Set<?> set
        ? new HashSet<>(set)
        : new HashSet<>((List<?>) read.result());
  }

  @Override
  public boolean onlyReads(Operation operation) {
    return operation.function().equals("read");
  }
}
