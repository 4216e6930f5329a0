package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.node.ServerWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ignite.cluster.ClusterNode;

/**
 * The CPUs of this machine, as Linux counts them in {@code /proc}: how much of them the grid and
 * its clients had, how much others, and how much was free.
 */
final class HostCpu {
  private static final Path PROC = Path.of("/proc");
  private static final String ESTABLISHED = "01";
  private static final double TICKS_A_SECOND = 100;

  /**
   * For each second of CPU time, seconds in which the grid's threads waited for a CPU; niced
   * processes give way where they waited less, which groups of control may prevent.
   */
  private static final double MOST_WAITED = 0.5;

  private final Set<Long> own = new HashSet<>();
  private final Set<Integer> ports = new HashSet<>();
  private final List<Sample> samples = new ArrayList<>();

  /**
   * Shares of all CPUs during the observation, 0 to 1.
   *
   * @param others of processes that neither belong to the grid nor talk with its client connectors
   * @param stolen by the hypervisor
   * @param runnable threads that run or wait for a CPU, mean of the samples
   */
  record Use(double free, double others, double stolen, double runnable) {}

  /**
   * Ticks of the machine's CPUs and of the own processes, and for how long these waited for one.
   */
  private record Sample(
      long free,
      long used,
      long niced,
      long stolen,
      long all,
      long own,
      double waitedSeconds,
      double runnable) {}

  HostCpu(Collection<ClusterNode> nodes) {
    for (ClusterNode node : nodes) {
      ServerWatch.processHere(node).map(ProcessHandle::pid).ifPresent(own::add);
      if (node.<Object>attribute("clientListenerPort") instanceof Integer port) {
        ports.add(port);
      }
    }
  }

  /** Reads the counters; does nothing where no node is on this machine, or it has no Linux. */
  void sample() {
    if (own.isEmpty()) {
      return;
    }
    try {
      own.addAll(thinClients());
      List<String> lines = Files.readAllLines(PROC.resolve("stat"));
      long[] ticks =
          Stream.of(lines.get(0).split(" +", -1)).skip(1).mapToLong(Long::parseLong).toArray();
      double runnable =
          lines.stream()
              .filter(line -> line.startsWith("procs_running"))
              .mapToDouble(line -> Double.parseDouble(line.replaceFirst("\\S+ ", "")))
              .sum();
      samples.add(
          new Sample(
              ticks[3] + ticks[4],
              ticks[0] + ticks[2],
              ticks[1],
              ticks[7],
              LongStream.of(ticks).limit(8).sum(),
              own.stream().mapToLong(HostCpu::ticks).sum(),
              own.stream().mapToDouble(HostCpu::waited).sum(),
              runnable));
    } catch (IOException | RuntimeException unknown) {
      samples.clear();
    }
  }

  Optional<Use> use() {
    if (samples.size() < 2) {
      return Optional.empty();
    }
    Sample first = samples.get(0);
    Sample last = samples.get(samples.size() - 1);
    double all = Math.max(1, last.all - first.all);
    double own = last.own - first.own;
    double niced = last.niced - first.niced;
    boolean giveWay = last.waitedSeconds - first.waitedSeconds < MOST_WAITED * own / TICKS_A_SECOND;
    return Optional.of(
        new Use(
            (last.free - first.free + (giveWay ? niced : 0)) / all,
            Math.max(0, last.used - first.used + (giveWay ? 0 : niced) - own) / all,
            (last.stolen - first.stolen) / all,
            samples.stream().mapToDouble(Sample::runnable).average().orElse(0)));
  }

  /** User and system time; of a process that has ended, none. */
  private static long ticks(long process) {
    try {
      String stat = Files.readString(PROC.resolve(process + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException ended) {
      return 0;
    }
  }

  /** How long the threads of a process have waited for a CPU, in seconds; 0 where it is unknown. */
  private static double waited(long process) {
    try (Stream<Path> threads = Files.list(PROC.resolve(process + "/task"))) {
      return threads.mapToDouble(HostCpu::waitedOf).sum();
    } catch (IOException | UncheckedIOException ended) {
      return 0;
    }
  }

  private static double waitedOf(Path thread) {
    try {
      String[] nanos = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
      return Double.parseDouble(nanos[1]) / 1e9;
    } catch (IOException ended) {
      return 0;
    }
  }

  /** The processes here with a connection to a client connector of the grid. */
  private Set<Long> thinClients() throws IOException {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(PROC.resolve(table))) {
        String[] fields = line.strip().split(" +", -1);
        if (fields[3].equals(ESTABLISHED)
            && ports.contains(Integer.parseInt(fields[2].replaceFirst(".*:", ""), 16))) {
          sockets.add("socket:[" + fields[9] + "]");
        }
      }
    }
    if (sockets.isEmpty()) {
      return Set.of();
    }
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      return processes
          .map(ProcessHandle::pid)
          .filter(process -> holds(process, sockets))
          .collect(Collectors.toSet());
    }
  }

  private static boolean holds(long process, Set<String> sockets) {
    try (Stream<Path> files = Files.list(PROC.resolve(process + "/fd"))) {
      return files.anyMatch(file -> sockets.contains(target(file)));
    } catch (IOException | UncheckedIOException ofOthers) {
      return false;
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
