package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.experiment.model.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Everything that can be seen of a host before a run, and what is wrong with it. All hosts are
 * asked at once.
 *
 * @param facts what the host said of itself, by name; empty where it was not reached
 * @param clock by how much its clock is ahead of this machine's; empty where that is not known
 * @param links to the addresses of other hosts, by their names; without those that it does not
 *     reach, and those that were not measured
 * @param errors sentences about what a run fails for
 * @param warnings sentences about what makes its figures worse
 */
public record HostCheck(
    Host host,
    Map<String, String> facts,
    Optional<Clock> clock,
    Map<String, Link> links,
    List<String> errors,
    List<String> warnings) {

  /** The clock's lead lies within {@code ahead} ± {@code error}, in seconds. */
  public record Clock(double ahead, double error) {}

  /**
   * The way from one host to another over TCP.
   *
   * @param roundTripMillis of one byte, the shortest of several
   * @param bitsPerSecond that arrived there; empty where that was not measured
   */
  public record Link(double roundTripMillis, Optional<Double> bitsPerSecond) {}

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long MIN_FREE_KIB = 300 << 10;
  private static final double MAX_CLOCK_SECONDS = 1;
  private static final double NOTED_CLOCK_SECONDS = 0.005;
  private static final int MIN_FILES = 4_096;
  private static final int MAX_SWAPPINESS = 10;

  /** {@code sh -s FOLDER JAVA}; what a system does not have is left empty. */
  private static final String SCRIPT =
      """
      echo epoch=$(date +%s.%N)
      echo system=$(uname -sr) $(uname -m)
      echo cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null)
      echo memory=$(sed -n 's/^MemAvailable: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo 2>/dev/null)
      folder=$1 # or what it would be made in
      while [ ! -e "$folder" ] && [ "$folder" != / ] && [ "$folder" != . ]; do folder=$(dirname "$folder"); done
      echo disk=$(df -Pk "$folder" 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\\([0-9]*\\).*/\\1/p')
      [ -d "$folder" ] && [ -w "$folder" ] && echo writable=yes
      echo java=$("$2" -version 2>&1 | grep -v '^Picked up ' | head -n 1)
      echo files=$(ulimit -n)
      echo swappiness=$(cat /proc/sys/vm/swappiness 2>/dev/null)
      echo huge-pages=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
      echo governor=$(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null)
      echo workers=$(ps -eo args 2>/dev/null | grep -c '[i]o.pyrometer.worker.Worker')
      """;

  public HostCheck {
    facts = Map.copyOf(facts);
    links = Map.copyOf(links);
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /**
   * Checks all hosts, in their order.
   *
   * @param measuring whether the ways between them are measured, which takes some seconds
   */
  public static List<HostCheck> of(List<Host> hosts, boolean measuring) {
    ExecutorService each = Executors.newFixedThreadPool(Math.max(1, hosts.size()));
    try {
      Path script = Files.createTempFile("pyrometer-hosts", ".sh");
      try {
        Files.writeString(script, SCRIPT);
        List<HostCheck> alone = all(hosts, host -> alone(host, script), each);
        List<Host> usable =
            alone.stream().filter(check -> check.canRunPrograms()).map(HostCheck::host).toList();
        HostNetwork network = HostNetwork.of(usable, measuring, each);
        return alone.stream().map(check -> check.in(network)).toList();
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
        : of(hosts, false).stream().flatMap(check -> check.errors().stream()).toList();
  }

  private static <T> List<HostCheck> all(
      List<T> hosts, Function<T, HostCheck> check, ExecutorService each) {
    List<CompletableFuture<HostCheck>> checks =
        hosts.stream()
            .map(host -> CompletableFuture.supplyAsync(() -> check.apply(host), each))
            .toList();
    return checks.stream().map(CompletableFuture::join).toList();
  }

  private static HostCheck alone(Host host, Path script) {
    try {
      double before = now();
      RemoteShell.Ended said =
          new RemoteShell(host)
              .run(PATIENCE, Optional.of(script), "sh", "-s", host.folder(), host.java());
      double after = now();
      Map<String, String> facts = facts(said.output());
      if (!facts.containsKey("epoch")) {
        return unreached(
            host, "The %s cannot be used: %s.".formatted(host.words(), plain(said.error())));
      }
      return new HostCheck(
          host,
          facts,
          clock(facts.get("epoch"), before, after),
          Map.of(),
          errors(host, facts),
          warnings(host, facts));
    } catch (WorkerException failure) {
      return unreached(host, failure.sentence());
    }
  }

  private static HostCheck unreached(Host host, String sentence) {
    return new HostCheck(host, Map.of(), Optional.empty(), Map.of(), List.of(sentence), List.of());
  }

  private static String plain(String error) {
    return error.isEmpty() ? "its shell said nothing" : error.replaceFirst("\\.$", "");
  }

  private static double now() {
    Instant now = Instant.now();
    return now.getEpochSecond() + now.getNano() / 1e9;
  }

  static Map<String, String> facts(String output) {
    Map<String, String> facts = new TreeMap<>();
    output
        .lines()
        .filter(line -> line.indexOf('=') > 0)
        .forEach(
            line -> {
              int at = line.indexOf('=');
              String value = line.substring(at + 1).strip();
              if (!value.isEmpty()) {
                facts.put(line.substring(0, at), value);
              }
            });
    return facts;
  }

  /** The host read its clock at some moment between the two of this machine's. */
  static Optional<Clock> clock(String epoch, double before, double after) {
    return epoch.matches("[0-9]+\\.[0-9]+")
        ? Optional.of(
            new Clock(Double.parseDouble(epoch) - (before + after) / 2, (after - before) / 2))
        : Optional.empty();
  }

  static List<String> errors(Host host, Map<String, String> facts) {
    List<String> errors = new ArrayList<>();
    String on = on(host);
    String system = facts.getOrDefault("system", "");
    int ours = Runtime.version().feature();
    if (host.java().equals(Host.BUNDLED_JAVA)) {
      if (!RuntimeImage.runsOn(system)) {
        errors.add(
            "%s (%s) cannot run the Java runtime of this machine ('java: bundled'): install a JVM of version %d there, and name it with the host's key 'java'."
                .formatted(on, system, ours));
      }
    } else if (!hasOurJava(facts)) {
      errors.add(
          "%s has no JVM of version %d, as here, but '%s': install one, and name it with the host's key 'java'."
              .formatted(on, ours, facts.getOrDefault("java", "")));
    }
    if (!facts.containsKey("writable")) {
      errors.add(
          "%s does not let its user write to %s: name another folder with the host's key 'folder'."
              .formatted(on, host.folder()));
    } else if (number(facts, "disk").orElse(MIN_FREE_KIB) < MIN_FREE_KIB) {
      errors.add(
          "%s has %d MiB left in %s: make room, or name another folder with the host's key 'folder'."
              .formatted(on, number(facts, "disk").orElse(0L) >> 10, host.folder()));
    }
    return errors;
  }

  private static String on(Host host) {
    return host.local() ? "This machine" : "The " + host.words();
  }

  private static boolean hasOurJava(Map<String, String> facts) {
    int ours = Runtime.version().feature();
    String java = facts.getOrDefault("java", "");
    return java.contains("\"" + ours + ".") || java.contains("\"" + ours + "\"");
  }

  /** What a clock that differs means, where its error does not explain it. */
  static void judge(Host host, Clock clock, List<String> errors, List<String> warnings) {
    double least = Math.abs(clock.ahead()) - clock.error();
    if (least > NOTED_CLOCK_SECONDS) {
      String sentence =
          String.format(
              Locale.ROOT,
              "%s has a clock that is %.3f s %s: let it follow a time server (chrony).",
              on(host),
              Math.abs(clock.ahead()),
              clock.ahead() > 0 ? "ahead" : "behind");
      (least > MAX_CLOCK_SECONDS ? errors : warnings).add(sentence);
    }
  }

  static List<String> warnings(Host host, Map<String, String> facts) {
    List<String> warnings = new ArrayList<>();
    String on = host.local() ? "This machine" : "Host " + host.name();
    number(facts, "files")
        .filter(files -> files < MIN_FILES)
        .ifPresent(
            files ->
                warnings.add(
                    "%s lets a process open %d files: raise it (ulimit -n 65536)."
                        .formatted(on, files)));
    number(facts, "swappiness")
        .filter(value -> value > MAX_SWAPPINESS)
        .ifPresent(
            value ->
                warnings.add(
                    "%s may swap memory of processes (vm.swappiness = %d): sysctl -w vm.swappiness=1."
                        .formatted(on, value)));
    if (facts.getOrDefault("huge-pages", "").contains("[always]")) {
      warnings.add(
          "%s makes huge pages unasked, which adds pauses: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled."
              .formatted(on));
    }
    String governor = facts.getOrDefault("governor", "performance");
    if (!governor.equals("performance")) {
      warnings.add(
          "%s changes its clock rate with the load (governor %s): cpupower frequency-set -g performance."
              .formatted(on, governor));
    }
    if (host.java().equals(Host.BUNDLED_JAVA)) {
      warnings.add(
          "%s has no Java of its own, with which its ports would be checked before a run."
              .formatted(on));
    }
    number(facts, "workers")
        .filter(workers -> workers > 0)
        .ifPresent(
            workers ->
                warnings.add(
                    "%s runs %d worker processes of Pyrometer already: wait for that run, or end them (pkill -f io.pyrometer.worker.Worker)."
                        .formatted(on, workers)));
    return warnings;
  }

  private static Optional<Long> number(Map<String, String> facts, String name) {
    return Optional.ofNullable(facts.get(name))
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::parseLong);
  }

  /** Whether its ports can be checked: a host that is sent a runtime may have none yet. */
  public boolean canRunPrograms() {
    return facts.containsKey("writable")
        && hasOurJava(facts)
        && !host.java().equals(Host.BUNDLED_JAVA);
  }

  /** The same, and what is known of it among the others. */
  private HostCheck in(HostNetwork network) {
    List<String> wrong = new ArrayList<>(errors);
    List<String> noted = new ArrayList<>(warnings);
    Optional<Clock> best = network.clock(host).or(() -> clock);
    best.ifPresent(is -> judge(host, is, wrong, noted));
    network.without(host).ifPresent(wrong::add);
    // Servers listen for agents and for one another.
    boolean serves = host.runs().map(Cluster.NODE::equals).orElse(true);
    (serves ? wrong : noted).addAll(network.problems(host));
    return new HostCheck(host, facts, best, network.links(host), wrong, noted);
  }
}
