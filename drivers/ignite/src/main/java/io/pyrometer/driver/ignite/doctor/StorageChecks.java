package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.persistent;
import static io.pyrometer.driver.ignite.doctor.Check.persistentRegions;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import java.util.List;
import java.util.Locale;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;

/** The write-ahead log and the checkpoints of servers with persistence. */
final class StorageChecks {
  private static final String STORAGE = "io.datastorage.";

  static final List<Check> ALL =
      List.of(
          Check.of("wal-mode", persistent(StorageChecks::mode)),
          Check.of("wal-segment-size", persistent(StorageChecks::segments)),
          Check.of("wal-fsync-time", persistent(StorageChecks::fsync)),
          Check.of("checkpoint-buffer", persistentRegions(StorageChecks::buffer)),
          Check.of("write-throttling", persistentRegions(StorageChecks::throttling)),
          Check.of("checkpoints-without-pause", persistent(StorageChecks::checkpoints)));

  private StorageChecks() {}

  private static void mode(Look look, Server server) {
    WALMode mode = server.storage().orElseThrow().getWalMode();
    if (mode != WALMode.LOG_ONLY) {
      boolean loses = mode == WALMode.BACKGROUND || mode == WALMode.NONE;
      look.found(loses ? mode.name().toLowerCase(Locale.ROOT) : "");
    }
  }

  /** Segments that are small, or that writes fill within seconds. */
  private static void segments(Look look, Server server) {
    int size = server.storage().orElseThrow().getWalSegmentSize();
    double rate =
        look.seconds() > 0 ? server.growth(STORAGE + "WalWrittenBytes") / look.seconds() : 0;
    double seconds = rate > 0 ? size / rate : Double.POSITIVE_INFINITY;
    if (size < 16 << 20 || seconds < 10) {
      Draft draft = look.found().change("walSegmentSize", size, Math.max(64 << 20, 4 * size));
      if (rate > 0) {
        draft.seconds("lasts", seconds);
      }
    }
  }

  /** Both metrics are of the last minutes; the time is in microseconds. */
  private static void fsync(Look look, Server server) {
    requireCounts(look, server);
    double number = server.last(STORAGE + "WalFsyncTimeNum");
    double millis = number == 0 ? 0 : server.last(STORAGE + "WalFsyncTimeDuration") / number / 1e3;
    if (millis > 20) {
      look.found()
          .seconds("fsync", millis / 1e3)
          .evidence("WalFsyncTimeDuration / WalFsyncTimeNum [ms]", millis);
    }
  }

  private static void requireCounts(Look look, Server server) {
    if (!Boolean.parseBoolean(
        server.configuration().get("DataStorageConfiguration.MetricsEnabled"))) {
      look.unjudged("storage-metrics");
    }
  }

  private static void buffer(Look look, Server server, DataRegionConfiguration region) {
    MemoryChecks.requireCounts(look, region);
    String metrics = MemoryChecks.metrics(region);
    double size = server.last(metrics + ".CheckpointBufferSize");
    double used = size == 0 ? 0 : server.greatest(metrics + ".UsedCheckpointBufferSize") / size;
    double throttled = server.growth(metrics + ".TotalThrottlingTime") / 1e3;
    if (used > 0.66 || throttled > 0.01 * look.seconds()) {
      look.found()
          .apart("region", region.getName())
          .seconds("held", throttled)
          .seconds("observed", look.seconds())
          .evidence("UsedCheckpointBufferSize / CheckpointBufferSize", used)
          .evidence("TotalThrottlingTime [s]", throttled)
          .costs(throttled / look.seconds())
          .change("checkpointPageBufferSize", (long) size, (long) (2 * size));
    }
  }

  /** Ignite's own buffer is a quarter of the region, and at most 2 GiB from 8 GiB on. */
  private static void throttling(Look look, Server server, DataRegionConfiguration region) {
    DataStorageConfiguration storage = server.storage().orElseThrow();
    long buffer = region.getCheckpointPageBufferSize();
    if (buffer > 0
        && buffer < Math.min(region.getMaxSize(), 8L << 30) / 8
        && !storage.isWriteThrottlingEnabled()) {
      look.found()
          .apart("region", region.getName())
          .change("checkpointPageBufferSize", buffer, region.getMaxSize() / 4);
    }
  }

  /** The last checkpoint took most of the time between two, or one is in all of several dumps. */
  private static void checkpoints(Look look, Server server) {
    requireCounts(look, server);
    DataStorageConfiguration storage = server.storage().orElseThrow();
    long frequency = storage.getCheckpointFrequency();
    double last = server.last(STORAGE + "LastCheckpointDuration");
    List<ThreadDump> dumps = look.dumps(server);
    if (last > 0.8 * frequency) {
      look.found()
          .costs("share", last / frequency)
          .evidence("LastCheckpointDuration [ms]", last)
          .change("checkpointFrequency", frequency, 3 * frequency);
    } else if (dumps.size() >= 3 && dumps.stream().allMatch(StorageChecks::writes)) {
      look.found("seen")
          .count("dumps", dumps.size())
          .evidence("thread dumps with a checkpoint under way", dumps.size())
          .evidence("maxWalArchiveSize", storage.getMaxWalArchiveSize())
          .costs(1);
    }
  }

  private static boolean writes(ThreadDump dump) {
    return dump.in(".doCheckpoint(").stream()
        .anyMatch(thread -> thread.startsWith("db-checkpoint-thread"));
  }
}
