package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link NetworkProbe} that runs on a host until it is closed. */
final class RunningProbe implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CLOCK_READINGS = 5;
  private static final String LISTENING = "listening";
  private static final String FAILED = "failed ";
  private static final String ENDED = FAILED + "the program on it ended";

  private final Host host;
  private final String greeting;
  private final Process process;
  private final Writer commands;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<String, CompletableFuture<String>> answers = new ConcurrentHashMap<>();

  private RunningProbe(Host host, String greeting, Process process) {
    this.host = host;
    this.greeting = greeting;
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    CompletableFuture<String> unused = answer(LISTENING);
    Daemon.start("probe-of-" + host.name(), this::read);
  }

  /**
   * Sends the program to the host and starts it there; returns when it listens, or cannot.
   *
   * @throws WorkerException if that cannot be done
   */
  static RunningProbe on(Host host) {
    String greeting = "pyrometer-probe-" + UUID.randomUUID();
    String folder = host.folder() + "/" + greeting;
    String name = NetworkProbe.class.getName();
    String file = folder + "/" + name.replace('.', '/') + ".class";
    RemoteShell shell = new RemoteShell(host);
    require(host, shell.run(PATIENCE, "mkdir", "-p", file.substring(0, file.lastIndexOf('/'))));
    try {
      Path program = Files.createTempFile("pyrometer-probe", ".class");
      try (InputStream own =
          Objects.requireNonNull(NetworkProbe.class.getResourceAsStream("NetworkProbe.class"))) {
        long unused = Files.copy(own, program, StandardCopyOption.REPLACE_EXISTING);
        require(host, shell.run(PATIENCE, Optional.of(program), "dd", "of=" + file));
      } finally {
        Files.delete(program);
      }
      String java =
          host.local()
              ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
              : host.java();
      Process process =
          new ProcessBuilder(
                  host.command(
                      List.of(
                          java,
                          "-XX:TieredStopAtLevel=1",
                          "-Xmx64m",
                          "-cp",
                          folder,
                          name,
                          host.address(),
                          greeting,
                          folder)))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      RunningProbe probe = new RunningProbe(host, greeting, process);
      if (probe.listening().equals(ENDED)) {
        require(host, shell.run(PATIENCE, "rm", "-rf", folder));
        throw WorkerException.gone(
            "The %s does not run a Java program that was put into %s: see that '%s' starts a JVM there.",
            host.words(), host.folder(), java);
      }
      return probe;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void require(Host host, RemoteShell.Ended ended) {
    if (ended.code() != 0) {
      throw WorkerException.gone(
          "The %s does not let a program be put into %s: %s.",
          host.words(), host.folder(), ended.error());
    }
  }

  private CompletableFuture<String> answer(String key) {
    return answers.computeIfAbsent(key, made -> new CompletableFuture<>());
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int blank = line.indexOf(' ');
        if (blank > 0) {
          boolean unused = answer(line.substring(0, blank)).complete(line.substring(blank + 1));
        }
      }
    } catch (IOException closed) {
      // As at the end of its output.
    }
    answers.values().forEach(each -> each.complete(ENDED));
  }

  /** What the probe answers: words, or {@code failed} and why. */
  private CompletableFuture<String> ask(String command, String... words) {
    String id = String.valueOf(ids.incrementAndGet());
    CompletableFuture<String> answer = answer(id);
    try {
      synchronized (commands) {
        commands.write(command + " " + id + " " + String.join(" ", words) + "\n");
        commands.flush();
      }
    } catch (IOException ended) {
      boolean unused = answer.complete(ENDED);
    }
    return inTime(answer);
  }

  private static CompletableFuture<String> inTime(CompletableFuture<String> answer) {
    return answer.completeOnTimeout(
        FAILED + "no answer within 10 s", PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why it cannot listen at the host's address; empty where it can. */
  Optional<String> whyNotListening() {
    return why(listening());
  }

  /** A port, or why there is none. */
  private String listening() {
    return inTime(answer(LISTENING)).join();
  }

  private static Optional<String> why(String said) {
    return Optional.of(said)
        .filter(words -> words.startsWith(FAILED))
        .map(words -> words.substring(FAILED.length()).toLowerCase(Locale.ROOT));
  }

  /** The host's clock, of the reading with the least error; empty where it does not tell. */
  Optional<HostCheck.Clock> clock() {
    Optional<HostCheck.Clock> best = Optional.empty();
    for (int i = 0; i < CLOCK_READINGS; i++) {
      double before = seconds();
      String said = ask("clock").join();
      double after = seconds();
      if (said.matches("\\d+")) {
        double error = (after - before) / 2;
        double ahead = Long.parseLong(said) / 1e6 - (before + after) / 2;
        if (best.isEmpty() || error < best.get().error()) {
          best = Optional.of(new HostCheck.Clock(ahead, error));
        }
      }
    }
    return best;
  }

  private static double seconds() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / 1e6;
  }

  /** Connects to another host's probe: why it could not; empty where it did. */
  CompletableFuture<Optional<String>> reach(RunningProbe other) {
    return ask("reach", other.where()).thenApply(RunningProbe::why);
  }

  /**
   * Measures the way to another host's probe.
   *
   * @param millis for which data are sent; 0 for none
   * @return empty if the connection broke
   */
  CompletableFuture<Optional<HostCheck.Link>> measure(RunningProbe other, int millis) {
    return ask("measure", other.where(), String.valueOf(millis))
        .thenApply(said -> said.split(" ", -1))
        .thenApply(
            words ->
                words[0].equals("measured")
                    ? Optional.of(
                        new HostCheck.Link(
                            Double.parseDouble(words[1]) / 1e3,
                            Optional.of(Double.parseDouble(words[2])).filter(bits -> bits > 0)))
                    : Optional.empty());
  }

  private String where() {
    return host.address() + " " + listening() + " " + greeting;
  }

  /** Lets it end, without waiting for that. */
  void end() {
    try {
      commands.close();
    } catch (IOException gone) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    end();
    try {
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
