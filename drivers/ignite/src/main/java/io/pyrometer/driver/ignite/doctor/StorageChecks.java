package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;

/** The write-ahead log and the checkpoints of servers with persistence. */
final class StorageChecks {
  private static final String STORAGE = "io.datastorage.";
  private static final double BUFFER_USED = 0.66;
  private static final double BUSY = 0.8;
  private static final double SLOW_FSYNC_MILLIS = 20;
  private static final int SMALL_SEGMENT = 16 << 20;
  private static final double ROTATION_SECONDS = 10;
  private static final long DEFAULT_BUFFER_LIMIT = 8L << 30;
  private static final String NOT_COUNTED =
      "no server counts its checkpoints and its log (metricsEnabled of the data storage)";

  static final List<Check> ALL =
      List.of(
          ofConfiguration("wal-mode", Check.PERSISTENCE, StorageChecks::mode),
          ofConfiguration("wal-segment-size", Check.PERSISTENCE, StorageChecks::segments),
          ofCluster("wal-fsync-time", Check.PERSISTENCE, StorageChecks::fsync),
          ofCluster("checkpoint-buffer", Check.PERSISTENCE, StorageChecks::buffer),
          ofConfiguration("write-throttling", Check.PERSISTENCE, StorageChecks::throttling),
          ofCluster("checkpoints-without-pause", Check.PERSISTENCE, StorageChecks::checkpoints));

  private StorageChecks() {}

  private static List<Server> persistent(Facts facts) {
    return facts.servers().stream().filter(Server::persistent).toList();
  }

  private static void mode(Facts facts, Result result) {
    for (Server server : persistent(facts)) {
      WALMode mode = server.storage().orElseThrow().getWalMode();
      if (mode == WALMode.FSYNC) {
        result
            .advice("Every write to %s waits until the disk has it.", server.name())
            .evidence("walMode", mode, server.name())
            .cause(
                "FSYNC survives a power failure of all copies at once; LOG_ONLY survives the end of the processes.")
            .action(Needs.SERVERS, "Use LOG_ONLY where backups are on machines of their own.")
            .change("walMode", mode, WALMode.LOG_ONLY)
            .loses("acknowledged writes survive a power failure of all machines")
            .comparison("wal-mode", mode, WALMode.LOG_ONLY, "persistence", "true");
      } else if (mode == WALMode.NONE || mode == WALMode.BACKGROUND) {
        result
            .risk("Acknowledged writes to %s are lost when its process ends.", server.name())
            .evidence("walMode", mode, server.name())
            .cause(
                mode == WALMode.NONE
                    ? "Nothing is logged between checkpoints, and a server that fails in one loses all its data."
                    : "The log is written some time after the write is acknowledged.")
            .action(Needs.SERVERS, "Use LOG_ONLY.")
            .change("walMode", mode, WALMode.LOG_ONLY)
            .comparison("wal-mode", mode, WALMode.LOG_ONLY, "persistence", "true");
      }
    }
  }

  private static void segments(Facts facts, Result result) {
    for (Server server : persistent(facts)) {
      DataStorageConfiguration storage = server.storage().orElseThrow();
      double rate =
          facts.seconds() > 0 ? server.growth(STORAGE + "WalWrittenBytes") / facts.seconds() : 0;
      double seconds = rate > 0 ? storage.getWalSegmentSize() / rate : Double.POSITIVE_INFINITY;
      if (storage.getWalSegmentSize() < SMALL_SEGMENT || seconds < ROTATION_SECONDS) {
        Check.Draft draft =
            result
                .advice("The segments of the write-ahead log of %s are small.", server.name())
                .evidence("walSegmentSize", storage.getWalSegmentSize(), server.name())
                .cause(
                    "Writers wait when a full segment is closed and the next one is not free yet.")
                .action(Needs.SERVERS, "Make them larger.")
                .change(
                    "walSegmentSize",
                    storage.getWalSegmentSize(),
                    Math.max(64 << 20, 4 * storage.getWalSegmentSize()));
        if (rate > 0) {
          draft.impact(0, "a segment lasts %.1f s", seconds);
        }
      }
    }
  }

