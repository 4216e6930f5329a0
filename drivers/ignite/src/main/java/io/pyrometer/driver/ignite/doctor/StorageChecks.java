package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.persistent;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Locale;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;

/** The write-ahead log and the checkpoints of servers with persistence. */
final class StorageChecks {
  private static final String STORAGE = "io.datastorage.";
  private static final double BUFFER_USED = 0.66;
  private static final double BUSY = 0.8;
  private static final double SLOW_FSYNC_MILLIS = 20;
  private static final int DUMPS = 3;
  private static final int SMALL_SEGMENT = 16 << 20;
  private static final double ROTATION_SECONDS = 10;
  private static final long DEFAULT_BUFFER_LIMIT = 8L << 30;

  static final List<Check> ALL =
      List.of(
          Check.of("wal-mode", persistent(StorageChecks::mode)),
          Check.of("wal-segment-size", persistent(StorageChecks::segments)),
          Check.of("wal-fsync-time", persistent(StorageChecks::fsync)),
          Check.of("checkpoint-buffer", persistent(StorageChecks::buffer)),
          Check.of("write-throttling", persistent(StorageChecks::throttling)),
          Check.of("checkpoints-without-pause", persistent(StorageChecks::checkpoints)));

  private StorageChecks() {}

  private static void mode(Facts facts, Server server, Result result) {
    WALMode mode = server.storage().orElseThrow().getWalMode();
    if (mode != WALMode.LOG_ONLY) {
      boolean loses = mode == WALMode.BACKGROUND || mode == WALMode.NONE;
      result.found(loses ? mode.name().toLowerCase(Locale.ROOT) : "");
    }
  }

  private static void segments(Facts facts, Server server, Result result) {
    DataStorageConfiguration storage = server.storage().orElseThrow();
    double rate =
        facts.seconds() > 0 ? server.growth(STORAGE + "WalWrittenBytes") / facts.seconds() : 0;
    double seconds = rate > 0 ? storage.getWalSegmentSize() / rate : Double.POSITIVE_INFINITY;
    if (storage.getWalSegmentSize() < SMALL_SEGMENT || seconds < ROTATION_SECONDS) {
      Check.Draft draft =
          result
              .found()
              .change(
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
    // Both are of the last minutes; the time is in microseconds.
    double number = server.last(STORAGE + "WalFsyncTimeNum");
    double millis = number == 0 ? 0 : server.last(STORAGE + "WalFsyncTimeDuration") / number / 1e3;
    if (millis > SLOW_FSYNC_MILLIS) {
      result
          .found()
          .with("fsync", Value.seconds(millis / 1e3))
          .evidence("WalFsyncTimeDuration / WalFsyncTimeNum [ms]", millis);
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
      double size = server.last(metrics + ".CheckpointBufferSize");
      double used = size == 0 ? 0 : server.greatest(metrics + ".UsedCheckpointBufferSize") / size;
      double throttled = server.growth(metrics + ".TotalThrottlingTime") / 1e3;
      if (region.isPersistenceEnabled()
          && (used > BUFFER_USED || throttled > 0.01 * facts.seconds())) {
        result
            .found()
            .apart("region", region.getName())
            .with("held", Value.seconds(throttled))
            .with("observed", Value.seconds(facts.seconds()))
            .evidence("UsedCheckpointBufferSize / CheckpointBufferSize", used)
            .evidence("TotalThrottlingTime [s]", throttled)
            .costs(throttled / facts.seconds())
            .change("checkpointPageBufferSize", (long) size, (long) (2 * size));
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
            .found()
            .apart("region", region.getName())
            .change("checkpointPageBufferSize", buffer, region.getMaxSize() / 4);
      }
    }
  }

  private static void checkpoints(Facts facts, Server server, Result result) {
    requireCounts(server, result);
    long frequency = server.storage().orElseThrow().getCheckpointFrequency();
    double last = server.last(STORAGE + "LastCheckpointDuration");
    if (last > BUSY * frequency) {
      result
          .found()
          .costs("share", last / frequency)
          .evidence("LastCheckpointDuration [ms]", last)
          .change("checkpointFrequency", frequency, 3 * frequency);
    } else {
      alwaysWriting(facts, server, result);
    }
  }

  /** A checkpoint was under way in all of several thread dumps. */
  private static void alwaysWriting(Facts facts, Server server, Result result) {
    List<ThreadDump> dumps = facts.dumps(server);
    if (dumps.size() >= DUMPS && dumps.stream().allMatch(StorageChecks::writes)) {
      result
          .found("seen")
          .with("dumps", Value.count(dumps.size()))
          .evidence("thread dumps with a checkpoint under way", dumps.size())
          .evidence("maxWalArchiveSize", server.storage().orElseThrow().getMaxWalArchiveSize())
          .costs(1);
    }
  }

  private static boolean writes(ThreadDump dump) {
    return dump.threads().stream()
        .filter(thread -> thread.name().startsWith("db-checkpoint-thread"))
        .anyMatch(thread -> thread.isIn(".doCheckpoint("));
  }
}
