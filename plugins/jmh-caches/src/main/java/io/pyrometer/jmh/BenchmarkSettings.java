package io.pyrometer.jmh;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of benchmarks under JMH, which mean the same for every cache. */
public final class BenchmarkSettings {
  private static final double MIB = 1L << 20;

  public static final SettingKey<Long> FORK_HEAP =
      SettingKey.bytes("fork-heap", Scope.PROCESS, 1L << 30, 64 * MIB, 1024 * 1024 * MIB)
          .meaning("Heap of the JVM that JMH forks and that runs the benchmark.");
  public static final SettingKey<String> FORK_JVM_ARGS =
      SettingKey.text("fork-jvm-args", Scope.PROCESS)
          .meaning("JVM arguments of that JVM, separated by blanks, such as '-XX:+UseZGC'.");
  public static final SettingKey<Integer> WARM_UP_ITERATIONS =
      SettingKey.integer("warm-up-iterations", Scope.LOAD, 2, 0, 100)
          .asCondition()
          .meaning("JMH's warm-up iterations; those of timed benchmarks share 'warm-up' equally.");
  public static final SettingKey<Integer> ITERATIONS =
      SettingKey.integer("iterations", Scope.LOAD, 3, 1, 100)
          .asCondition()
          .meaning("JMH's measured iterations; those of timed benchmarks share 'measure' equally.");
  public static final SettingKey<Double> HIT_RATE =
      share("hit-rate", 1.0, 0.001, 1)
          .asCondition()
          .meaning("Share of reads that find an entry: keys are uniform over records / hit-rate.");
  public static final SettingKey<Double> READS =
      share("reads", 0.9, 0, 1).asCondition().meaning("Share of reads; the rest writes.");
  public static final SettingKey<Double> KEY_RANGE =
      share("key-range", 1.1, 0.01, 100)
          .asCondition()
          .meaning("Number of different keys, as a share of the cache's capacity (110%, 500%).");
  public static final SettingKey<Integer> MISS_COST =
      SettingKey.integer("miss-cost", Scope.LOAD, 1_000, 0, 10_000_000)
          .asCondition()
          .meaning(
              "CPU work of loading one absent value, in tokens of JMH's Blackhole.consumeCPU (about"
                  + " 1 to 3 ns each).");

  private static SettingKey<Double> share(String name, double initial, double least, double most) {
    return SettingKey.share(name, Scope.LOAD, initial, least, most);
  }

  /** The settings of every benchmark that the core does not have. */
  static final List<SettingDescription> COMMON =
      SettingKey.descriptions(
          FORK_HEAP,
          FORK_JVM_ARGS,
          WARM_UP_ITERATIONS,
          ITERATIONS,
          SettingKey.integer(CoreSettings.AGENTS.name(), Scope.LOAD, 1, 1, 1)
              .meaning("One process starts the JVMs of benchmarks."),
          SettingKey.bytes(
                  CoreSettings.AGENT_HEAP.name(),
                  Scope.PROCESS,
                  (long) (96 * MIB),
                  64 * MIB,
                  1024 * 1024 * MIB)
              .meaning("Heap of the process that starts the JVMs of benchmarks."),
          SettingKey.seconds(CoreSettings.COMMON_WARM_UP.name(), Scope.LOAD, 0.0, 0, 3600)
              .meaning("Without effect: JMH warms each JVM up by itself."));

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
