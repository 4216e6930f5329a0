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
public final class Streamers {
  private static final int SEND_AT_LEAST_EVERY_MILLIS = 1_000;

  private static final SettingKey<Integer> NODE_BUFFER =
      GridSettings.DECLARED.integer("streamer-buffer");
  private static final SettingKey<Integer> PARALLEL =
      GridSettings.DECLARED.integer("streamer-parallel");
  private static final SettingKey<String> RECEIVER = GridSettings.DECLARED.text("receiver");
  public static final String WITH_RECEIVER = "streamer-receiver";

  private Streamers() {}

  /**
   * @throws GridException if no class is named or it is no receiver
   */
  @SuppressWarnings("unchecked")
  public static StreamReceiver<Long, Object> receiver(Settings settings) {
    if (!settings.has(RECEIVER)) {
      throw new GridException(
          "Path 'streamer-receiver' has no receiver: name its class as 'receiver'.");
    }
    return UserClass.create(settings.get(RECEIVER), StreamReceiver.class, "Receiver");
  }

  static FunctionPath open(IgniteTrial trial) {
    IntFunction<Object> values = trial.values();
    Settings settings = trial.settings();
    IgniteDataStreamer<Long, Object> streamer = trial.ignite().dataStreamer(trial.cacheName);
    streamer.allowOverwrite(!trial.trial.path().equals("streamer"));
    switch (trial.trial.path()) {
      case "streamer-batched" -> streamer.receiver(DataStreamerCacheUpdaters.batched());
      case "streamer-sorted" -> streamer.receiver(DataStreamerCacheUpdaters.batchedSorted());
      case WITH_RECEIVER -> streamer.receiver(receiver(settings));
      default -> {}
    }
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
