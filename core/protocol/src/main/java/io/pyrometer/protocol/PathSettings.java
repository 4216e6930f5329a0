package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.flag;
import static io.pyrometer.protocol.SettingDescription.numeric;

import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.List;

/** Settings of access paths that mean the same with every driver that declares them. */
public final class PathSettings {

  public static final SettingKey<Integer> BATCH =
      SettingKey.integer(
          SettingDescription.integer(
              "batch", Scope.LOAD, 1_000, 1, 10_000_000, "Records per call."));
  public static final SettingKey<Integer> IN_FLIGHT =
      SettingKey.integer(
          SettingDescription.integer(
                  "in-flight",
                  Scope.LOAD,
                  100,
                  1,
                  1_000_000,
                  "Calls in flight at once, per thread.")
              .warmUpAtMost(4));
  public static final SettingKey<Integer> LISTENERS =
      SettingKey.integer(
          SettingDescription.integer(
              "listeners",
              Scope.LOAD,
              1,
              1,
              64,
              "Continuous queries of each agent; each receives an event for every write."));
  public static final SettingKey<Boolean> PARTITION_AWARENESS =
      SettingKey.flag(
          flag(
              "partition-awareness",
              Scope.LOAD,
              true,
              "Whether a thin client sends requests to the node that holds the key, or"
                  + " all requests to one node."));
  public static final SettingKey<Boolean> CLIENT_RELAY =
      SettingKey.flag(
          flag(
                  "client-relay",
                  Scope.LOAD,
                  false,
                  "Whether thin clients use Pyrometer's relay even if it adds nothing.")
              .ofServers());
  public static final SettingKey<Double> CLIENT_DELAY =
      ofRelay(
          "client-delay",
          SettingDescription.Type.SECONDS,
          10,
          "Delay that the relay adds in each direction.");
  public static final SettingKey<Double> CLIENT_JITTER =
      ofRelay(
          "client-jitter",
          SettingDescription.Type.SECONDS,
          10,
          "Added to the delay, drawn uniformly from 0 to this value for each piece forwarded.");
  public static final SettingKey<Double> CLIENT_RATE =
      ofRelay(
          "client-rate",
          SettingDescription.Type.RATE,
          1e12,
          "Bits per second in each direction, for all thin clients together; 0 for no limit.");
  public static final SettingKey<Double> CLIENT_LOSS =
      ofRelay(
          "client-loss",
          SettingDescription.Type.SHARE,
          0.5,
          "Share of segments after which a connection is delayed as by a retransmission.");

  /** The relay between thin clients and servers. */
  public static final List<SettingDescription> OF_RELAY =
      List.of(
          CLIENT_RELAY.description(),
          CLIENT_DELAY.description(),
          CLIENT_JITTER.description(),
          CLIENT_RATE.description(),
          CLIENT_LOSS.description());

  private PathSettings() {}

  /** The setting {@link #BATCH} with a path's own default. */
  public static SettingDescription batch(int initial) {
    return BATCH.description().withDefault(initial);
  }

  /** The setting {@link #IN_FLIGHT} with a path's own default. */
  public static SettingDescription inFlight(int initial) {
    return IN_FLIGHT.description().withDefault(initial);
  }

  private static SettingKey<Double> ofRelay(
      String name, SettingDescription.Type type, double most, String summary) {
    return SettingKey.decimal(numeric(name, type, Scope.LOAD, 0.0, 0, most, summary).ofServers());
  }
}
