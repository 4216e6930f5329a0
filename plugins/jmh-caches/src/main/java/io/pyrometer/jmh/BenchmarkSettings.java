package io.pyrometer.jmh;

import static io.pyrometer.protocol.SettingDescription.choice;
import static io.pyrometer.protocol.SettingDescription.integer;
import static io.pyrometer.protocol.SettingDescription.numeric;

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

  /** The trace that is read from a file of the user's. */
  public static final String TRACE_OF_FILE = "file";

  public static final SettingKey<Long> FORK_HEAP =
      SettingKey.number(
          numeric(
              "fork-heap",
              SettingDescription.Type.BYTES,
              Scope.PROCESS,
              1L << 30,
              64 * MIB,
              1024 * 1024 * MIB,
              "Heap of the JVM that JMH forks and that runs the benchmark."));
  public static final SettingKey<String> FORK_JVM_ARGS =
      SettingKey.text(
          SettingDescription.text(
              "fork-jvm-args",
              Scope.PROCESS,
              "JVM arguments of that JVM, separated by blanks, such as '-XX:+UseZGC'."));
  public static final SettingKey<Integer> WARM_UP_ITERATIONS =
      SettingKey.integer(
          integer(
              "warm-up-iterations",
              Scope.LOAD,
              2,
              0,
              100,
              "JMH's warm-up iterations; those of timed benchmarks share 'warm-up' equally."));
  public static final SettingKey<Integer> ITERATIONS =
      SettingKey.integer(
          integer(
              "iterations",
              Scope.LOAD,
              3,
              1,
              100,
              "JMH's measured iterations; those of timed benchmarks share 'measure' equally."));
  public static final SettingKey<Double> HIT_RATE =
      SettingKey.decimal(
          numeric(
              "hit-rate",
              SettingDescription.Type.SHARE,
              Scope.LOAD,
              1.0,
              0.001,
              1,
              "Share of reads that find an entry: keys are uniform over records / hit-rate."));
  public static final SettingKey<Double> READS =
      SettingKey.decimal(
          numeric(
              "reads",
              SettingDescription.Type.SHARE,
              Scope.LOAD,
              0.9,
              0,
              1,
              "Share of reads; the rest writes."));
  public static final SettingKey<Double> KEY_RANGE =
      SettingKey.decimal(
          numeric(
              "key-range",
              SettingDescription.Type.SHARE,
              Scope.LOAD,
              1.1,
              0.01,
              100,
              "Number of different keys, as a share of the cache's capacity (110%, 500%)."));
  public static final SettingKey<Integer> MISS_COST =
      SettingKey.integer(
          integer(
              "miss-cost",
              Scope.LOAD,
              1_000,
              0,
              10_000_000,
              "CPU work of loading one absent value, in tokens of JMH's Blackhole.consumeCPU (about"
                  + " 1 to 3 ns each)."));
  public static final SettingKey<String> TRACE =
      SettingKey.text(
          choice(
              "trace",
              Scope.LOAD,
              List.of("zipf", "scan", "loop", "shift", TRACE_OF_FILE),
              "Sequence of keys: Zipf; Zipf with scans of keys used once; a cyclic scan; a hot set"
                  + " that moves; or 'trace-file'."));
  public static final SettingKey<String> TRACE_FILE =
      SettingKey.text(
          SettingDescription.text(
              "trace-file",
              Scope.LOAD,
              "File of the trace 'file': one request a line, whose first word is the key."));
  public static final SettingKey<Integer> REQUESTS =
      SettingKey.integer(
          integer(
              "requests",
              Scope.LOAD,
              500_000,
              1_000,
              50_000_000,
              "Requests of a synthetic trace; of a file at most so many are read."));
  public static final SettingKey<Integer> CAPACITY =
      SettingKey.integer(
          integer(
              "capacity",
              Scope.LOAD,
              1_000,
              1,
              100_000_000,
              "Entries that the cache may hold while it answers a trace."));

  /** The settings of every benchmark that the core does not have. */
  static final List<SettingDescription> COMMON =
      List.of(
          FORK_HEAP.description(),
          FORK_JVM_ARGS.description(),
          WARM_UP_ITERATIONS.description(),
          ITERATIONS.description(),
          integer(
              CoreSettings.AGENTS.name(),
              Scope.LOAD,
              1,
              1,
              1,
              "One process starts the JVMs of benchmarks."),
          numeric(
              CoreSettings.AGENT_HEAP.name(),
              SettingDescription.Type.BYTES,
              Scope.PROCESS,
              (long) (96 * MIB),
              64 * MIB,
              1024 * 1024 * MIB,
              "Heap of the process that starts the JVMs of benchmarks."),
          numeric(
              CoreSettings.COMMON_WARM_UP.name(),
              SettingDescription.Type.SECONDS,
              Scope.LOAD,
              0.0,
              0,
              3600,
              "Without effect: JMH warms each JVM up by itself."));

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

  private BenchmarkSettings() {}
}
