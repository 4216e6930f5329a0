package io.pyrometer.chaos.history;

import java.util.Optional;

/**
 * A counter that starts at zero: {@code read}, and {@code add n}, which may return the new value.
 * An addition that took effect twice, or not at all, contradicts it.
 */
public record Counter() implements Model<Long> {

  @Override
  public boolean knows(Operation operation) {
    boolean counts = operation.result() instanceof Long;
    return switch (operation.function()) {
      case "read" -> counts || !operation.ok();
      case "add" ->
          operation.argument() instanceof Long && (counts || operation.result() == Operation.NIL);
      default -> false;
    };
  }

  @Override
  public Long initial() {
    return 0L;
  }

  @Override
  public Optional<Long> step(Long state, Operation operation) {
    long added = operation.function().equals("add") ? (Long) operation.argument() : 0;
    Long after = state + added;
    boolean contradicts =
        operation.ok() && operation.result() != Operation.NIL && !operation.result().equals(after);
    return contradicts ? Optional.empty() : Optional.of(after);
  }

  @Override
  public boolean onlyReads(Operation operation) {
    return operation.function().equals("read");
  }
}
