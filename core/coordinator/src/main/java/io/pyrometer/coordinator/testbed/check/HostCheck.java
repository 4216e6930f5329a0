package io.pyrometer.coordinator.testbed.check;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.HostState;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.message.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A host before a run, and what a run on it fails for.
 *
 * @param state empty where the host does not answer
 * @param errors sentences, each with a remedy; empty for a host that can be used
 */
public record HostCheck(Host host, Optional<HostState> state, List<String> errors) {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  public HostCheck {
    errors = List.copyOf(errors);
  }

  /** Checks all hosts at once, and whether each reaches the others' ports; in their order. */
  public static List<HostCheck> of(List<Host> hosts) {
    ExecutorService each = Executors.newFixedThreadPool(Math.max(1, hosts.size()));
    try {
      List<HostCheck> alone = all(each, hosts, HostCheck::alone);
      List<Host> usable =
          alone.stream().filter(it -> it.errors.isEmpty()).map(HostCheck::host).toList();
      Map<Host, List<String>> unreached = portErrors(each, usable);
      return alone.stream()
          .map(it -> new HostCheck(it.host, it.state, unreached.getOrDefault(it.host, it.errors)))
          .toList();
    } finally {
      each.shutdownNow();
    }
  }

  /** Errors that a run would fail for on its hosts; empty where this machine is the only one. */
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

  private static HostCheck alone(Host host) {
    try {
      HostState state = HostState.read(host);
      return new HostCheck(host, Optional.of(state), state.errors(host));
    } catch (WorkerException failure) {
      return new HostCheck(host, Optional.empty(), List.of(failure.sentence()));
    }
  }

  private static Map<Host, List<String>> portErrors(ExecutorService each, List<Host> hosts) {
    Map<Host, List<String>> errors = new LinkedHashMap<>();
    List<Probe> probes = new CopyOnWriteArrayList<>();
    try {
      List<Optional<String>> failures =
          all(
              each,
              hosts,
              host -> {
                try {
                  Probe probe = Probe.on(host);
                  probes.add(probe);
                  return probe.failure();
                } catch (WorkerException refused) {
                  return Optional.of(refused.sentence());
                }
              });
      for (int i = 0; i < hosts.size(); i++) {
        errors.put(hosts.get(i), new ArrayList<>(failures.get(i).stream().toList()));
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

    static Probe on(Host host) {
      String folder = host.folder() + "/pyrometer-probe-" + UUID.randomUUID();
      String name = PortProbe.class.getName();
      String file = folder + "/" + name.replace('.', '/') + ".class";
      RemoteShell shell = new RemoteShell(host);
      require(host, shell.run(TIMEOUT, "mkdir", "-p", file.substring(0, file.lastIndexOf('/'))));
      InputStream program =
          Objects.requireNonNull(PortProbe.class.getResourceAsStream("PortProbe.class"));
      require(host, shell.run(TIMEOUT, program, "dd", "of=" + file));
      try {
        List<String> command =
            new ArrayList<>(List.of(HostState.java(host), "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        command.addAll(List.of("-cp", folder, name, host.address(), folder));
        ProcessBuilder probe = new ProcessBuilder(host.command(command));
        Process process = probe.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        return new Probe(host, process, answers, line(process, answers));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    private static void require(Host host, RemoteShell.Ended ended) {
      if (ended.code() != 0) {
        throw WorkerException.lost(
            "coordinator.folder-unwritable", host.words(), host.folder(), ended.error());
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
              Messages.format(
                  "coordinator.address-unusable", host.address(), host.words(), why(listening)));
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
          String port = to.listening.substring(PortProbe.LISTENING.length());
          targets.write(to.host.address() + " " + port + "\n");
          targets.flush();
          answer = line(process, answers);
        } catch (IOException ended) {
          answer = PortProbe.FAILED + ended.getMessage();
        }
        if (!answer.equals(PortProbe.REACHED)) {
          unreached.put(
              to.host,
              Messages.format(
                  "coordinator.host-unreachable",
                  host.name(),
                  to.host.words(),
                  to.host.address(),
                  why(answer)));
        }
      }
      return unreached;
    }

    void close() {
      try {
        process.getOutputStream().close();
      } catch (IOException gone) {
        // It has ended.
      }
      Process unused = process.onExit().completeOnTimeout(process, 1, TimeUnit.SECONDS).join();
      process.destroyForcibly();
    }
  }
}
