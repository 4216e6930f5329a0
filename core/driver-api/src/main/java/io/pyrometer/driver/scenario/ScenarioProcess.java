package io.pyrometer.driver.scenario;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A process that has a role in a scenario, found by {@link java.util.ServiceLoader} in a worker's
 * class path. The class path of a driver without scenarios has none.
 */
public interface ScenarioProcess extends AutoCloseable {

  /** Opens the product's side of a service. */
  @FunctionalInterface
  interface SessionOpener {
    ScenarioSession open(Command.PrepareScenario spec);
  }

  /**
   * What the process runs with.
   *
   * @param sessions opens the product's side, in a process of the service
   * @param samples told ten times a second what a client has finished
   */
  record Surroundings(SessionOpener sessions, Consumer<Answer.Sample> samples) {}

  /** Carries a command of a scenario's trial out; empty if the command is none. */
  Optional<Answer> answer(Command command, Surroundings surroundings);

  @Override
  void close();
}
