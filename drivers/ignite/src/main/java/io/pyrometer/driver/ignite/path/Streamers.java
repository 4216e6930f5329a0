package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.UserClass;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.internal.processors.datastreamer.DataStreamerCacheUpdaters;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.stream.StreamReceiver;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a data streamer can be told to write. A call hands records to a streamer of its
 * load thread, and ends when the streamer's buffers that hold its records were written; so many
 * calls are in flight as to fill the buffers, and where they do not suffice the buffers are sent
 * half full rather than waited for.
 */
final class Streamers {
  /** The first write to a key remains. */
  private static final Guarantee FIRST_STAYS = new Guarantee(false, false, true, false);

  private static final int SEND_AT_LEAST_EVERY_MILLIS = 1_000;

  private static final SettingKey<Integer> NODE_BUFFER =
      SettingKey.integer(
              "streamer-buffer",
              Scope.LOAD,
              IgniteDataStreamer.DFLT_PER_NODE_BUFFER_SIZE,
              1,
              1_000_000)
          .meaning("Records that a streamer collects for a node before it sends them.");
  private static final SettingKey<Integer> THREAD_BUFFER =
      SettingKey.integer(
              "streamer-thread-buffer",
              Scope.LOAD,
              IgniteDataStreamer.DFLT_PER_THREAD_BUFFER_SIZE,
              1,
              1_000_000)
          .meaning("Records that a streamer collects for a thread before it sorts them by node.");
  private static final SettingKey<Integer> PARALLEL =
      SettingKey.integer("streamer-parallel", Scope.LOAD, 0, 0, 10_000)
          .meaning("Buffers in flight per node; 0 for Ignite's default.");

  private static final SettingKey<String> RECEIVER =
      SettingKey.text("receiver", Scope.LOAD)
          .meaning(
              "Class of the streamer's receiver, with a constructor without arguments, on"
                  + " --classpath.");
  private static final SettingKey<?>[] SETTINGS = {
    PathSettings.batch(1_000), PathSettings.inFlight(32), NODE_BUFFER, THREAD_BUFFER, PARALLEL
  };

  static final String WITH_RECEIVER = "streamer-receiver";

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          definition(
              write(
                  "streamer",
                  FIRST_STAYS,
                  "The data streamer with default settings: existing values are kept.",
                  SETTINGS),
              (settings, streamer) -> streamer.allowOverwrite(false)),
          definition(
              write(
                  "streamer-overwrite",
                  CachePaths.UNORDERED,
                  "The data streamer with overwriting allowed and its default receiver,"
                      + " which writes one record after the other.",
                  SETTINGS),
              (settings, streamer) -> streamer.allowOverwrite(true)),
          definition(
              write(
                  "streamer-batched",
                  CachePaths.UNORDERED,
                  "The data streamer that overwrites with a putAll for each buffer.",
                  SETTINGS),
              (settings, streamer) ->
                  overwrite(streamer, DataStreamerCacheUpdaters.<Long, Object>batched())),
          definition(
              write(
                  "streamer-sorted",
                  CachePaths.UNORDERED,
                  "The data streamer that overwrites with a putAll of sorted keys for each buffer.",
                  SETTINGS),
              (settings, streamer) ->
                  overwrite(streamer, DataStreamerCacheUpdaters.<Long, Object>batchedSorted())),
          definition(
              write(
                      WITH_RECEIVER,
                      CachePaths.UNORDERED,
                      "The data streamer with a user-defined receiver.",
                      Stream.concat(Stream.of(RECEIVER), Arrays.stream(SETTINGS))
                          .toArray(SettingKey<?>[]::new))
                  .sendingClasses(),
              (settings, streamer) -> overwrite(streamer, receiver(settings))));

  private Streamers() {}

  private static IgnitePath definition(
      PathDescription description,
      BiConsumer<Settings, IgniteDataStreamer<Long, Object>> configuration) {
    return new IgnitePath(
        description.recordedAs("add-data"),
        trial -> {
          IgniteDataStreamer<Long, Object> streamer =
              trial.ignite().dataStreamer(trial.cacheName());
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
    return UserClass.create(settings.get(RECEIVER), StreamReceiver.class, "receiver");
  }

  private static FunctionPath open(IgniteTrial trial, IgniteDataStreamer<Long, Object> streamer) {
    IntFunction<Object> values = trial.values();
    Settings settings = trial.settings();
    streamer.keepBinary(trial.writesBinary());
    streamer.perNodeBufferSize(settings.get(NODE_BUFFER));
    streamer.perThreadBufferSize(settings.get(THREAD_BUFFER));
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
              BufferedCall buffered = new BufferedCall(call, inFlight);
              for (int i = 0; i < call.size(); i++) {
                buffered.dependsOn(streamer.addData(call.key(i), values.apply(call.record(i))));
              }
              buffered.endOne();
              if (full) {
                streamer.tryFlush();
              }
            })
        .flushing(streamer::flush)
        .closing(streamer);
  }

  /** Ends a call when every buffer that holds records of it was written. */
  private static final class BufferedCall {
    private final Call call;
    private final AtomicInteger inFlight;

    /** Buffers, and one for the records that are still being handed over. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
    private @Nullable IgniteFuture<?> last;

    /**
     * @param inFlight lowered by one at the end
     */
    BufferedCall(Call call, AtomicInteger inFlight) {
      this.call = call;
      this.inFlight = inFlight;
    }

    /** Records that follow one another mostly go into one buffer, which has one future. */
    void dependsOn(IgniteFuture<?> buffer) {
      if (buffer == last) {
        return;
      }
      last = buffer;
      open.incrementAndGet();
      buffer.listen(this::written);
    }

    private void written(IgniteFuture<?> buffer) {
      try {
        buffer.get();
      } catch (RuntimeException e) {
        cause.compareAndSet(null, e);
      }
      endOne();
    }

    void endOne() {
      if (open.decrementAndGet() == 0) {
        inFlight.decrementAndGet();
        FunctionPath.end(call, cause.get());
      }
    }
  }
}