  private static void fsync(Facts facts, Result result) {
    requireCounts(facts, result);
    for (Server server : persistent(facts)) {
      double number = server.growth(STORAGE + "WalFsyncTimeNum");
      double millis =
          number == 0 ? 0 : server.growth(STORAGE + "WalFsyncTimeDuration") / number / 1e6;
      if (millis > SLOW_FSYNC_MILLIS) {
        result
            .problem(
                "The disk of the write-ahead log of %s takes %.0f ms for an fsync.",
                server.name(), millis)
            .evidence("WalFsyncTimeDuration / WalFsyncTimeNum [ms]", millis, server.name())
            .cause("The disk is slow, or data and log share it.")
            .action(Needs.SERVERS, "Put the log on a disk of its own (walPath, walArchivePath).");
      }
    }
  }

  private static void requireCounts(Facts facts, Result result) {
    if (persistent(facts).stream()
        .anyMatch(
            server ->
                !Boolean.parseBoolean(
                    server.configuration().get("DataStorageConfiguration.MetricsEnabled")))) {
      result.notMade(NOT_COUNTED);
    }
  }

  private static void buffer(Facts facts, Result result) {
    for (Server server : persistent(facts)) {
      for (DataRegionConfiguration region : server.regions()) {
        String metrics = MemoryChecks.metrics(region);
        MemoryChecks.requireCounts(region, result);
        double size = server.last(metrics + ".CheckpointBufferSize").orElse(0);
        double used = size == 0 ? 0 : server.greatest(metrics + ".UsedCheckpointBufferSize") / size;
        double throttled = server.growth(metrics + ".TotalThrottlingTime") / 1e3;
        if (region.isPersistenceEnabled()
            && (used > BUFFER_USED || throttled > 0.01 * facts.seconds())) {
          result
              .problem(
                  "Writers to region '%s' of %s wait for checkpoints.",
                  region.getName(), server.name())
              .evidence("UsedCheckpointBufferSize / CheckpointBufferSize", used, server.name())
              .evidence("TotalThrottlingTime [s]", throttled, server.name())
              .impact(
                  throttled / facts.seconds(),
                  "threads were held for %.1f s in %.0f s, all together",
                  throttled,
                  facts.seconds())
              .cause(
                  "Pages that change while a checkpoint is written are copied into the checkpoint buffer, and it fills up.")
              .action(
                  Needs.SERVERS,
                  "Make the buffer larger, and let writers be slowed down before it is full.")
              .change("checkpointPageBufferSize", (long) size, (long) (2 * size));
        }
      }
    }
  }

  /** Ignite's own buffer is a quarter of the region, and at most 2 GiB from 8 GiB on. */
  private static void throttling(Facts facts, Result result) {
    for (Server server : persistent(facts)) {
      DataStorageConfiguration storage = server.storage().orElseThrow();
      for (DataRegionConfiguration region : server.regions()) {
        long buffer = region.getCheckpointPageBufferSize();
        boolean small =
            buffer > 0 && buffer < Math.min(region.getMaxSize(), DEFAULT_BUFFER_LIMIT) / 8;
        if (region.isPersistenceEnabled() && small && !storage.isWriteThrottlingEnabled()) {
          result
              .risk(
                  "All writers to region '%s' of %s stop when its checkpoint buffer is full.",
                  region.getName(), server.name())
              .evidence("checkpointPageBufferSize", buffer, server.name())
              .evidence("writeThrottlingEnabled", false, server.name())
              .cause(
                  "The buffer is less than an eighth of the region, and nothing slows writers down before it is full.")
              .action(
                  Needs.SERVERS,
                  "Make the buffer a quarter of the region, and enable write throttling.")
              .change("checkpointPageBufferSize", buffer, region.getMaxSize() / 4)
              .change("writeThrottlingEnabled", false, true);
        }
      }
    }
  }

  private static void checkpoints(Facts facts, Result result) {
    requireCounts(facts, result);
    for (Server server : persistent(facts)) {
      long frequency = server.storage().orElseThrow().getCheckpointFrequency();
      double last = server.last(STORAGE + "LastCheckpointDuration").orElse(0);
      if (last > BUSY * frequency) {
        result
            .problem("%s writes checkpoints almost without a pause.", server.name())
            .evidence("LastCheckpointDuration [ms]", last, server.name())
            .evidence("checkpointFrequency [ms]", frequency, server.name())
            .impact(
                Math.min(1, last / frequency),
                "a checkpoint takes %.0f %% of the time between two",
                100 * last / frequency)
            .cause("The disk is too slow for the rate of changes, or checkpoints are too frequent.")
            .action(
                Needs.SERVERS,
                "Write checkpoints less often, with more threads, or on a faster disk.")
            .change("checkpointFrequency", frequency, 3 * frequency);
      }
    }
  }
}
