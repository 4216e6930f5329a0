package io.pyrometer.driver;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Executes the commands of one kind of trial in a worker, found by {@link java.util.ServiceLoader}
 * in its class path. Every worker of a driver that supports the kind has one instance, whether it
 * runs such trials or not, so constructing it must be cheap.
 */
public interface TrialCommands extends AutoCloseable {

  /**
   * Surroundings that the worker runs with.
   *
   * @param session of the agent; empty in a worker without one
   * @param samples told ten times a second what was finished
   */
  record Surroundings(
      Supplier<DriverDescription> driver,
      Optional<GridSession> session,
      Consumer<Answer.Sample> samples) {}

  /**
   * Executes a {@link Command.OfKind} of its own, and any other command while its process takes
   * part in such a trial; empty for all others.
   *
   * @throws GridException with one sentence if that fails
   */
  Optional<Answer> answer(Command command, Surroundings surroundings);

  @Override
  default void close() {}
}
