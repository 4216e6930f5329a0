package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A worker process as the coordinator sees it: something that is sent commands, answers them, and
 * may die at any moment. Safe for several threads.
 */
public interface ManagedProcess {
  /** The kinds of processes, with which their names begin. */
  String NODE = "node";

  String AGENT = "agent";
  String RELAY = "relay";
  String SWITCH = "switch";

  /** Such as {@code node-0} or {@code agent-1}: its kind, a hyphen, its index. */
  String name();

  /** Returns whether the process runs; false as soon as its end is seen. */
  boolean alive();

  /** Sets who is told of samples from now on, on the thread that reads the process's output. */
  default void onSample(Consumer<Answer.Sample> listener) {}

  CompletableFuture<Answer> send(Command command);

  /** Asks the process to end, and kills it if it does not within the time given. */
  void stop(Duration timeout);

  /** Waits for the end of a process that was told to end or killed. */
  default void awaitEnd(Duration timeout) {}

  /** From now on {@link #kill()} gives the process a few seconds to leave a grid that goes on. */
  default void leaveOnKill() {}

  void kill();

  /** Its process id on its host; empty while it has not said it. */
  default Optional<Long> pid() {
    return Optional.empty();
  }

  /** CPU time that it has used so far, in seconds; empty where that cannot be read. */
  default OptionalDouble cpuSeconds() {
    return OptionalDouble.empty();
  }

  /** Seconds for which its CPU quotas stopped its threads so far; empty while it has none. */
  default Optional<Double> throttledSeconds() {
    return Optional.empty();
  }

  /**
   * Holds the process to a CPU quota from now on; only one that was started with a control group
   * heeds it.
   */
  default void limit(CpuQuota quota) {}

  /** Time by which its answers are waited for. */
  Time time();

  /** The kind in its name: {@code node}, {@code agent}, {@code relay} or {@code switch}. */
  default String kind() {
    return kindOf(name());
  }

  /** The kind in a name: what stands before its first hyphen. */
  static String kindOf(String name) {
    return name.replaceFirst("-.*", "");
  }

  /** Sends a command and waits for its answer. A process that does not answer in time is killed. */
  default <A extends Answer> A request(Command command, Class<A> kind, Duration timeout) {
    return await(send(command), kind, command.getClass().getSimpleName(), timeout);
  }

  /**
   * Copies a file of the process, part by part.
   *
   * @throws IOException if it is shorter, or {@code out} takes no more
   */
  default void fetch(String file, long length, Duration timeout, OutputStream out)
      throws IOException {
    for (long offset = 0; offset < length; ) {
      int most = (int) Math.min(Command.FetchFile.MOST_FILE_BYTES, length - offset);
      Command part = new Command.FetchFile(file, offset, most);
      byte[] bytes =
          Base64.getDecoder().decode(request(part, Answer.FilePart.class, timeout).base64());
      if (bytes.length == 0) {
        throw new IOException("it became shorter");
      }
      out.write(bytes);
      offset += bytes.length;
    }
  }

  /** Sends a command to several processes at once and waits for all answers. */
  static <A extends Answer> List<A> requestAll(
      List<ManagedProcess> processes,
      IntFunction<Command> command,
      Class<A> kind,
      Duration timeout) {
    return requestAll(
        processes,
        command,
        kind,
        (process, answer, step) -> process.awaitOrKill(answer, step, timeout));
  }

  /**
   * Sends a command to several processes at once and waits for all answers.
   *
   * @param wait how each answer is waited for
   */
  static <A extends Answer> List<A> requestAll(
      List<ManagedProcess> processes, IntFunction<Command> command, Class<A> kind, Wait wait) {
    List<Command> commands = IntStream.range(0, processes.size()).mapToObj(command).toList();
    List<CompletableFuture<Answer>> futures = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      futures.add(processes.get(i).send(commands.get(i)));
    }
    List<A> answers = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      String name = commands.get(i).getClass().getSimpleName();
      Answer answer = wait.await(processes.get(i), futures.get(i), "answer " + name);
      answers.add(processes.get(i).checked(answer, kind, name));
    }
    return List.copyOf(answers);
  }

  @FunctionalInterface
  interface Wait {
    Answer await(ManagedProcess process, CompletableFuture<Answer> answer, String step);
  }

  default <A extends Answer> A await(
      CompletableFuture<Answer> future, Class<A> kind, String command, Duration timeout) {
    return checked(awaitOrKill(future, "answer " + command, timeout), kind, command);
  }

  private <A extends Answer> A checked(Answer answer, Class<A> kind, String command) {
    if (answer instanceof Answer.Failed failed) {
      throw WorkerException.mismatch("%s: %s", name(), failed.why());
    }
    if (answer instanceof Answer.PortTaken taken) {
      throw WorkerException.portTaken("%s: %s".formatted(name(), taken.why()));
    }
    if (!kind.isInstance(answer)) {
      throw WorkerException.refused(
          "coordinator.answer-mismatch", name(), command, answer.getClass().getSimpleName());
    }
    return kind.cast(answer);
  }

  /**
   * Waits for anything that the process is to bring about, and kills it if it takes too long.
   *
   * @param what for the error message: {@code node-0 did not … within 20 s}
   */
  default <T> T awaitOrKill(CompletableFuture<T> future, String what, Duration timeout) {
    try {
      return get(future, timeout);
    } catch (TimeoutException late) {
      kill();
      throw WorkerException.lost(
          "coordinator.no-answer", name(), what, timeout.toMillis() / 1000.0);
    }
  }

  /**
   * Waits for anything that the process is to bring about.
   *
   * @throws TimeoutException if it took too long
   */
  default <T> T get(CompletableFuture<T> future, Duration timeout) throws TimeoutException {
    try {
      return time().await(future, timeout);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof WorkerException known) {
        throw known;
      }
      throw WorkerException.gone("%s: %s", name(), failure.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw WorkerException.gone("Waiting for %s was interrupted.", name());
    }
  }
}
