package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Sends a command to several workers at once and waits for all answers. */
public final class Broadcast {
  private Broadcast() {}

  /**
   * @param command what the i-th worker is told
   * @return the answers in the workers' order
   * @throws io.pyrometer.coordinator.testbed.WorkerException of the first that failed
   */
  public static <A extends Answer> List<A> all(
      List<ManagedProcess> workers, IntFunction<Command> command, Class<A> kind, Duration timeout) {
    List<CompletableFuture<Answer>> futures = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      Command told = command.apply(i);
      names.add(told.getClass().getSimpleName());
      futures.add(workers.get(i).send(told));
    }
    List<A> answers = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      answers.add(workers.get(i).await(futures.get(i), kind, names.get(i), timeout));
    }
    return answers;
  }
}
