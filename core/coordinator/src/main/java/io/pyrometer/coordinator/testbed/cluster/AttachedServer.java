package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A server of a grid that Pyrometer did not start, which an agent watches from outside. It takes
 * the commands {@link Command.Usage} and those of telemetry, and lives as long as the agent; it is
 * never ended.
 */
record AttachedServer(int index, ManagedProcess agent) implements ManagedProcess {

  @Override
  public String name() {
    return ManagedProcess.NODE + "-" + index;
  }

  @Override
  public boolean alive() {
    return agent.alive();
  }

  @Override
  public CompletableFuture<Answer> send(Command command) {
    return agent.send(new Command.OfServer(index, command));
  }

  @Override
  public Time time() {
    return agent.time();
  }

  @Override
  public void onSample(Consumer<Answer.Sample> listener) {}

  @Override
  public void stop(Duration timeout) {}

  @Override
  public void awaitEnd(Duration timeout) {}

  @Override
  public void leaveOnKill() {}

  /** Of the agent, which does not answer. */
  @Override
  public void kill() {
    agent.kill();
  }
}
