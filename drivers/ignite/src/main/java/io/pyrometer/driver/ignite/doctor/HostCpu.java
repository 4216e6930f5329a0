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

  private record Sample(long free, long used, long stolen, long all, long own, double runnable) {}

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
              ticks[1] + ticks[3] + ticks[4], // niced processes give way
              ticks[0] + ticks[2],
              ticks[7],
              LongStream.of(ticks).limit(8).sum(),
              own.stream().mapToLong(HostCpu::ticks).sum(),
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
    return Optional.of(
        new Use(
            (last.free - first.free) / all,
            Math.max(0, last.used - first.used - (last.own - first.own)) / all,
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
