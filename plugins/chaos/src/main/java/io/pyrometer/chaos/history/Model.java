package io.pyrometer.chaos.history;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

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

  /** Whether an operation is one of the object's, with an argument and a result as it has them. */
  boolean knows(Operation operation);

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
}
