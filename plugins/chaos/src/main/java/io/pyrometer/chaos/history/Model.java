package io.pyrometer.chaos.history;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Behaviour of an object that is called by one process alone.
 *
 * @param <S> states, immutable and with {@code equals}
 */
public interface Model<S> {

  S initial();

  /**
   * The state after an operation; empty if its result contradicts the state before. An operation
   * without an answer has no result, so it contradicts none.
   */
  Optional<S> step(S state, Operation operation);

  /** Returns whether an operation leaves every state as it is. */
  boolean onlyReads(Operation operation);

  /**
   * Operations that can be left out, all or some of them, without making a history that is not
   * linearizable from one that is. Leaving out a read never does; nor does leaving out what was
   * invoked after all the answers that remain.
   *
   * @param kept what remains
   */
  default Predicate<Operation> mayLeaveOut(List<Operation> kept) {
    long last = kept.stream().filter(Operation::ok).mapToLong(Operation::completed).max().orElse(0);
    return each -> onlyReads(each) || each.invoked() > last;
  }

  /**
   * A counter that starts at zero: {@code read}, and {@code add n}, which may return the new value.
   * An addition that took effect twice, or not at all, contradicts it.
   */
  record Counter() implements Model<Long> {

    @Override
    public Long initial() {
      return 0L;
    }

    @Override
    public Optional<Long> step(Long state, Operation operation) {
      long added = operation.function().equals("add") ? (Long) operation.argument() : 0;
      Long after = state + added;
      boolean contradicts =
          operation.ok()
              && operation.result() != Operation.NIL
              && !operation.result().equals(after);
      return contradicts ? Optional.empty() : Optional.of(after);
    }

    @Override
    public boolean onlyReads(Operation operation) {
      return operation.function().equals("read");
    }
  }

  /**
   * A register: {@code read}, {@code write v}, and {@code cas [old new]}, whose result is whether
   * it found the old value.
   *
   * @param compares whether the old value of a {@code cas} is checked
   */
  record Register(Object initial, boolean compares) implements Model<Object> {
    /** A register without a value at first. */
    public static final Register EMPTY = new Register(Operation.NIL);

    /** Variant where a {@code cas} that replaced a value is a write like any other. */
    public static final Register OF_WRITES = new Register(Operation.NIL, false);

    public Register(Object initial) {
      this(initial, true);
    }

    @Override
    public Optional<Object> step(Object state, Operation operation) {
      return switch (operation.function()) {
        case "read" ->
            !operation.ok() || operation.result().equals(state)
                ? Optional.of(state)
                : Optional.empty();
        case "write" -> Optional.of(operation.argument());
        case "cas" -> {
          boolean found = compares ? state.equals(expected(operation)) : !missed(operation);
          boolean contradicts = compares && operation.ok() && !operation.result().equals(found);
          yield contradicts ? Optional.empty() : Optional.of(found ? written(operation) : state);
        }
        default -> throw new IllegalArgumentException(operation.describe());
      };
    }

    private static Object expected(Operation cas) {
      return ((List<?>) cas.argument()).get(0);
    }

    private static Object written(Operation operation) {
      return operation.function().equals("cas")
          ? ((List<?>) operation.argument()).get(1)
          : operation.argument();
    }

    @Override
    public boolean onlyReads(Operation operation) {
      return operation.function().equals("read") || missed(operation);
    }

    private static boolean missed(Operation operation) {
      return operation.function().equals("cas")
          && operation.ok()
          && operation.result().equals(false);
    }

    /**
     * A write whose value no remaining operation expects or returns is only followed, before the
     * next write, by operations that do not depend on the value. A failed comparison does, unless
     * the value that it did not find was certainly written later.
     */
    @Override
    public Predicate<Operation> mayLeaveOut(List<Operation> kept) {
      Set<Object> observed = new HashSet<>();
      long written = Operation.NEVER;
      for (Operation operation : kept) {
        if (operation.function().equals("read")) {
          observed.add(operation.result());
        } else if (compares && missed(operation)) {
          written = Math.min(written, firstWritten(expected(operation), kept));
        } else if (compares && operation.function().equals("cas")) {
          observed.add(expected(operation));
        }
      }
      long before = written;
      return Model.super
          .mayLeaveOut(kept)
          .or(
              each ->
                  !observed.contains(written(each))
                      && (before == Operation.NEVER || each.completed() < before));
    }

    private long firstWritten(Object value, List<Operation> kept) {
      return value.equals(initial)
          ? Long.MIN_VALUE
          : kept.stream()
              .filter(each -> !onlyReads(each) && written(each).equals(value))
              .mapToLong(Operation::invoked)
              .min()
              .orElse(Operation.NEVER);
    }
  }
}
