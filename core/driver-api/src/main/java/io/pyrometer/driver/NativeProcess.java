package io.pyrometer.driver;

import io.pyrometer.protocol.Daemon;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A foreign command that this JVM started and supervises.
 *
 * <ul>
 *   <li>The process never outlives this JVM, however the JVM ends: see {@link ParentDeathGuard}.
 *   <li>What it prints goes to this JVM's standard error, which for a worker is its log in the
 *       run's folder, on whatever host the worker runs. The last lines are kept, to say why a
 *       process ended.
 *   <li>It gets no standard input.
 * </ul>
 *
 * Safe for several threads.
 */
public final class NativeProcess implements AutoCloseable {
  private static final int KEPT_LINES = 20;
  private static final long LAST_WORDS_MILLIS = 1_000;

  /** Exit codes of SIGKILL and SIGTERM, of which no process can print anything. */
  private static final int KILLED = 137;

  private static final int TERMINATED = 143;

  /**
   * Starts every process. On Linux the guard's signal comes when the <em>thread</em> ends that
   * started the process, so this thread must live as long as the JVM.
   */
  private static final ExecutorService STARTER =
      Executors.newSingleThreadExecutor(Daemon.factory("native-process-starter"));

  private final Spec spec;
  private final Process process;
  private final long pid;
  private final Thread output;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private volatile boolean closing;

  /**
   * Process to start.
   *
   * @param name of the process in messages, such as {@code redis-server 1}
   * @param command the program and its arguments
   * @param environment variables that are added to this JVM's own
   * @param folder the working directory, made where it is missing
   * @param startLimit the longest time until the process is ready
   * @param stopLimit the longest time from the request to end (SIGTERM) until it is killed
   */
  public record Spec(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path folder,
      Duration startLimit,
      Duration stopLimit) {}

  private NativeProcess(Spec spec, ParentDeathGuard guard) throws IOException {
    this.spec = spec;
    Files.createDirectories(spec.folder());
    Path pidFile = Files.createTempFile("pyrometer-", ".pid");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(guard.around(spec.command(), pidFile))
              .directory(spec.folder().toFile())
              .redirectErrorStream(true);
      builder.environment().putAll(spec.environment());
      this.process = builder.start();
      this.output = Daemon.of("output-of-" + spec.name(), this::passOutputOn);
      output.start();
      this.pid = guard.pid(process, pidFile);
    } finally {
      Files.deleteIfExists(pidFile);
    }
    CompletableFuture<Void> unused = process.onExit().thenAccept(gone -> noticeEnd());
  }

  /**
   * Starts a process and returns when it is ready.
   *
   * @param ready whether the process is ready, polled until it is
   * @throws PortTakenException if the process ended and said that an address is already in use
   * @throws GridException with one sentence if it cannot be started, ends early, or is not ready
   *     within its limit; no process is left then
   */
  public static NativeProcess start(Spec spec, ReadyCheck ready) {
    return start(spec, ready, ParentDeathGuard.best());
  }

  static NativeProcess start(Spec spec, ReadyCheck ready, ParentDeathGuard guard) {
    NativeProcess started;
    try {
      started = STARTER.submit(() -> new NativeProcess(spec, guard)).get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new GridException(
          spec.name() + " could not be started: " + cause.getMessage() + ".", cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The start of " + spec.name() + " was interrupted.", e);
    }
    try {
      started.awaitReady(ready);
      return started;
    } catch (RuntimeException e) {
      started.kill();
      throw e;
    }
  }

  /** The program of this name on the PATH; empty where there is none. */
  public static Optional<Path> program(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The id of the command's own process, without a guard around it. */
  public long pid() {
    return pid;
  }

  /** Completes with one sentence when the process ends without having been closed. */
  public CompletableFuture<String> ended() {
    return ended;
  }

  /** The last lines that the process printed, the newest last; at most {@value #KEPT_LINES}. */
  public List<String> lastLines() {
    synchronized (lastLines) {
      return List.copyOf(lastLines);
    }
  }

  /**
   * Asks the process to end, kills it where it does not within its limit, and waits for its end.
   */
  @Override
  public void close() {
    closing = true;
    own().ifPresent(ProcessHandle::destroy);
    if (!awaitEnd(spec.stopLimit())) {
      kill();
    }
  }

  private void kill() {
    closing = true;
    own().ifPresent(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    awaitEnd(Duration.ofSeconds(10));
  }

  private Optional<ProcessHandle> own() {
    return ProcessHandle.of(pid);
  }

  private boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void awaitReady(ReadyCheck ready) {
    boolean inTime = Poll.until(spec.startLimit(), () -> !process.isAlive() || ready.isReady(this));
    if (!process.isAlive()) {
      String sentence = lastWords("before it was ready");
      throw lastLines().stream().anyMatch(NativeProcess::tellsOfTakenPort)
          ? new PortTakenException(sentence)
          : new GridException(sentence);
    }
    if (!inTime) {
      throw GridException.of(
          "%s was not ready within %d s%s.",
          spec.name(), spec.startLimit().toSeconds(), outputEnds());
    }
  }

  private static boolean tellsOfTakenPort(String line) {
    return line.toLowerCase(Locale.ROOT).contains("address already in use");
  }

  private void noticeEnd() {
    if (!closing) {
      // A guard that was killed in the process's place must not leave the process behind.
      own().ifPresent(ProcessHandle::destroyForcibly);
      ended.complete(lastWords("by itself"));
    }
  }

  private String lastWords(String when) {
    try {
      output.join(LAST_WORDS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int code = process.exitValue();
    return code == KILLED || code == TERMINATED
        ? "%s was killed (exit code %d).".formatted(spec.name(), code)
        : "%s ended %s with exit code %d%s.".formatted(spec.name(), when, code, outputEnds());
  }

  private String outputEnds() {
    synchronized (lastLines) {
      return lastLines.isEmpty() ? "" : "; its output ends: " + lastLines.getLast();
    }
  }

  private void passOutputOn() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.err.println(line);
        synchronized (lastLines) {
          if (lastLines.size() == KEPT_LINES) {
            lastLines.removeFirst();
          }
          lastLines.addLast(line);
        }
      }
    } catch (IOException e) {
      System.err.println("The output of " + spec.name() + " cannot be read: " + e.getMessage());
    }
  }
}
