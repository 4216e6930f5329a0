package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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
  private static final long POLL_MILLIS = 500;
  private static final long FLUSH_SECONDS = 20;

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
    List<ClusterNode> here = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    for (ClusterNode node : ignite.cluster().nodes()) {
      if (ServerWatch.isHere(node)) {
        here.add(node);
      } else if (!node.isClient()) {
        elsewhere.add(Observation.name(node));
      }
    }
    here.removeIf(ClusterNode::isLocal);
    Map<ClusterNode, Path> folders = folders(here);
    Map<Path, Long> before = sizes(folders);
    start();
    try {
      TimeUnit.MILLISECONDS.sleep(length.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new GridException("The recording was interrupted.", interrupted);
    } finally {
      close();
    }
    Map<Path, Long> after = awaitWritten(folders);
    after.keySet().removeIf(file -> after.get(file).equals(before.get(file)));
    if (after.isEmpty()) {
      throw GridException.of(
          "The statistics are on other machines: copy work/%s/node-*.prf of each node into a folder, and name that.",
          FOLDER);
    }
    copy(after.keySet(), to);
    HealthReport report = Doctor.examineStatistics(to);
    return elsewhere.isEmpty()
        ? report
        : report.with(
            report.tables(),
            Map.of(
                StatisticsFiles.UNREAD,
                new Unjudged("remote-files", Map.of("servers", Value.names(elsewhere)))));
  }

  private synchronized void start() {
    ours =
        tell(new PerformanceStatisticsStatusCommandArg())
            .equals(PerformanceStatisticsTask.STATUS_DISABLED);
    if (ours) {
      String unused = tell(new PerformanceStatisticsStartCommandArg());
    }
  }

  /** Stops the recording that this one started; does nothing otherwise, and the second time. */
  @Override
  public synchronized void close() {
    if (ours) {
      ours = false;
      String unused = tell(new PerformanceStatisticsStopCommandArg());
    }
  }

  /** As {@code control.sh --performance-statistics} does. */
  private String tell(IgniteDataTransferObject command) {
    ClusterNode server = ignite.cluster().forServers().forRandom().node();
    try {
      return ignite
          .compute(ignite.cluster().forNode(server))
          .execute(
              PerformanceStatisticsTask.class,
              new VisorTaskArgument<>(server.id(), command, false))
          .result();
    } catch (Exception refused) {
      throw GridException.of(
          "The cluster refused to record performance statistics: %s.",
          GridException.cause(refused), refused);
    }
  }

  private Map<ClusterNode, Path> folders(List<ClusterNode> nodes) {
    Map<ClusterNode, Path> folders = new LinkedHashMap<>();
    for (ClusterNode node : nodes) {
      try {
        for (Row row : Observation.rows(ignite, "configuration", List.of(node))) {
          if (row.get("name").equals("WorkDirectory")) {
            folders.put(node, Path.of(row.get("value"), FOLDER));
          }
        }
      } catch (IgniteException silentClient) {
        // Its files are not read.
      }
    }
    return folders;
  }

  /** Sizes of the files of these nodes. */
  private static Map<Path, Long> sizes(Map<ClusterNode, Path> folders) {
    Map<Path, Long> sizes = new TreeMap<>();
    folders.forEach(
        (node, folder) -> {
          if (Files.isDirectory(folder)) {
            for (Path file : StatisticsFiles.names(folder)) {
              if (String.valueOf(file.getFileName()).contains(node.id().toString())) {
                sizes.put(file, size(file));
              }
            }
          }
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

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Nodes write the rest of their records after the stop: waits until the sizes do not change. */
  private static Map<Path, Long> awaitWritten(Map<ClusterNode, Path> folders) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FLUSH_SECONDS);
    Map<Path, Long> last = Map.of();
    Map<Path, Long> now = sizes(folders);
    while (!now.equals(last) && System.nanoTime() < end) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return now;
      }
      last = now;
      now = sizes(folders);
    }
    return now;
  }
}
