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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.cluster.ClusterNode;

/**
 * The CPUs of this machine, as Linux counts them in {@code /proc}: how much of them the grid and
 * its clients had, how much others, and how much was free.
 */
final class HostCpu {
  private static final double TICKS_A_SECOND = 100;

  // Times in a line of /proc/stat; guest times, which follow steal, are part of user time.
  private static final int USER = 0;
  private static final int NICE = 1;
  private static final int SYSTEM = 2;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

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
   * Seconds of the machine's CPUs by what they did, those of the own processes, and for how long
   * these waited for a CPU.
   */
  private record Sample(List<Double> cpus, double own, double waited, double runnable) {}

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
    samples.add(
        new Sample(
            Stream.of(lines.get(0).split(" +", -1))
                .skip(1)
                .map(ticks -> Long.parseLong(ticks) / TICKS_A_SECOND)
                .toList(),
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
    double all =
        Math.max(
            1 / TICKS_A_SECOND, IntStream.rangeClosed(0, STEAL).mapToDouble(this::spent).sum());
    double used = last.own - first.own;
    // Niced processes give way, which groups of control may prevent, where the grid's threads
    // waited for a CPU for less than half a second for each second of CPU time.
    boolean giveWay = last.waited - first.waited < 0.5 * used;
    double niced = spent(NICE);
    double free = spent(IDLE) + spent(IO_WAIT) + (giveWay ? niced : 0);
    double others = spent(USER) + spent(SYSTEM) + (giveWay ? 0 : niced) - used;
    return Optional.of(
        new Use(
            free / all,
            Math.max(0, others) / all,
            spent(STEAL) / all,
            samples.stream().mapToDouble(Sample::runnable).average().orElse(0)));
  }

  /** Seconds that the CPUs spent on something during the observation. */
  private double spent(int kind) {
    return samples.get(samples.size() - 1).cpus.get(kind) - samples.get(0).cpus.get(kind);
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
        if (fields[3].equals("01") // established
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
