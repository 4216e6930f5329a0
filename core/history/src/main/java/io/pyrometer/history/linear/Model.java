package io.pyrometer.history.linear;

import io.pyrometer.history.Operation;
import java.util.List;
import java.util.Optional;

/**
 * What an object does when it is called by one process alone.
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

  /** Whether an operation leaves every state as it is. */
  boolean onlyReads(Operation operation);

  /**
   * Operations of which some are left out without making a history that is not linearizable from
   * one that is. Leaving out a read never does; nor does leaving out what was invoked after all the
   * answers that remain.
   *
   * @param left at least one, out of a history with {@code kept}
   */
  default boolean mayLeaveOut(List<Operation> left, List<Operation> kept) {
    long last = kept.stream().filter(Operation::ok).mapToLong(Operation::completed).max().orElse(0);
    return left.stream().allMatch(each -> onlyReads(each) || each.invoked() > last);
  }
}
