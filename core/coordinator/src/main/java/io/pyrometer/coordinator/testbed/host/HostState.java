package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.message.Messages;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * State of a host before a run.
 *
 * @param java the version that its JVM prints; empty where there is none
 * @param freeBytes of memory; empty where the system does not report it
 * @param cpus that processes may run on; none where the system does not report them
 * @param clock by how much its clock is ahead of this machine's; empty where it is not known
 */
public record HostState(
    Optional<String> java, Optional<Long> freeBytes, List<Integer> cpus, Optional<Clock> clock) {

  /** The clock's lead lies within {@code ahead} ± {@code error}, in seconds. */
  public record Clock(double ahead, double error) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final double MAX_CLOCK_SECONDS = 1;
  private static final String CPUS = "cpus ";

  /**
   * {@code sh -s JAVA}: the time, free memory in KiB, CPUs and the version of Java, a line each.
   */
  private static final String SCRIPT =
      """
      date +%s.%N
      sed -n 's/^MemAvailable: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo 2>/dev/null
      sed -n 's/^Cpus_allowed_list:[[:space:]]*/cpus /p' /proc/self/status 2>/dev/null
      "$1" -version 2>&1 | grep -v '^Picked up ' | head -n 1
      """;

  public HostState {
    cpus = List.copyOf(cpus);
  }

  public static HostState read(Host host) {
    InputStream script = new ByteArrayInputStream(SCRIPT.getBytes(StandardCharsets.UTF_8));
    double before = System.currentTimeMillis() / 1e3;
    RemoteShell.Ended said = new RemoteShell(host).run(TIMEOUT, script, "sh", "-s", java(host));
    double after = System.currentTimeMillis() / 1e3;
    List<String> lines = said.output().lines().toList();
    if (lines.isEmpty() || !lines.get(0).matches("[0-9]+(\\..*)?")) {
      throw WorkerException.gone(
          "The %s cannot be used: %s.",
          host.words(),
          said.error().isEmpty()
              ? "its shell printed nothing"
              : said.error().replaceFirst("\\.$", ""));
    }
    List<String> rest = lines.subList(1, lines.size());
    return new HostState(
        rest.stream().filter(line -> line.contains("version \"")).findFirst(),
        rest.stream()
            .filter(line -> line.matches("[0-9]{1,15}"))
            .map(kib -> Long.parseLong(kib) << 10)
            .findFirst(),
        rest.stream()
            .filter(line -> line.startsWith(CPUS))
            .map(line -> MachineReading.processors(line.substring(CPUS.length())))
            .findFirst()
            .orElse(List.of()),
        clock(lines.get(0), before, after));
  }

  /** The command that starts a JVM on a host. */
  public static String java(Host host) {
    return host.local() ? Jvm.OWN.java() : host.java();
  }

  /** The host read its clock at some moment between the two of this machine's. */
  static Optional<Clock> clock(String epoch, double before, double after) {
    return epoch.matches("[0-9]+\\.[0-9]+")
        ? Optional.of(
            new Clock(Double.parseDouble(epoch) - (before + after) / 2, (after - before) / 2))
        : Optional.empty();
  }

  /** Reasons why a run on the host would fail, each a sentence with a remedy. */
  public List<String> errors(Host host) {
    List<String> errors = new ArrayList<>();
    String on = host.local() ? "This machine" : "The " + host.words();
    int ours = Runtime.version().feature();
    if (!java.orElse("").matches(".*\"" + ours + "[.\"].*")) {
      errors.add(Messages.format("coordinator.jvm-missing", on, ours, java.orElse("")));
    }
    clock
        .filter(is -> Math.abs(is.ahead()) - is.error() > MAX_CLOCK_SECONDS)
        .ifPresent(
            is ->
                errors.add(
                    Messages.format(
                        "coordinator.clock-ahead",
                        on,
                        Math.abs(is.ahead()),
                        is.ahead() > 0 ? "ahead" : "behind")));
    return errors;
  }
}
