package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.MachineReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.ignite.cluster.ClusterNode;

/**
 * The CPUs of this machine, as Linux counts them in {@code /proc}: how much of them the grid and
 * its clients had, how much others, and how much was free.
 */
final class HostCpu {
  private static final String ESTABLISHED = "01";
  private static final double TICKS_A_SECOND = 100;

  /**
   * For each second of CPU time, seconds in which the grid's threads waited for a CPU; niced
   * processes give way where they waited less, which groups of control may prevent.
   */
  private static final double MOST_WAITED = 0.5;

  private final Set<ProcessHandle> own = new HashSet<>();
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
   * Seconds of the machine's CPUs and of the own processes, and for how long these waited for one.
   */
  private record Sample(
      double free,
      double used,
      double niced,
      double stolen,
      double all,
      double own,
      double waited,
      double runnable) {}

  HostCpu(Collection<ClusterNode> nodes) {
    for (ClusterNode node : nodes) {
      ServerWatch.processHere(node).ifPresent(own::add);
      if (node.<Object>attribute("clientListenerPort") instanceof Integer port) {
        ports.add(port);
      }
    }
  }

  /** Reads the counters; does nothing where no node is on this machine, or it has no Linux. */
  void sample() {
    List<String> lines = MachineReading.lines("/proc/stat");
    if (own.isEmpty() || lines.isEmpty()) {
      return;
    }
    addThinClients();
    double[] seconds =
        Stream.of(lines.get(0).split(" +", -1))
            .skip(1)
            .mapToDouble(ticks -> Long.parseLong(ticks) / TICKS_A_SECOND)
            .toArray();
    samples.add(
        new Sample(
            seconds[3] + seconds[4],
            seconds[0] + seconds[2],
            seconds[1],
            seconds[7],
            DoubleStream.of(seconds).limit(8).sum(),
            own.stream().mapToDouble(HostCpu::used).sum(),
            own.stream().mapToDouble(HostCpu::waited).sum(),
            lines.stream()
                .filter(line -> line.startsWith("procs_running"))
                .mapToDouble(line -> Double.parseDouble(line.replaceFirst("\\S+ ", "")))
                .sum()));
  }

  Optional<Use> use() {
    if (samples.size() < 2) {
      return Optional.empty();
    }
    Sample first = samples.get(0);
    Sample last = samples.get(samples.size() - 1);
    double all = Math.max(1 / TICKS_A_SECOND, last.all - first.all);
    double used = last.own - first.own;
    double niced = last.niced - first.niced;
    boolean giveWay = last.waited - first.waited < MOST_WAITED * used;
    return Optional.of(
        new Use(
            (last.free - first.free + (giveWay ? niced : 0)) / all,
            Math.max(0, last.used - first.used + (giveWay ? 0 : niced) - used) / all,
            (last.stolen - first.stolen) / all,
            samples.stream().mapToDouble(Sample::runnable).average().orElse(0)));
  }

  /** CPU time of a process; of one that has ended, none. */
  private static double used(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  /** How long the threads of a process have waited for a CPU, in seconds; 0 where it is unknown. */
  private static double waited(ProcessHandle process) {
    return files("/proc/" + process.pid() + "/task").stream()
        .flatMap(thread -> MachineReading.lines(thread + "/schedstat").stream())
        .mapToDouble(nanos -> Double.parseDouble(nanos.split(" ", -1)[1]) / 1e9)
        .sum();
  }

  /** Adds the processes here with a connection to a client connector of the grid. */
  private void addThinClients() {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : MachineReading.lines(table)) {
        String[] fields = line.strip().split(" +", -1);
        if (fields[3].equals(ESTABLISHED)
            && ports.contains(Integer.parseInt(fields[2].replaceFirst(".*:", ""), 16))) {
          sockets.add("socket:[" + fields[9] + "]");
        }
      }
    }
    if (!sockets.isEmpty()) {
      ProcessHandle.allProcesses()
          .filter(
              process ->
                  files("/proc/" + process.pid() + "/fd").stream()
                      .anyMatch(file -> sockets.contains(target(file))))
          .forEach(own::add);
    }
  }

  /** The files of a folder; none of a process that has ended, or is another user's. */
  private static List<Path> files(String folder) {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.toList();
    } catch (IOException | UncheckedIOException unknown) {
      return List.of();
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
