package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.UserClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.internal.processors.datastreamer.DataStreamerCacheUpdaters;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.stream.StreamReceiver;

/**
 * The ways in which a data streamer can be told to write. A call hands records to a streamer of its
 * load thread, and ends when the streamer's buffers that hold its records were written; so many
 * calls are in flight as to fill the buffers, and where they do not suffice the buffers are sent
 * half full rather than waited for.
 */
final class Streamers {
  private static final int SEND_AT_LEAST_EVERY_MILLIS = 1_000;

  private static final SettingKey<Integer> NODE_BUFFER =
      GridSettings.DECLARED.integer("streamer-buffer");
  private static final SettingKey<Integer> PARALLEL =
      GridSettings.DECLARED.integer("streamer-parallel");
  private static final SettingKey<String> RECEIVER = GridSettings.DECLARED.text("receiver");
  static final String WITH_RECEIVER = "streamer-receiver";

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          definition("streamer", (settings, streamer) -> streamer.allowOverwrite(false)),
          definition("streamer-overwrite", (settings, streamer) -> streamer.allowOverwrite(true)),
          definition(
              "streamer-batched",
              (settings, streamer) ->
                  overwrite(streamer, DataStreamerCacheUpdaters.<Long, Object>batched())),
          definition(
              "streamer-sorted",
              (settings, streamer) ->
                  overwrite(streamer, DataStreamerCacheUpdaters.<Long, Object>batchedSorted())),
          definition(
              WITH_RECEIVER, (settings, streamer) -> overwrite(streamer, receiver(settings))));

  private Streamers() {}

  private static IgnitePath definition(
      String name, BiConsumer<Settings, IgniteDataStreamer<Long, Object>> configuration) {
    return new IgnitePath(
        name,
        trial -> {
          IgniteDataStreamer<Long, Object> streamer = trial.ignite().dataStreamer(trial.cacheName);
          configuration.accept(trial.settings(), streamer);
          return open(trial, streamer);
        });
  }

  private static void overwrite(
      IgniteDataStreamer<Long, Object> streamer, StreamReceiver<Long, Object> receiver) {
    streamer.allowOverwrite(true);
    streamer.receiver(receiver);
  }

  /**
   * @throws GridException if no class is named or it is no receiver
   */
  @SuppressWarnings("unchecked")
  static StreamReceiver<Long, Object> receiver(Settings settings) {
    if (!settings.has(RECEIVER)) {
      throw new GridException(
          "Path 'streamer-receiver' has no receiver: name its class as 'receiver'.");
    }
    return UserClass.create(settings.get(RECEIVER), StreamReceiver.class, "Receiver");
  }

  private static FunctionPath open(IgniteTrial trial, IgniteDataStreamer<Long, Object> streamer) {
    IntFunction<Object> values = trial.values();
    Settings settings = trial.settings();
    streamer.keepBinary(trial.writesBinary());
    streamer.perNodeBufferSize(settings.get(NODE_BUFFER));
    streamer.autoFlushFrequency(SEND_AT_LEAST_EVERY_MILLIS);
    if (settings.get(PARALLEL) > 0) {
      streamer.perNodeParallelOperations(settings.get(PARALLEL));
    }
    int window = settings.get(PathSettings.IN_FLIGHT);
    AtomicInteger inFlight = new AtomicInteger();
    return FunctionPath.asynchronous(
            trial.operation(),
            window,
            settings.get(PathSettings.BATCH),
            call -> {
              boolean full = inFlight.incrementAndGet() >= window;
              CompletableFuture<?>[] written = add(streamer, call, values);
              var unused =
                  CompletableFuture.allOf(written)
                      .whenComplete(
                          (none, failure) -> {
                            inFlight.decrementAndGet();
                            FunctionPath.end(call, failure);
                          });
              if (full) {
                streamer.tryFlush();
              }
            })
        .flushing(streamer::flush)
        .closing(streamer);
  }

  /**
   * The ends of the buffers that hold a call's records. Records that follow one another mostly go
   * into one buffer, which has one future.
   */
  private static CompletableFuture<?>[] add(
      IgniteDataStreamer<Long, Object> streamer, Call call, IntFunction<Object> values) {
    List<IgniteFuture<?>> buffers = new ArrayList<>();
    IgniteFuture<?> last = null;
    for (int i = 0; i < call.size(); i++) {
      IgniteFuture<?> buffer = streamer.addData(call.key(i), values.apply(call.record(i)));
      if (buffer != last) {
        buffers.add(buffer);
        last = buffer;
      }
    }
    return buffers.stream().map(CachePort::stage).toArray(CompletableFuture<?>[]::new);
  }
}
