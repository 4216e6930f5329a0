package io.pyrometer.driver.ignite.path;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.internal.processors.datastreamer.DataStreamerCacheUpdaters;

/** The ways in which a data streamer can be told to write. */
final class Streamers {
  static final SettingKey<Integer> NODE_BUFFER =
      SettingKey.integer(
          SettingDescription.integer(
              "streamer-buffer",
              Scope.LOAD,
              IgniteDataStreamer.DFLT_PER_NODE_BUFFER_SIZE,
              1,
              1_000_000,
              "Records that a streamer collects for a node before it sends them."));
  static final SettingKey<Integer> THREAD_BUFFER =
      SettingKey.integer(
          SettingDescription.integer(
              "streamer-thread-buffer",
              Scope.LOAD,
              IgniteDataStreamer.DFLT_PER_THREAD_BUFFER_SIZE,
              1,
              1_000_000,
              "Records that a streamer collects for a thread before it sorts them by node."));
  static final SettingKey<Integer> PARALLEL =
      SettingKey.integer(
          SettingDescription.integer(
              "streamer-parallel",
              Scope.LOAD,
              0,
              0,
              10_000,
              "Buffers in flight per node; 0 for Ignite's default."));

  static final String WITH_RECEIVER = "streamer-receiver";

  static final List<PathDefinition> DEFINITIONS =
      List.of(
          kind(
              "streamer",
              PathDescriptions.FIRST_STAYS,
              "The data streamer with default settings: existing values are kept.",
              streamer -> streamer.allowOverwrite(false)),
          kind(
              "streamer-overwrite",
              PathDescriptions.UNORDERED,
              "The data streamer with overwriting allowed and its default receiver,"
                  + " which writes one record after the other.",
              streamer -> streamer.allowOverwrite(true)),
          kind(
              "streamer-batched",
              PathDescriptions.UNORDERED,
              "The data streamer that overwrites with a putAll for each buffer.",
              streamer -> {
                streamer.allowOverwrite(true);
                streamer.receiver(DataStreamerCacheUpdaters.batched());
              }),
          kind(
              "streamer-sorted",
              PathDescriptions.UNORDERED,
              "The data streamer that overwrites with a putAll of sorted keys for each buffer.",
              streamer -> {
                streamer.allowOverwrite(true);
                streamer.receiver(DataStreamerCacheUpdaters.batchedSorted());
              }),
          kind(
              PathDescription.write(
                      WITH_RECEIVER,
                      PathDescriptions.UNORDERED,
                      "The data streamer with a user-defined receiver.",
                      settings(UserReceiver.SETTING.description()))
                  .sendingClasses(),
              (context, streamer) -> {
                streamer.allowOverwrite(true);
                streamer.receiver(UserReceiver.of(context.settings()));
              }));

  private Streamers() {}

  private static PathDefinition kind(
      String name,
      Guarantee guarantee,
      String summary,
      Consumer<IgniteDataStreamer<Long, Object>> manner) {
    return kind(
        PathDescription.write(name, guarantee, summary, settings()),
        (context, streamer) -> manner.accept(streamer));
  }

  private static PathDefinition kind(
      PathDescription description,
      BiConsumer<PathContext, IgniteDataStreamer<Long, Object>> manner) {
    return new PathDefinition(
        description,
        (context, lane) -> {
          IgniteDataStreamer<Long, Object> streamer =
              context.ignite().dataStreamer(context.cacheName());
          manner.accept(context, streamer);
          return new Streamer(context, streamer);
        });
  }

  private static SettingDescription[] settings(SettingDescription... more) {
    List<SettingDescription> settings = new ArrayList<>(List.of(more));
    settings.addAll(
        List.of(
            PathSettings.batch(1_000),
            PathSettings.inFlight(32),
            NODE_BUFFER.description(),
            THREAD_BUFFER.description(),
            PARALLEL.description()));
    return settings.toArray(SettingDescription[]::new);
  }
}
