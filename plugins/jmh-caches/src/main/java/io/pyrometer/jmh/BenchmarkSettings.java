package io.pyrometer.jmh;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DeclaredSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of benchmarks under JMH, which mean the same for every cache. */
public final class BenchmarkSettings {
  private static final DeclaredSettings DECLARED = DeclaredSettings.beside(BenchmarkSettings.class);

  public static final SettingKey<Long> FORK_HEAP = DECLARED.key("fork-heap", Settings::number);
  public static final SettingKey<String> FORK_JVM_ARGS =
      DECLARED.key("fork-jvm-args", Settings::text);
  public static final SettingKey<Integer> WARM_UP_ITERATIONS =
      DECLARED.key("warm-up-iterations", Settings::integer);
  public static final SettingKey<Integer> ITERATIONS =
      DECLARED.key("iterations", Settings::integer);
  public static final SettingKey<Double> HIT_RATE = DECLARED.key("hit-rate", Settings::decimal);
  public static final SettingKey<Double> READS = DECLARED.key("reads", Settings::decimal);
  public static final SettingKey<Double> KEY_RANGE = DECLARED.key("key-range", Settings::decimal);
  public static final SettingKey<Integer> MISS_COST = DECLARED.key("miss-cost", Settings::integer);

  /** The {@link CoreSettings#RECORDS} of a benchmark, each of which has a default of its own. */
  static final SettingKey<Long> ENTRIES = DECLARED.key("records", Settings::number);

  /** The settings of every benchmark that the core does not have. */
  static final List<SettingDescription> COMMON = DECLARED.list("settings");

  /** The settings of the core that benchmarks use. */
  static final Set<String> CORE =
      Stream.of(
              CoreSettings.DRIVER,
              CoreSettings.PATH,
              CoreSettings.NODES,
              CoreSettings.CORES,
              CoreSettings.NODE_CPUS,
              CoreSettings.AGENT_CPUS,
              CoreSettings.QUOTA_PERIOD,
              CoreSettings.NODE_MEMORY,
              CoreSettings.AGENT_MEMORY,
              CoreSettings.NODE_HEAP,
              CoreSettings.NODE_JVM_ARGS,
              CoreSettings.AGENT_JVM_ARGS,
              CoreSettings.THREADS,
              CoreSettings.RECORDS,
              CoreSettings.ZIPF_EXPONENT,
              CoreSettings.WARM_UP,
              CoreSettings.MEASURE,
              CoreSettings.DRAIN_TIMEOUT)
          .map(SettingKey::name)
          .collect(Collectors.toUnmodifiableSet());

  /** Conditions of a measurement, in contrast to choices. */
  static final Set<String> CONDITIONS =
      Stream.of(
              CoreSettings.THREADS,
              CoreSettings.RECORDS,
              CoreSettings.ZIPF_EXPONENT,
              HIT_RATE,
              READS,
              KEY_RANGE,
              MISS_COST)
          .map(SettingKey::name)
          .collect(Collectors.toUnmodifiableSet());

  private BenchmarkSettings() {}
}
