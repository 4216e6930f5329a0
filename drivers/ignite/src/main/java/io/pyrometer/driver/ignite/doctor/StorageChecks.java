package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;
import static io.pyrometer.driver.ignite.doctor.Check.persistent;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.message.Value;
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

  static final List<Check> ALL =
      List.of(
          ofConfiguration("wal-mode", Check.PERSISTENCE, persistent(StorageChecks::mode)),
          ofConfiguration(
              "wal-segment-size", Check.PERSISTENCE, persistent(StorageChecks::segments)),
          ofCluster("wal-fsync-time", Check.PERSISTENCE, persistent(StorageChecks::fsync)),
          ofCluster("checkpoint-buffer", Check.PERSISTENCE, persistent(StorageChecks::buffer)),
          ofConfiguration(
              "write-throttling", Check.PERSISTENCE, persistent(StorageChecks::throttling)),
          ofCluster(
              "checkpoints-without-pause",
              Check.PERSISTENCE,
              persistent(StorageChecks::checkpoints)));

  private StorageChecks() {}

  private static void mode(Facts facts, Server server, Result result) {
    WALMode mode = server.storage().orElseThrow().getWalMode();
    if (mode == WALMode.FSYNC) {
      logOnly(server, mode, result.advice());
    } else if (mode == WALMode.NONE || mode == WALMode.BACKGROUND) {
      logOnly(server, mode, mode == WALMode.NONE ? result.risk("none") : result.risk("background"));
    }
  }

  private static void logOnly(Server server, WALMode mode, Check.Draft draft) {
    draft
        .of(server)
        .evidence("walMode", mode)
        .change(Needs.SERVERS, "walMode", mode, WALMode.LOG_ONLY)
        .comparison("wal-mode", mode, WALMode.LOG_ONLY, "persistence", "true");
  }

  private static void segments(Facts facts, Server server, Result result) {
    DataStorageConfiguration storage = server.storage().orElseThrow();
    double rate =
        facts.seconds() > 0 ? server.growth(STORAGE + "WalWrittenBytes") / facts.seconds() : 0;
    double seconds = rate > 0 ? storage.getWalSegmentSize() / rate : Double.POSITIVE_INFINITY;
    if (storage.getWalSegmentSize() < SMALL_SEGMENT || seconds < ROTATION_SECONDS) {
      Check.Draft draft =
          result
              .advice()
              .of(server)
              .evidence("walSegmentSize", storage.getWalSegmentSize())
              .change(
                  Needs.SERVERS,
                  "walSegmentSize",
                  storage.getWalSegmentSize(),
                  Math.max(64 << 20, 4 * storage.getWalSegmentSize()));
      if (rate > 0) {
        draft.with("lasts", Value.seconds(seconds));
      }
    }
  }

  private static void fsync(Facts facts, Server server, Result result) {
    requireCounts(server, result);
    double number = server.growth(STORAGE + "WalFsyncTimeNum");
    double millis =
        number == 0 ? 0 : server.growth(STORAGE + "WalFsyncTimeDuration") / number / 1e6;
    if (millis > SLOW_FSYNC_MILLIS) {
      result
          .problem()
          .with("fsync", Value.seconds(millis / 1e3))
          .of(server)
          .evidence("WalFsyncTimeDuration / WalFsyncTimeNum [ms]", millis)
          .needs(Needs.SERVERS);
    }
  }

  private static void requireCounts(Server server, Result result) {
    if (!Boolean.parseBoolean(
        server.configuration().get("DataStorageConfiguration.MetricsEnabled"))) {
      result.unjudged("storage-metrics");
    }
  }

  private static void buffer(Facts facts, Server server, Result result) {
    for (DataRegionConfiguration region : server.regions()) {
      String metrics = MemoryChecks.metrics(region);
      MemoryChecks.requireCounts(region, result);
      double size = server.last(metrics + ".CheckpointBufferSize").orElse(0);
      double used = size == 0 ? 0 : server.greatest(metrics + ".UsedCheckpointBufferSize") / size;
      double throttled = server.growth(metrics + ".TotalThrottlingTime") / 1e3;
      if (region.isPersistenceEnabled()
          && (used > BUFFER_USED || throttled > 0.01 * facts.seconds())) {
        result
            .problem()
            .apart("region", region.getName())
            .with("held", Value.seconds(throttled))
            .with("observed", Value.seconds(facts.seconds()))
            .of(server)
            .evidence("UsedCheckpointBufferSize / CheckpointBufferSize", used)
            .evidence("TotalThrottlingTime [s]", throttled)
            .costs(throttled / facts.seconds())
            .change(Needs.SERVERS, "checkpointPageBufferSize", (long) size, (long) (2 * size));
      }
    }
  }

  /** Ignite's own buffer is a quarter of the region, and at most 2 GiB from 8 GiB on. */
  private static void throttling(Facts facts, Server server, Result result) {
    DataStorageConfiguration storage = server.storage().orElseThrow();
    for (DataRegionConfiguration region : server.regions()) {
      long buffer = region.getCheckpointPageBufferSize();
      boolean small =
          buffer > 0 && buffer < Math.min(region.getMaxSize(), DEFAULT_BUFFER_LIMIT) / 8;
      if (region.isPersistenceEnabled() && small && !storage.isWriteThrottlingEnabled()) {
        result
            .risk()
            .apart("region", region.getName())
            .of(server)
            .evidence("checkpointPageBufferSize", buffer)
            .evidence("writeThrottlingEnabled", false)
            .change(Needs.SERVERS, "checkpointPageBufferSize", buffer, region.getMaxSize() / 4)
            .change("writeThrottlingEnabled", false, true);
      }
    }
  }

  private static void checkpoints(Facts facts, Server server, Result result) {
    requireCounts(server, result);
    long frequency = server.storage().orElseThrow().getCheckpointFrequency();
    double last = server.last(STORAGE + "LastCheckpointDuration").orElse(0);
    if (last > BUSY * frequency) {
      result
          .problem()
          .costs("share", last / frequency)
          .of(server)
          .evidence("LastCheckpointDuration [ms]", last)
          .evidence("checkpointFrequency [ms]", frequency)
          .change(Needs.SERVERS, "checkpointFrequency", frequency, 3 * frequency);
    }
  }
}
