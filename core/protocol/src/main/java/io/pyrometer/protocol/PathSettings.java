package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.Scope.LOAD;

import java.util.List;

/** Settings of access paths that mean the same with every driver that declares them. */
public final class PathSettings {

  public static final SettingKey<Integer> BATCH =
      SettingKey.integer("batch", LOAD, 1_000, 1, 10_000_000).meaning("Records per call.");
  public static final SettingKey<Integer> IN_FLIGHT =
      SettingKey.integer("in-flight", LOAD, 100, 1, 1_000_000)
          .warmUpAtMost(4)
          .meaning("Calls in flight at once, per thread.");
  public static final SettingKey<Shares> MIX =
      SettingKey.shares("mix", LOAD)
          .asCondition()
          .meaning(
              "Operations of a mix and their shares of the calls, which add up to 100 %; instead"
                  + " of 'reads'. Each operation has latencies of its own. Calls of get-all and"
                  + " put-all carry 'batch' records.");
  public static final SettingKey<Integer> LISTENERS =
      SettingKey.integer("listeners", LOAD, 1, 1, 64)
          .asCondition()
          .meaning("Continuous queries of each agent; each receives an event for every write.");
  public static final SettingKey<Boolean> PARTITION_AWARENESS =
      SettingKey.flag("partition-awareness", LOAD, true)
          .meaning(
              "Whether a thin client sends requests to the node that holds the key, or all requests"
                  + " to one node.");
  public static final SettingKey<Boolean> CLIENT_RELAY =
      SettingKey.flag("client-relay", LOAD, false)
          .ofServers()
          .asCondition()
          .meaning("Whether thin clients use Pyrometer's relay even if it adds nothing.");
  public static final SettingKey<Double> CLIENT_DELAY =
      ofRelay("client-delay", SettingDescription.Type.SECONDS, 10)
          .meaning("Delay that the relay adds in each direction.");
  public static final SettingKey<Double> CLIENT_JITTER =
      ofRelay("client-jitter", SettingDescription.Type.SECONDS, 10)
          .meaning(
              "Added to the delay, drawn uniformly from 0 to this value for each piece forwarded.");
  public static final SettingKey<Double> CLIENT_RATE =
      ofRelay("client-rate", SettingDescription.Type.RATE, 1e12)
          .meaning(
              "Bits per second in each direction, for all thin clients together; 0 for no limit.");
  public static final SettingKey<Double> CLIENT_LOSS =
      ofRelay("client-loss", SettingDescription.Type.SHARE, 0.5)
          .meaning("Share of segments after which a connection is delayed as by a retransmission.");

  /** The relay between thin clients and servers. */
  public static final List<SettingKey<?>> OF_RELAY =
      List.of(CLIENT_RELAY, CLIENT_DELAY, CLIENT_JITTER, CLIENT_RATE, CLIENT_LOSS);

  private PathSettings() {}

  /** The setting {@link #BATCH} with a path's own default. */
  public static SettingKey<Integer> batch(int initial) {
    return BATCH.withDefault(initial);
  }

  /** The setting {@link #IN_FLIGHT} with a path's own default. */
  public static SettingKey<Integer> inFlight(int initial) {
    return IN_FLIGHT.withDefault(initial);
  }

  /** The setting {@link #MIX} of a path that has these operations. */
  public static SettingKey<Shares> mix(String... operations) {
    SettingDescription mix = MIX.description();
    return SettingKey.shares(mix.name(), mix.scope(), operations)
        .asCondition()
        .meaning(mix.summary());
  }

  private static SettingKey<Double> ofRelay(
      String name, SettingDescription.Type type, double most) {
    return SettingKey.decimal(name, type, LOAD, 0, 0, most).ofServers().asCondition();
  }
}
