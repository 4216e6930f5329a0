package io.pyrometer.coordinator.testbed;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A node or an agent as the coordinator sees it: a process that is told commands on its standard
 * input and answers on its standard output, one JSON message a line. Its standard error is kept in
 * a log. Safe for several threads.
 */
public final class WorkerProcess {
  private static final Duration TO_COME_UP = Duration.ofSeconds(60);
  private static final long LEAVE_SECONDS = 4;

  private final String name;
  private final Process process;
  private final Path log;
  private final Writer input;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
  private final CompletableFuture<Answer.Hello> hello = new CompletableFuture<>();
  private volatile boolean leaves;
  private volatile Consumer<Answer.Sample> samples = sample -> {};
  private volatile Optional<WorkerException> death = Optional.empty();
  private volatile String misunderstood = "";

  private WorkerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  static WorkerProcess launch(
      String name, List<String> command, Path log, Consumer<WorkerProcess> atEnd) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      WorkerProcess worker = new WorkerProcess(name, process, log);
      Thread reader = new Thread(() -> worker.read(atEnd), "from-" + name);
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException failure) {
      throw new WorkerException(
          "The process %s could not be started with '%s': %s."
              .formatted(name, command.get(0), LogTail.plain(failure.getMessage())),
          true);
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  /** Whether the process runs; false as soon as its end is seen. */
  public boolean alive() {
    return death.isEmpty() && process.isAlive();
  }

  /** Who is told of samples from now on, on this worker's reading thread. */
  public void onSample(Consumer<Answer.Sample> listener) {
    samples = listener;
  }

  void awaitHello() {
    await(hello, "come up", TO_COME_UP);
  }

  /** Sends a command; the future fails with a {@link WorkerException}. */
  public CompletableFuture<Answer> send(Command command) {
    long id = ids.incrementAndGet();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    pending.put(id, answer);
    try {
      String line = Json.LINES.writeValueAsString(new Line.Down(id, command));
      synchronized (input) {
        input.write(line);
        input.write('\n');
        input.flush();
      }
    } catch (IOException broken) {
      // The reading thread sees the end of the process too, and says why.
      CompletableFuture<Process> unused =
          process.onExit().orTimeout(2, TimeUnit.SECONDS).whenComplete((p, late) -> end());
    }
    death.ifPresent(answer::completeExceptionally);
    return answer;
  }

  /**
   * Sends a command and waits for its answer. A worker that does not answer in time is killed.
   *
   * @throws WorkerException if the command failed, or the worker is or becomes gone
   */
  public <A extends Answer> A request(Command command, Class<A> kind, Duration timeout) {
    return await(send(command), kind, command.getClass().getSimpleName(), timeout);
  }

  /** Waits for an answer of {@link #send}. */
  public <A extends Answer> A await(
      CompletableFuture<Answer> future, Class<A> kind, String what, Duration timeout) {
    Answer answer = await(future, "answer " + what, timeout);
    if (answer instanceof Answer.Failed failed) {
      throw new WorkerException("%s: %s".formatted(name, failed.why()), false);
    }
    if (answer instanceof Answer.PortTaken taken) {
      throw WorkerException.portTaken("%s: %s".formatted(name, taken.why()));
    }
    if (!kind.isInstance(answer)) {
      throw new WorkerException(
          "%s answered %s with %s, which is not of this version."
              .formatted(name, what, answer.getClass().getSimpleName()),
          false);
    }
    return kind.cast(answer);
  }

  private <T> T await(CompletableFuture<T> future, String what, Duration timeout) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof WorkerException known) {
        throw known;
      }
      throw new WorkerException("%s: %s".formatted(name, failure.getCause()), true);
    } catch (TimeoutException late) {
      kill();
      throw new WorkerException(
          String.format(
              Locale.ROOT,
              "%s did not %s within %.0f s and was ended.",
              name,
              what,
              timeout.toMillis() / 1000.0),
          true);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new WorkerException("Waiting for %s was interrupted.".formatted(name), true);
    }
  }

  /** Asks the process to end, and ends it where it does not within the time given. */
  public void stop(Duration patience) {
    if (alive()) {
      try {
        CompletableFuture<Answer> unused = send(new Command.Stop());
        process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    kill();
  }

  /** Waits for the end of a process that was told to end or killed. */
  public void awaitEnd(Duration patience) {
    try {
      process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** From now on a kill leaves the process {@value #LEAVE_SECONDS} s to leave its grid. */
  public void letLeave() {
    leaves = true;
  }

  /** Ends the process at once. */
  public void kill() {
    if (leaves) {
      process.destroy();
      CompletableFuture.delayedExecutor(LEAVE_SECONDS, TimeUnit.SECONDS)
          .execute(process::destroyForcibly);
    } else {
      process.destroyForcibly();
    }
  }

  private void read(Consumer<WorkerProcess> atEnd) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard(line);
      }
    } catch (IOException | RuntimeException broken) {
      misunderstood =
          "was ended because of what it said (" + LogTail.plain(broken.getMessage()) + ")";
      process.destroyForcibly();
    } finally {
      end();
      atEnd.accept(this);
    }
  }

  private void heard(String line) throws IOException {
    if (!line.startsWith("{")) {
      return;
    }
    Line.Up up = Json.LINES.readValue(line, Line.Up.class);
    if (up.answer() instanceof Answer.Sample sample) {
      samples.accept(sample);
    } else if (up.answer() instanceof Answer.Hello greeting) {
      hello.complete(greeting);
    } else {
      up.id().map(pending::remove).ifPresent(answer -> answer.complete(up.answer()));
    }
  }

  private void end() {
    synchronized (pending) {
      if (death.isEmpty()) {
        death = Optional.of(new WorkerException(epitaph(), true));
      }
    }
    death.ifPresent(
        why -> {
          hello.completeExceptionally(why);
          pending.values().forEach(answer -> answer.completeExceptionally(why));
          pending.clear();
        });
  }

  private String epitaph() {
    String how = misunderstood;
    try {
      if (process.waitFor(2, TimeUnit.SECONDS) && how.isEmpty()) {
        how = LogTail.exit(process.exitValue());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return "%s %s%s.".formatted(name, how, LogTail.lastWords(log));
  }
}
