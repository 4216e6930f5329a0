package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;

/**
 * Hands records to Pyrometer's own writer, which sends them in batches and keeps their order. A
 * call ends when every record of it, or a later one of the same key, is acknowledged; so many calls
 * are in flight that the writer's own bound is the one that holds.
 */
final class WriterPath extends WritePath {
  private static final SettingKey<Integer> LANES =
      SettingKey.integer(
          SettingDescription.integer(
              "writer-lanes",
              Scope.LOAD,
              IgniteWriterBuilder.NODE_LANES,
              1,
              1_000,
              "Batches that the writer may have in flight for each node; over a thin client"
                  + " without partition awareness, in all."));
  private static final SettingKey<Integer> LARGEST_BATCH =
      SettingKey.integer(
          SettingDescription.integer(
              "largest-batch",
              Scope.LOAD,
              IgniteWriterBuilder.LARGEST_BATCH,
              1,
              1_000_000,
              "Largest number of records in one batch of the writer."));
  private static final SettingKey<Long> PENDING =
      SettingKey.number(
          SettingDescription.integer(
              "pending",
              Scope.LOAD,
              IgniteWriterBuilder.PENDING_ENTRIES,
              1,
              100_000_000,
              "Number of records that may wait in the writer; merged ones count as one."));
  private static final SettingKey<Double> MERGE_WAIT =
      SettingKey.decimal(
          SettingDescription.numeric(
              "merge-wait",
              SettingDescription.Type.SECONDS,
              Scope.LOAD,
              IgniteWriterBuilder.MERGE_WAIT.toMillis() / 1e3,
              0,
              10,
              "Longest time that a batch of the writer waits for later writes of its keys."));
  private static final SettingDescription[] SETTINGS = {
    PathSettings.batch(1_000),
    PathSettings.inFlight(500),
    LANES.description(),
    LARGEST_BATCH.description(),
    PENDING.description(),
    MERGE_WAIT.description()
  };

  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "ignite-writer",
              Guarantee.OF_MANY,
              "Pyrometer's writer: lanes for each primary node, repeated keys merged.",
              SETTINGS),
          (context, lane) -> new WriterPath(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.write(
                  "thin-ignite-writer",
                  Guarantee.OF_MANY,
                  "Pyrometer's writer over a thin client that repeats no writes: batches go"
                      + " to the primary node of their keys.",
                  SETTINGS)),
          (context, lane) -> new WriterPath(context, ClientType.THIN_WITHOUT_RETRIES));

  private final IgniteWriter<Long, Object> writer;

  private WriterPath(PathContext context, ClientType client) {
    this(context, client, context.settings());
  }

  private WriterPath(PathContext context, ClientType client, Settings settings) {
    super(
        context,
        client,
        settings.get(PathSettings.IN_FLIGHT),
        settings.get(PathSettings.BATCH),
        "write");
    int largest = settings.get(LARGEST_BATCH);
    writer =
        cache
            .writer()
            .lanes(settings.get(LANES))
            .batch(Math.min(largest, IgniteWriterBuilder.SMALLEST_BATCH), largest)
            .maxPendingEntries(settings.get(PENDING))
            .mergeWait(Duration.ofNanos((long) (settings.get(MERGE_WAIT) * 1e9)))
            .open();
  }

  @Override
  public void call(Call call) {
    Iterable<Map.Entry<Long, Object>> entries = () -> new Entries(call, values);
    CompletionStage<Void> written = writer.writeAll(entries);
    written.whenComplete(
        (nothing, cause) -> {
          if (cause == null) {
            call.done();
          } else {
            call.failed(cause);
          }
        });
  }

  @Override
  public void flush() {
    writer.flush();
  }

  @Override
  public void close() {
    writer.close();
    super.close();
  }

  /** The records of a call, in their order. */
  private static final class Entries implements Iterator<Map.Entry<Long, Object>> {
    private final Call call;
    private final RecordValues values;
    private int next;

    Entries(Call call, RecordValues values) {
      this.call = call;
      this.values = values;
    }

    @Override
    public boolean hasNext() {
      return next < call.size();
    }

    @Override
    public Map.Entry<Long, Object> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int record = next++;
      return Map.entry(call.key(record), values.get(call.record(record)));
    }
  }
}
