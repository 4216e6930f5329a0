package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.dto.IgniteDataTransferObject;
import org.apache.ignite.internal.management.performancestatistics.PerformanceStatisticsCommand.PerformanceStatisticsStartCommandArg;
import org.apache.ignite.internal.management.performancestatistics.PerformanceStatisticsCommand.PerformanceStatisticsStatusCommandArg;
import org.apache.ignite.internal.management.performancestatistics.PerformanceStatisticsCommand.PerformanceStatisticsStopCommandArg;
import org.apache.ignite.internal.management.performancestatistics.PerformanceStatisticsTask;
import org.apache.ignite.internal.visor.VisorTaskArgument;

/**
 * A recording of performance statistics by all nodes of a cluster. It is stopped however the
 * observation ends, unless somebody else had started it.
 */
public final class StatisticsRecording implements AutoCloseable {
  private static final String FOLDER = "perf_stat";
  private static final Duration FLUSH = Duration.ofSeconds(20);
  private static final long UNCHANGED_MILLIS = 500;

  private final Ignite ignite;
  private boolean ours;

  public StatisticsRecording(ClientNode client) {
    this.ignite = client.ignite();
  }

  /**
   * Records for a while, then copies the files of the nodes on this machine and examines them.
   *
   * @param to the folder for the copies
   * @throws GridException with one sentence if the cluster does not answer, or all its nodes are on
   *     other machines
   */
  public HealthReport examine(Duration length, Path to) {
    Map<ClusterNode, Path> folders = new LinkedHashMap<>();
    List<String> elsewhere = new ArrayList<>();
    for (ClusterNode node : ignite.cluster().forRemotes().nodes()) {
      folder(node)
          .ifPresentOrElse(
              folder -> folders.put(node, folder), () -> elsewhere.add(Observation.name(node)));
    }
    Map<Path, Long> before = sizes(folders);
    boolean started = start();
    try {
      Observation.sleep(length.toMillis());
    } finally {
      close();
    }
    Map<Path, Long> after = started ? written(folders) : sizes(folders);
    if (started) {
      after.keySet().removeAll(before.keySet());
    }
    if (after.isEmpty()) {
      throw GridException.of(
          "The statistics are on other machines: copy work/%s/node-*.prf of each node into a"
              + " folder, and name that.",
          FOLDER);
    }
    copy(after.keySet(), to);
    Map<String, Unjudged> limits = new TreeMap<>();
    if (!elsewhere.isEmpty()) {
      Map<String, Value> nodes = Map.of("nodes", Value.names(elsewhere));
      limits.put("statistics-of-others", new Unjudged("remote-files", nodes));
    }
    if (!started) {
      limits.put("statistics-from-before", new Unjudged("earlier-recording", Map.of()));
    }
    HealthReport report = Doctor.examineStatistics(to);
    return report.with(report.tables(), limits);
  }

  /** Starts the recording; false if it is on already. */
  private synchronized boolean start() {
    ours = !isRecording(server());
    if (ours) {
      String unused = tell(server(), new PerformanceStatisticsStartCommandArg());
    }
    return ours;
  }

  private boolean isRecording(ClusterNode node) {
    return tell(node, new PerformanceStatisticsStatusCommandArg())
        .equals(PerformanceStatisticsTask.STATUS_ENABLED);
  }

  private ClusterNode server() {
    return ignite.cluster().forServers().forOldest().node();
  }

  /** Stops the recording that this one started; does nothing otherwise, and the second time. */
  @Override
  public synchronized void close() {
    if (ours) {
      String unused = tell(server(), new PerformanceStatisticsStopCommandArg());
      ours = false;
    }
  }

  /** As {@code control.sh --performance-statistics} does. */
  private String tell(ClusterNode node, IgniteDataTransferObject command) {
    try {
      return ignite
          .compute(ignite.cluster().forNode(node))
          .execute(
              PerformanceStatisticsTask.class, new VisorTaskArgument<>(node.id(), command, false))
          .result();
    } catch (Exception refused) {
      throw GridException.of(
          "The cluster refused to record performance statistics: %s.",
          GridException.cause(refused), refused);
    }
  }

  /** The folder of a node's statistics; empty elsewhere, and if the node does not answer. */
  private Optional<Path> folder(ClusterNode node) {
    if (!ServerWatch.isHere(node)) {
      return Optional.empty();
    }
    try {
      return Observation.rows(ignite, "configuration", List.of(node)).stream()
          .filter(row -> row.get("name").equals("WorkDirectory"))
          .map(row -> Path.of(row.get("value"), FOLDER))
          .findFirst();
    } catch (IgniteException silent) {
      return Optional.empty();
    }
  }

  /** Sizes of the files of these nodes. */
  private static Map<Path, Long> sizes(Map<ClusterNode, Path> folders) {
    Map<Path, Long> sizes = new TreeMap<>();
    folders.forEach(
        (node, folder) -> {
          List<Path> files =
              Files.isDirectory(folder) ? PerformanceStatistics.files(folder) : List.of();
          files.stream()
              .filter(file -> PerformanceStatistics.name(file).contains(node.id().toString()))
              .forEach(file -> sizes.put(file, file.toFile().length()));
        });
    return sizes;
  }

  private static void copy(Collection<Path> files, Path to) {
    try {
      Files.createDirectories(to);
      for (Path file : files) {
        Path unused = Files.copy(file, to.resolve(file.getFileName()));
      }
    } catch (IOException failure) {
      throw GridException.of("The statistics could not be copied to '%s'.", to, failure);
    }
  }

  /** Nodes write their records after the stop: waits until the sizes of files do not change. */
  private Map<Path, Long> written(Map<ClusterNode, Path> folders) {
    boolean unused =
        Poll.until(FLUSH, () -> folders.keySet().stream().noneMatch(this::isRecording));
    Map<Path, Long> last = Map.of();
    Map<Path, Long> now = sizes(folders);
    while (!now.equals(last)) {
      Observation.sleep(UNCHANGED_MILLIS);
      last = now;
      now = sizes(folders);
    }
    return now;
  }
}
