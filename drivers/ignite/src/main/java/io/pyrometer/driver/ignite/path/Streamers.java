package io.pyrometer.driver.ignite.path;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.internal.processors.datastreamer.DataStreamerCacheUpdaters;

/** The ways in which a data streamer can be told to write. */
final class Streamers {
  static final List<Kind> KINDS =
      List.of(
          kind(
              "streamer",
              Described.FIRST_STAYS,
              "The data streamer as it comes: what is there already stays.",
              streamer -> streamer.allowOverwrite(false)),
          kind(
              "streamer-overwrite",
              Described.UNORDERED,
              "The data streamer allowed to overwrite, which writes one record after the other.",
              streamer -> streamer.allowOverwrite(true)),
          kind(
              "streamer-batched",
              Described.UNORDERED,
              "The data streamer that overwrites with a putAll for each buffer.",
              streamer -> {
                streamer.allowOverwrite(true);
                streamer.receiver(DataStreamerCacheUpdaters.batched());
              }),
          kind(
              "streamer-sorted",
              Described.UNORDERED,
              "The data streamer that overwrites with a putAll of sorted keys for each buffer.",
              streamer -> {
                streamer.allowOverwrite(true);
                streamer.receiver(DataStreamerCacheUpdaters.batchedSorted());
              }),
          kind(
              Described.write(
                  "streamer-receiver",
                  Described.UNORDERED,
                  "The data streamer with a receiver of the user's own.",
                  settings(OwnReceiver.SETTING)),
              (surroundings, streamer) -> {
                streamer.allowOverwrite(true);
                streamer.receiver(OwnReceiver.of(surroundings));
              }));

  private Streamers() {}

  private static Kind kind(
      String name,
      Guarantee guarantee,
      String summary,
      Consumer<IgniteDataStreamer<Long, Object>> manner) {
    return kind(
        Described.write(name, guarantee, summary, settings()),
        (surroundings, streamer) -> manner.accept(streamer));
  }

  private static Kind kind(
      PathDescription description,
      BiConsumer<Surroundings, IgniteDataStreamer<Long, Object>> manner) {
    return new Kind(
        description,
        (surroundings, lane) -> {
          IgniteDataStreamer<Long, Object> streamer =
              surroundings.ignite().dataStreamer(surroundings.cacheName());
          manner.accept(surroundings, streamer);
          return new Streamer(surroundings, streamer);
        });
  }

  private static SettingDescription[] settings(SettingDescription... more) {
    List<SettingDescription> settings = new ArrayList<>(List.of(more));
    settings.addAll(
        List.of(
            Described.batch(1_000),
            Described.inFlight(32),
            SettingDescription.integer(
                "streamer-buffer",
                Scope.LOAD,
                IgniteDataStreamer.DFLT_PER_NODE_BUFFER_SIZE,
                1,
                1_000_000,
                "Records that a streamer collects for a node before it sends them."),
            SettingDescription.integer(
                "streamer-thread-buffer",
                Scope.LOAD,
                IgniteDataStreamer.DFLT_PER_THREAD_BUFFER_SIZE,
                1,
                1_000_000,
                "Records that a streamer collects for a thread before it sorts them by node."),
            SettingDescription.integer(
                "streamer-parallel",
                Scope.LOAD,
                0,
                0,
                10_000,
                "Buffers in flight to a node; 0 leaves it to Ignite.")));
    return settings.toArray(SettingDescription[]::new);
  }
}
