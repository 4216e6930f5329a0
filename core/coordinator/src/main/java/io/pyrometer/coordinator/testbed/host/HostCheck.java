package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Everything that can be seen of a host before a run, and what is wrong with it. All hosts are
 * asked at once.
 *
 * @param facts what the host said of itself, by name; empty where it was not reached
 * @param clock by how much its clock is ahead of this machine's; empty where that is not known
 * @param roundTrips mean round trip to the address of each other host in milliseconds, by its name;
 *     without those that do not answer
 * @param errors sentences about what a run fails for
 * @param warnings sentences about what makes its figures worse
 */
public record HostCheck(
    Host host,
    Map<String, String> facts,
    Optional<Clock> clock,
    Map<String, Double> roundTrips,
    List<String> errors,
    List<String> warnings) {

  /** The clock's lead lies within {@code ahead} ± {@code error}, in seconds. */
  public record Clock(double ahead, double error) {}

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long MIN_FREE_KIB = 300 << 10;
  private static final double MAX_CLOCK_SECONDS = 1;
  private static final int MIN_FILES = 4_096;
  private static final int MAX_SWAPPINESS = 10;
  private static final Pattern MEAN = Pattern.compile("= [0-9.]+/([0-9.]+)/");

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
    roundTrips = Map.copyOf(roundTrips);
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /** Checks all hosts, in their order. */
  public static List<HostCheck> of(List<Host> hosts) {
    ExecutorService each = Executors.newFixedThreadPool(Math.max(1, hosts.size()));
    try {
      Path script = Files.createTempFile("pyrometer-hosts", ".sh");
      try {
        Files.writeString(script, SCRIPT);
        List<HostCheck> alone = all(hosts, host -> alone(host, script), each);
        return all(alone, check -> check.among(alone), each);
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
        : of(hosts).stream().flatMap(check -> check.errors().stream()).toList();
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
      Optional<Clock> clock = clock(facts.get("epoch"), before, after);
      return new HostCheck(
          host, facts, clock, Map.of(), errors(host, facts, clock), warnings(host, facts));
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

  static List<String> errors(Host host, Map<String, String> facts, Optional<Clock> clock) {
    List<String> errors = new ArrayList<>();
    String on = host.local() ? "This machine" : "The " + host.words();
    String java = facts.getOrDefault("java", "");
    String system = facts.getOrDefault("system", "");
    int ours = Runtime.version().feature();
    if (host.java().equals(Host.BUNDLED_JAVA)) {
      if (!RuntimeImage.runsOn(system)) {
        errors.add(
            "%s (%s) cannot run the Java runtime of this machine ('java: bundled'): install a JVM of version %d there, and name it with the host's key 'java'."
                .formatted(on, system, ours));
      }
    } else if (!java.contains("\"" + ours + ".") && !java.contains("\"" + ours + "\"")) {
      errors.add(
          "%s has no JVM of version %d, as here, but '%s': install one, and name it with the host's key 'java'."
              .formatted(on, ours, java));
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
    clock
        .filter(is -> Math.abs(is.ahead()) - is.error() > MAX_CLOCK_SECONDS)
        .ifPresent(
            is ->
                errors.add(
                    String.format(
                        Locale.ROOT,
                        "%s has a clock that is %.1f s %s: let it follow a time server (chrony).",
                        on,
                        Math.abs(is.ahead()),
                        is.ahead() > 0 ? "ahead" : "behind")));
    return errors;
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

  /** The same, and the round trips from here to all others. */
  private HostCheck among(List<HostCheck> all) {
    if (facts.isEmpty()) {
      return this;
    }
    Map<String, Double> trips = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    for (HostCheck other : all) {
      if (!other.host.equals(host) && !other.facts.isEmpty()) {
        roundTrip(other.host.address())
            .ifPresentOrElse(
                millis -> trips.put(other.host.name(), millis),
                () -> silent.add(other.host.name()));
      }
    }
    List<String> more = new ArrayList<>(warnings);
    if (!silent.isEmpty()) {
      more.add(
          "From %s no answer to ping comes from %s: see that each 'address' is one that the others reach, and that no firewall lies between (or ping is missing)."
              .formatted(host.name(), String.join(", ", silent)));
    }
    return new HostCheck(host, facts, clock, trips, errors, more);
  }

  private Optional<Double> roundTrip(String address) {
    try {
      RemoteShell.Ended said =
          new RemoteShell(host).run(PATIENCE, "ping", "-n", "-q", "-c", "3", "-i", "0.2", address);
      Matcher mean = MEAN.matcher(said.output());
      return said.code() == 0 && mean.find()
          ? Optional.of(Double.parseDouble(mean.group(1)))
          : Optional.empty();
    } catch (WorkerException noPing) {
      return Optional.empty();
    }
  }
}
