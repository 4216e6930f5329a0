package io.pyrometer.protocol;

import static io.pyrometer.protocol.DeclaredSettings.core;

import java.util.List;

/** Settings of access paths that mean the same with every driver that declares them. */
public final class PathSettings {

  public static final SettingKey<Integer> BATCH = core("batch", Settings::integer);
  public static final SettingKey<Integer> IN_FLIGHT = core("in-flight", Settings::integer);
  public static final SettingKey<Shares> MIX = core("mix", Settings::shares);
  public static final SettingKey<Integer> LISTENERS = core("listeners", Settings::integer);
  public static final SettingKey<Boolean> PARTITION_AWARENESS =
      core("partition-awareness", Settings::flag);
  public static final SettingKey<Boolean> CLIENT_RELAY = core("client-relay", Settings::flag);
  public static final SettingKey<Double> CLIENT_DELAY = core("client-delay", Settings::decimal);
  public static final SettingKey<Double> CLIENT_JITTER = core("client-jitter", Settings::decimal);
  public static final SettingKey<Double> CLIENT_RATE = core("client-rate", Settings::decimal);
  public static final SettingKey<Double> CLIENT_LOSS = core("client-loss", Settings::decimal);

  /** The relay between thin clients and servers. */
  public static final List<SettingKey<?>> OF_RELAY =
      List.of(CLIENT_RELAY, CLIENT_DELAY, CLIENT_JITTER, CLIENT_RATE, CLIENT_LOSS);

  private PathSettings() {}
}
