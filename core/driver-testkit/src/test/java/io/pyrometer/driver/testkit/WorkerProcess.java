package io.pyrometer.driver.testkit;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A worker of one driver in a process of its own, started with the class path of the tests and
 * spoken to over its pipe as the coordinator does. For one thread.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(2);
  private static final String END = "";

  private final Process process;
  private final Path log;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Map<Long, Answer> answers = new HashMap<>();
  private final List<Answer> unasked = new ArrayList<>();
  private long lastId;

  private WorkerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    Thread reader = new Thread(this::read, "worker-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a worker with the JVM flags that its driver asks for, and with the first compiler alone,
   * which halves the CPU time of a start.
   *
   * @param heapBytes of its JVM
   * @param folder its working directory, made where it is missing; nothing is written there unless
   *     the product does
   * @param log where its standard error goes
   */
  public static WorkerProcess start(GridDriver driver, long heapBytes, Path folder, Path log)
      throws IOException {
    WorkerProcess started = launch(driver, heapBytes, folder, log);
    started.awaitReady();
    return started;
  }

  /** Launch without waiting for the worker's first words. */
  static WorkerProcess launch(GridDriver driver, long heapBytes, Path folder, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(driver.describe().jvmFlags(Runtime.version().feature()));
    command.addAll(List.of("-Xmx" + heapBytes, "-XX:TieredStopAtLevel=1"));
    // A third of what a start takes.
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-cp", classPath()));
    command.addAll(List.of("io.pyrometer.worker.Worker", driver.describe().name()));
    Files.createDirectories(folder);
    return new WorkerProcess(
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(log.toFile()).start(),
        log);
  }

  /** Waits for what a worker says when it has started; once, before the first command. */
  void awaitReady() {
    unasked.add(next().answer());
  }

  /** The class path of the running tests, whether Surefire or Failsafe runs them. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Sends a command; {@link #await} waits for its answer. */
  public long send(Command command) throws IOException {
    long id = ++lastId;
    writeLine(Json.LINES.writeValueAsString(new Line.Down(id, command)));
    return id;
  }

  /** Writes a line to the worker, whether it is a command or not. */
  public void writeLine(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /**
   * Waits for the answer to a command.
   *
   * @throws AssertionError if the worker ends or says nothing for two minutes
   */
  public Answer await(long id) {
    while (!answers.containsKey(id)) {
      Line.Up up = next();
      up.id().ifPresentOrElse(of -> answers.put(of, up.answer()), () -> unasked.add(up.answer()));
    }
    return Optional.ofNullable(answers.remove(id)).orElseThrow();
  }

  /** Sends a command and waits for its answer. */
  public Answer ask(Command command) throws IOException {
    return await(send(command));
  }

  /**
   * Request for an answer of this type.
   *
   * @throws AssertionError with the worker's sentence where it answers otherwise
   */
  public <T extends Answer> T ask(Command command, Class<T> type) throws IOException {
    return expect(ask(command), type);
  }

  /** The answer to a command sent before, of this type. */
  public <T extends Answer> T await(long id, Class<T> type) {
    return expect(await(id), type);
  }

  private <T extends Answer> T expect(Answer answer, Class<T> type) {
    if (!type.isInstance(answer)) {
      throw new AssertionError("%s instead of a %s; log: %s".formatted(answer, type, log));
    }
    return type.cast(answer);
  }

  /** Waits until so many samples of a load have come since the last time this was called. */
  public void awaitSamples(int samples) {
    unasked.clear();
    while (unasked.stream().filter(Answer.Sample.class::isInstance).count() < samples) {
      Line.Up up = next();
      up.id().ifPresentOrElse(of -> answers.put(of, up.answer()), () -> unasked.add(up.answer()));
    }
  }

  /** The process; it and its children are the worker's. */
  public Process process() {
    return process;
  }

  /** The worker's JVM and all processes that it has started and that live. */
  public List<ProcessHandle> processes() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    return all;
  }

  /** Ends the worker as {@code kill -9} does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }

  private Line.Up next() {
    try {
      String line = lines.poll(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
      if (line == null || line.equals(END)) {
        throw new AssertionError(
            (line == null ? "The worker says nothing" : "The worker ended") + "; log: " + log);
      }
      return Json.LINES.readValue(line, Line.Up.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
      }
    } catch (IOException gone) {
      // reported as the worker's end
    }
    lines.add(END);
  }
}
