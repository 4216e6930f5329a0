package io.pyrometer.coordinator.testbed.check;

import io.pyrometer.coordinator.testbed.host.Jvm;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * State of a host before a run: its Java, clock and free memory, and what a run on it fails for.
 *
 * @param java the version that its JVM prints; empty where there is none, or no answer
 * @param freeBytes of memory; empty where the system does not report it
 * @param clock by how much its clock is ahead of this machine's; empty where it is not known
 * @param errors sentences, each with a remedy; empty for a host that can be used
 */
public record HostCheck(
    Host host,
    Optional<String> java,
    Optional<Long> freeBytes,
    Optional<Clock> clock,
    List<String> errors) {

  /** The clock's lead lies within {@code ahead} ± {@code error}, in seconds. */
  public record Clock(double ahead, double error) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final double MAX_CLOCK_SECONDS = 1;

  /** {@code sh -s JAVA}: the time, free memory in KiB and the version of Java, a line each. */
  private static final String SCRIPT =
      """
      date +%s.%N
      sed -n 's/^MemAvailable: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo 2>/dev/null || echo
      "$1" -version 2>&1 | grep -v '^Picked up ' | head -n 1
      """;

  public HostCheck {
    errors = List.copyOf(errors);
  }

  /** Checks all hosts at once, and whether each reaches the others' ports; in their order. */
  public static List<HostCheck> of(List<Host> hosts) {
    ExecutorService each = Executors.newFixedThreadPool(Math.max(1, hosts.size()));
    try {
      Path script = Files.createTempFile("pyrometer-hosts", ".sh");
      try {
        Files.writeString(script, SCRIPT);
        List<HostCheck> alone = all(each, hosts, host -> alone(host, script));
        Map<Host, List<String>> unreached =
            portErrors(
                each,
                alone.stream()
                    .filter(check -> check.errors.isEmpty())
                    .map(HostCheck::host)
                    .toList());
        return alone.stream()
            .map(check -> check.with(unreached.getOrDefault(check.host, List.of())))
            .toList();
      } finally {
        Files.delete(script);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      each.shutdownNow();
    }
  }

  /** What a run would fail for on its hosts; nothing where this machine is the only one. */
  public static List<String> errors(List<Host> hosts) {
    return hosts.contains(Host.NAMESPACES) || hosts.stream().allMatch(Host::local)
        ? List.of()
        : of(hosts).stream().flatMap(check -> check.errors.stream()).toList();
  }

  private static <A, B> List<B> all(ExecutorService each, List<A> of, Function<A, B> check) {
    List<CompletableFuture<B>> checks =
        of.stream()
            .map(one -> CompletableFuture.supplyAsync(() -> check.apply(one), each))
            .toList();
    return checks.stream().map(CompletableFuture::join).toList();
  }

  private HostCheck with(List<String> more) {
    List<String> both = new ArrayList<>(errors);
    both.addAll(more);
    return new HostCheck(host, java, freeBytes, clock, both);
  }

  private static HostCheck alone(Host host, Path script) {
    try {
      double before = System.currentTimeMillis() / 1e3;
      RemoteShell.Ended said =
          new RemoteShell(host).run(TIMEOUT, Optional.of(script), "sh", "-s", java(host));
      double after = System.currentTimeMillis() / 1e3;
      List<String> lines = said.output().lines().toList();
      if (lines.isEmpty() || !lines.get(0).matches("[0-9]+(\\..*)?")) {
        return unreached(
            host,
            "The %s cannot be used: %s."
                .formatted(
                    host.words(),
                    said.error().isEmpty()
                        ? "its shell printed nothing"
                        : said.error().replaceFirst("\\.$", "")));
      }
      Optional<Clock> clock = clock(lines.get(0), before, after);
      Optional<String> java =
          lines.stream().skip(1).filter(line -> line.contains("version \"")).findFirst();
      Optional<Long> memory =
          lines.stream()
              .skip(1)
              .filter(line -> line.matches("[0-9]{1,15}"))
              .map(kib -> Long.parseLong(kib) << 10)
              .findFirst();
      return new HostCheck(host, java, memory, clock, errors(host, java, clock));
    } catch (WorkerException failure) {
      return unreached(host, failure.sentence());
    }
  }

  private static String java(Host host) {
    return host.local() ? Jvm.OWN.java() : host.java();
  }

  private static HostCheck unreached(Host host, String sentence) {
    return new HostCheck(
        host, Optional.empty(), Optional.empty(), Optional.empty(), List.of(sentence));
  }

  /** The host read its clock at some moment between the two of this machine's. */
  static Optional<Clock> clock(String epoch, double before, double after) {
    return epoch.matches("[0-9]+\\.[0-9]+")
        ? Optional.of(
            new Clock(Double.parseDouble(epoch) - (before + after) / 2, (after - before) / 2))
        : Optional.empty();
  }

  static List<String> errors(Host host, Optional<String> java, Optional<Clock> clock) {
    List<String> errors = new ArrayList<>();
    String on = host.local() ? "This machine" : "The " + host.words();
    int ours = Runtime.version().feature();
    if (java.filter(v -> v.contains("\"" + ours + ".") || v.contains("\"" + ours + "\""))
        .isEmpty()) {
      errors.add(
          "%s has no JVM of version %d, as here, but '%s': install one, and name it with the host's key 'java'."
              .formatted(on, ours, java.orElse("")));
    }
    clock
        .filter(is -> Math.abs(is.ahead()) - is.error() > MAX_CLOCK_SECONDS)
        .ifPresent(
            is ->
                errors.add(
                    String.format(
                        Locale.ROOT,
                        "%s has a clock that is %.3f s %s: synchronize it with a time server (chrony).",
                        on,
                        Math.abs(is.ahead()),
                        is.ahead() > 0 ? "ahead" : "behind")));
    return errors;
  }

  private static Map<Host, List<String>> portErrors(ExecutorService each, List<Host> hosts) {
    Map<Host, List<String>> errors = new LinkedHashMap<>();
    List<Probe> probes = new ArrayList<>();
    try {
      List<Optional<String>> failures =
          all(
              each,
              hosts,
              host -> {
                try {
                  Probe probe = Probe.on(host);
                  synchronized (probes) {
                    probes.add(probe);
                  }
                  return probe.failure();
                } catch (WorkerException refused) {
                  return Optional.of(refused.sentence());
                }
              });
      for (int i = 0; i < hosts.size(); i++) {
        List<String> own = failures.get(i).stream().toList();
        errors.put(hosts.get(i), new ArrayList<>(own));
      }
      List<Probe> listening = probes.stream().filter(probe -> probe.failure().isEmpty()).toList();
      all(each, listening, from -> from.connectTo(listening))
          .forEach(
              unreached ->
                  unreached.forEach((to, why) -> Objects.requireNonNull(errors.get(to)).add(why)));
      return errors;
    } finally {
      probes.forEach(Probe::close);
    }
  }

  /**
   * A {@link PortProbe} that runs on a host.
   *
   * @param listening its first line: the port at which it listens, or why it cannot
   */
  private record Probe(Host host, Process process, BufferedReader answers, String listening) {

    /**
     * Sends the program to the host and starts it there.
     *
     * @throws WorkerException if that cannot be done
     */
    static Probe on(Host host) {
      String folder = host.folder() + "/pyrometer-probe-" + UUID.randomUUID();
      String name = PortProbe.class.getName();
      String file = folder + "/" + name.replace('.', '/') + ".class";
      RemoteShell shell = new RemoteShell(host);
      require(host, shell.run(TIMEOUT, "mkdir", "-p", file.substring(0, file.lastIndexOf('/'))));
      try {
        Path program = Files.createTempFile("pyrometer-probe", ".class");
        try (InputStream own =
            Objects.requireNonNull(PortProbe.class.getResourceAsStream("PortProbe.class"))) {
          long unused = Files.copy(own, program, StandardCopyOption.REPLACE_EXISTING);
          require(host, shell.run(TIMEOUT, Optional.of(program), "dd", "of=" + file));
        } finally {
          Files.delete(program);
        }
        List<String> command =
            List.of(
                java(host),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                folder,
                name,
                host.address(),
                folder);
        Process process =
            new ProcessBuilder(host.command(command))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        return new Probe(host, process, answers, line(process, answers));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    private static void require(Host host, RemoteShell.Ended ended) {
      if (ended.code() != 0) {
        throw WorkerException.gone(
            "The %s does not let its user write to %s (%s): name another folder with the host's key 'folder'.",
            host.words(), host.folder(), ended.error());
      }
    }

    /** The next line; the process is ended if none comes in time, so that nothing waits for it. */
    private static String line(Process process, BufferedReader answers) {
      CompletableFuture<Void> late =
          CompletableFuture.runAsync(
              process::destroyForcibly,
              CompletableFuture.delayedExecutor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
      try {
        return Optional.ofNullable(answers.readLine())
            .orElse(PortProbe.FAILED + "no answer of a Java program");
      } catch (IOException ended) {
        return PortProbe.FAILED + ended.getMessage();
      } finally {
        late.cancel(false);
      }
    }

    Optional<String> failure() {
      return listening.startsWith(PortProbe.LISTENING)
          ? Optional.empty()
          : Optional.of(
              "Nothing can listen at %s on %s (%s): 'address' must be one of its own, which the other hosts reach."
                  .formatted(host.address(), host.words(), why(listening)));
    }

    private static String why(String answer) {
      return answer.replaceFirst("^" + PortProbe.FAILED, "").toLowerCase(Locale.ROOT);
    }

    /** Hosts that this one does not reach, with a sentence each. */
    Map<Host, String> connectTo(List<Probe> others) {
      Map<Host, String> unreached = new LinkedHashMap<>();
      Writer targets = process.outputWriter(StandardCharsets.UTF_8);
      for (Probe to : others) {
        if (to.equals(this)) {
          continue;
        }
        String answer;
        try {
          targets.write(
              to.host.address()
                  + " "
                  + to.listening.substring(PortProbe.LISTENING.length())
                  + "\n");
          targets.flush();
          answer = line(process, answers);
        } catch (IOException ended) {
          answer = PortProbe.FAILED + ended.getMessage();
        }
        if (!answer.equals(PortProbe.REACHED)) {
          unreached.put(
              to.host,
              "%s does not reach %s at %s (%s): let the firewall pass TCP between the hosts, or name an 'address' that the others reach."
                  .formatted(host.name(), to.host.words(), to.host.address(), why(answer)));
        }
      }
      return unreached;
    }

    void close() {
      try {
        process.getOutputStream().close();
        if (!process.waitFor(1, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException gone) {
        process.destroyForcibly();
      } catch (InterruptedException interrupted) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
