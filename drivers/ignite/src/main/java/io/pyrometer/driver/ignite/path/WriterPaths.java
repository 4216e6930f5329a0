package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Pyrometer's own writer, which sends records in batches and keeps their order. A call ends when
 * every record of it, or a later one of the same key, is acknowledged; so many calls are in flight
 * that the writer's own bound is the one that holds.
 */
final class WriterPaths {
  private static final SettingKey<Integer> LANES =
      SettingKey.integer("writer-lanes", Scope.LOAD, IgniteWriterBuilder.NODE_LANES, 1, 1_000)
          .meaning(
              "Batches that the writer may have in flight for each node; over a thin client"
                  + " without partition awareness, in all.");
  private static final SettingKey<Integer> LARGEST_BATCH =
      SettingKey.integer(
              "largest-batch", Scope.LOAD, IgniteWriterBuilder.BATCH_ENTRIES, 1, 1_000_000)
          .meaning("Largest number of records in one batch of the writer.");
  private static final SettingKey<Long> PENDING =
      SettingKey.number("pending", Scope.LOAD, IgniteWriterBuilder.PENDING_ENTRIES, 1, 100_000_000)
          .meaning("Number of records that may wait in the writer; merged ones count as one.");
  private static final SettingKey<Double> MERGE_WAIT =
      SettingKey.decimal(
              "merge-wait",
              SettingDescription.Type.SECONDS,
              Scope.LOAD,
              IgniteWriterBuilder.MERGE_WAIT.toMillis() / 1e3,
              0,
              10)
          .meaning("Longest time that a batch of the writer waits for later writes of its keys.");
  private static final SettingDescription[] SETTINGS = {
    PathSettings.batch(1_000),
    PathSettings.inFlight(500),
    LANES.description(),
    LARGEST_BATCH.description(),
    PENDING.description(),
    MERGE_WAIT.description()
  };

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          CachePaths.path(
              write(
                  "ignite-writer",
                  Guarantee.OF_MANY,
                  "Pyrometer's writer: lanes for each primary node, repeated keys merged.",
                  SETTINGS),
              IgniteTrial::thick,
              WriterPaths::open),
          CachePaths.path(
              ThinClients.with(
                  write(
                      "thin-ignite-writer",
                      Guarantee.OF_MANY,
                      "Pyrometer's writer over a thin client that repeats no writes: batches go"
                          + " to the primary node of their keys.",
                      SETTINGS)),
              IgniteTrial::thinWithoutRetries,
              WriterPaths::open));

  private WriterPaths() {}

  private static FunctionPath open(IgniteTrial trial, CachePort<Object> cache) {
    Settings settings = trial.settings();
    IntFunction<Object> values = trial.values();
    IgniteWriter<Object, Object> writer =
        cache
            .writer()
            .get()
            .lanes(settings.get(LANES))
            .batchEntries(settings.get(LARGEST_BATCH))
            .maxPendingEntries(settings.get(PENDING))
            .mergeWait(Duration.ofNanos((long) (settings.get(MERGE_WAIT) * 1e9)))
            .open();
    return FunctionPath.asynchronous(
            "write",
            settings.get(PathSettings.IN_FLIGHT),
            settings.get(PathSettings.BATCH),
            call -> {
              var unused =
                  writer
                      .writeAll(entries(trial, call, values))
                      .whenComplete((none, failure) -> FunctionPath.end(call, failure));
            })
        .flushing(writer::flush)
        .merging(() -> writer.stats().mergedWrites())
        .dropping(trial.mayDrop())
        .closing(writer);
  }

  /** The records of a call, in their order. */
  private static Iterable<Map.Entry<Object, Object>> entries(
      IgniteTrial trial, Call call, IntFunction<Object> values) {
    return new AbstractList<>() {
      @Override
      public Map.Entry<Object, Object> get(int i) {
        return Map.entry(trial.key(call.key(i)), values.apply(call.record(i)));
      }

      @Override
      public int size() {
        return call.size();
      }
    };
  }
}
