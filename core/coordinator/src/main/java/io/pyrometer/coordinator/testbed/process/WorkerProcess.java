package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import io.pyrometer.protocol.message.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A worker process of this or another host: it is told commands on its standard input and answers
 * on its standard output, one JSON message a line. Its standard error is kept in a log.
 */
final class WorkerProcess implements ManagedProcess {
  private static final Duration USUAL_START = Duration.ofSeconds(60);
  private static final long LEAVE_SECONDS = 4;
  private static final Duration TO_TELL = Duration.ofSeconds(5);

  /** From the end of its output to the end of a process, which may end with a host's prefix. */
  private static final Duration TO_END = Duration.ofSeconds(2);

  private final String name;
  private final Process process;
  private final Optional<ControlGroup> group;
  private final Path log;
  private final Writer input;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
  private final CompletableFuture<Answer.Hello> hello = new CompletableFuture<>();
  private volatile boolean leaves;
  private volatile boolean started;
  private volatile Consumer<Answer.Sample> samples = sample -> {};
  private volatile Optional<WorkerException> death = Optional.empty();
  private volatile String protocolError = "";

  private WorkerProcess(String name, Process process, Optional<ControlGroup> group, Path log) {
    this.name = name;
    this.process = process;
    this.group = group;
    this.log = log;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  static WorkerProcess launch(
      String name, List<String> command, Optional<ControlGroup> group, Path log) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      WorkerProcess worker = new WorkerProcess(name, process, group, log);
      Daemon.start("from-" + name, worker::read);
      return worker;
    } catch (IOException failure) {
      throw WorkerException.lost(
          "coordinator.launch-failed", name, command.get(0), LogTail.plain(failure.getMessage()));
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Long> pid() {
    return hello.isDone() && !hello.isCompletedExceptionally()
        ? Optional.of(hello.join().pid())
        : Optional.empty();
  }

  /**
   * CPU time, in seconds, of the process and those that it started. The kernel tells that of this
   * machine's processes; a worker on another host is asked for its own, once it has said hello.
   */
  @Override
  public OptionalDouble cpuSeconds() {
    double here =
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
            .flatMap(each -> each.info().totalCpuDuration().stream())
            .mapToDouble(used -> used.toNanos() / 1e9)
            .sum();
    return OptionalDouble.of(Math.max(here, toldSeconds()));
  }

  private double toldSeconds() {
    try {
      return pid().isPresent()
              && get(send(new Command.ReadCpu()), TO_TELL) instanceof Answer.Cpu cpu
          ? cpu.seconds()
          : 0;
    } catch (WorkerException | TimeoutException silent) {
      return 0;
    }
  }

  @Override
  public Optional<Double> throttledSeconds() {
    return group.flatMap(ControlGroup::throttledSeconds);
  }

  @Override
  public void limit(CpuQuota quota) {
    if (alive()) {
      group.ifPresent(made -> made.limit(quota));
    }
  }

  @Override
  public Time time() {
    return Time.SYSTEM;
  }

  @Override
  public boolean alive() {
    return death.isEmpty() && process.isAlive();
  }

  @Override
  public void onSample(Consumer<Answer.Sample> listener) {
    samples = listener;
  }

  void awaitHello() {
    Answer.Hello unused = StartWait.await(this, hello, "start", USUAL_START);
  }

  @Override
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

  @Override
  public void stop(Duration timeout) {
    if (alive()) {
      CompletableFuture<Answer> unused = send(new Command.Stop());
      awaitEnd(timeout);
    }
    kill();
  }

  @Override
  public void awaitEnd(Duration timeout) {
    boolean unused = ends(timeout);
  }

  private boolean ends(Duration timeout) {
    try {
      return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void leaveOnKill() {
    leaves = true;
  }

  @Override
  public void kill() {
    if (leaves) {
      // Process.destroy() would close the pipes too, and the reading thread end the process then.
      boolean unused = process.toHandle().destroy();
      CompletableFuture.delayedExecutor(LEAVE_SECONDS, TimeUnit.SECONDS)
          .execute(process::destroyForcibly);
    } else {
      process.destroyForcibly();
    }
  }

  /** Waits until a process that was killed has left its grid, where it has something to leave. */
  void awaitLeft() {
    if (leaves) {
      awaitEnd(Duration.ofSeconds(LEAVE_SECONDS));
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard(line);
      }
    } catch (IOException | RuntimeException broken) {
      protocolError =
          Messages.format("coordinator.invalid-output", LogTail.plain(broken.getMessage()));
      process.destroyForcibly();
    } finally {
      end();
      group.ifPresent(ControlGroup::close);
    }
  }

  private void heard(String line) throws IOException {
    if (!line.startsWith("{")) {
      return;
    }
    Line.Up up = Json.LINES.readValue(line, Line.Up.class);
    if (up.answer() == null) {
      throw new IOException("a line without an answer: " + line);
    }
    if (up.answer() instanceof Answer.Sample sample) {
      samples.accept(sample);
    } else if (up.answer() instanceof Answer.Hello greeting) {
      hello.complete(greeting);
    } else {
      started |= up.answer() instanceof Answer.Started;
      up.id().map(pending::remove).ifPresent(answer -> answer.complete(up.answer()));
    }
  }

  private void end() {
    WorkerException why;
    synchronized (pending) {
      why = death.orElseGet(() -> WorkerException.gone(describeEnd()));
      death = Optional.of(why);
    }
    hello.completeExceptionally(why);
    pending.values().forEach(answer -> answer.completeExceptionally(why));
    pending.clear();
  }

  private String describeEnd() {
    boolean ended = ends(TO_END);
    if (!ended) {
      process.destroyForcibly();
    }
    if (ended && protocolError.isEmpty()) {
      return "%s %s.".formatted(name, LogTail.end(process.exitValue(), log, started));
    }
    String how =
        protocolError.isEmpty() ? Messages.format("coordinator.output-closed") : protocolError;
    return "%s %s%s.".formatted(name, how, LogTail.lastWords(log));
  }
}
