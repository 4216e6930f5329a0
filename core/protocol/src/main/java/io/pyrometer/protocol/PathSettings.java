package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.Scope.LOAD;

import java.util.List;

/** Settings of access paths that mean the same with every driver that declares them. */
public final class PathSettings {

  public static final SettingKey<Integer> BATCH =
      SettingKey.integer("batch", LOAD, 1_000, 1, 10_000_000);
  public static final SettingKey<Integer> IN_FLIGHT =
      SettingKey.integer("in-flight", LOAD, 100, 1, 1_000_000).warmUpAtMost(4);
  public static final SettingKey<Shares> MIX = SettingKey.shares("mix", LOAD).asCondition();
  public static final SettingKey<Integer> LISTENERS =
      SettingKey.integer("listeners", LOAD, 1, 1, 64).asCondition();
  public static final SettingKey<Boolean> PARTITION_AWARENESS =
      SettingKey.flag("partition-awareness", LOAD, true);
  public static final SettingKey<Boolean> CLIENT_RELAY =
      SettingKey.flag("client-relay", LOAD, false).ofServers().asCondition();
  public static final SettingKey<Double> CLIENT_DELAY =
      ofRelay("client-delay", SettingDescription.Type.SECONDS, 10);
  public static final SettingKey<Double> CLIENT_JITTER =
      ofRelay("client-jitter", SettingDescription.Type.SECONDS, 10);
  public static final SettingKey<Double> CLIENT_RATE =
      ofRelay("client-rate", SettingDescription.Type.RATE, 1e12);
  public static final SettingKey<Double> CLIENT_LOSS =
      ofRelay("client-loss", SettingDescription.Type.SHARE, 0.5);

  /** The relay between thin clients and servers. */
  public static final List<SettingKey<?>> OF_RELAY =
      List.of(CLIENT_RELAY, CLIENT_DELAY, CLIENT_JITTER, CLIENT_RATE, CLIENT_LOSS);

  private PathSettings() {}

  /** The setting {@link #IN_FLIGHT} with a path's own default. */
  public static SettingKey<Integer> inFlight(int initial) {
    return IN_FLIGHT.withDefault(initial);
  }

  private static SettingKey<Double> ofRelay(
      String name, SettingDescription.Type type, double most) {
    return SettingKey.decimal(name, type, LOAD, 0, 0, most).ofServers().asCondition();
  }
}
