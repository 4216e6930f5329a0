package io.pyrometer.protocol;

import static io.pyrometer.protocol.DeclaredSettings.core;

import java.time.Duration;
import java.util.List;

/** The settings that mean the same with every driver, declared in {@code declared.json}. */
public final class CoreSettings {

  /** The longest time that a step of a process's start may take on a loaded machine. */
  public static final Duration MAX_START = Duration.ofMinutes(5);

  /** The longest time that a pass over the records may go on after the stop of its trial. */
  public static final Duration MAX_PASS = Duration.ofMinutes(10);

  private static final double SECONDS_OF_CALL = 0.01;
  private static final int MAX_OPEN_LOOP_THREADS = 64;

  public static final SettingKey<String> DRIVER = core("driver", Settings::text);
  public static final SettingKey<String> PATH = core("path", Settings::text);
  public static final SettingKey<Integer> NODES = core("nodes", Settings::integer);
  public static final SettingKey<Integer> AGENTS = core("agents", Settings::integer);
  public static final SettingKey<Integer> THREADS = core("threads", Settings::integer);
  public static final SettingKey<Integer> THREADS_PER_NODE =
      core("threads-per-node", Settings::integer);
  public static final SettingKey<Integer> CORES = core("cores", Settings::integer);
  public static final SettingKey<Double> NODE_CPUS = core("node-cpus", Settings::decimal);
  public static final SettingKey<Double> AGENT_CPUS = core("agent-cpus", Settings::decimal);
  public static final SettingKey<Double> QUOTA_PERIOD = core("quota-period", Settings::decimal);
  public static final SettingKey<Long> NODE_MEMORY = core("node-memory", Settings::number);
  public static final SettingKey<Long> AGENT_MEMORY = core("agent-memory", Settings::number);
  public static final SettingKey<Long> NODE_HEAP = core("node-heap", Settings::number);
  public static final SettingKey<Long> AGENT_HEAP = core("agent-heap", Settings::number);
  public static final SettingKey<String> NODE_COLLECTOR = core("node-collector", Settings::text);

  /** The value of {@link #COMPILER} that leaves C2 out. */
  public static final String C1 = "C1";

  /** The value of {@link #COMPILER} for the code of a long-running cluster. */
  public static final String C1_AND_C2 = "C1-and-C2";

  public static final SettingKey<String> COMPILER = core("compiler", Settings::text);
  public static final SettingKey<String> NODE_JVM_ARGS = core("node-jvm-args", Settings::text);
  public static final SettingKey<String> AGENT_JVM_ARGS = core("agent-jvm-args", Settings::text);
  public static final SettingKey<String> NODE_JDK = core("node-jdk", Settings::text);
  public static final SettingKey<String> AGENT_JDK = core("agent-jdk", Settings::text);
  public static final SettingKey<List<String>> TELEMETRY = core("telemetry", Settings::names);

  public static final SettingKey<Long> RECORDS = core("records", Settings::number);
  public static final SettingKey<Long> BYTES = core("bytes", Settings::number);
  public static final SettingKey<Integer> DISTINCT_RECORDS =
      core("distinct-records", Settings::integer);
  public static final SettingKey<String> KEYS = core("keys", Settings::text);
  public static final SettingKey<Double> EXISTING = core("existing", Settings::decimal);
  public static final SettingKey<String> KEY_SHARING = core("key-sharing", Settings::text);
  public static final SettingKey<Double> ZIPF_EXPONENT = core("zipf-exponent", Settings::decimal);
  public static final SettingKey<Double> REPEATS = core("repeats", Settings::decimal);
  public static final SettingKey<Long> HOT_KEYS = core("hot-keys", Settings::number);
  public static final SettingKey<Double> RATE = core("rate", Settings::decimal);
  public static final SettingKey<Stages> STAGES = core("stages", Settings::stages);
  public static final SettingKey<Double> P99_LIMIT = core("p99-limit", Settings::decimal);
  public static final SettingKey<String> ARRIVAL = core("arrival", Settings::text);
  public static final SettingKey<Double> READS = core("reads", Settings::decimal);
  public static final SettingKey<Double> MISSES = core("misses", Settings::decimal);
  public static final SettingKey<Double> WARM_UP = core("warm-up", Settings::decimal);
  public static final SettingKey<Double> MEASURE = core("measure", Settings::decimal);
  public static final SettingKey<Double> COMMON_WARM_UP = core("common-warm-up", Settings::decimal);
  public static final SettingKey<Double> DRAIN_TIMEOUT = core("drain-timeout", Settings::decimal);
  public static final SettingKey<Double> CUT_FOR = core("cut-for", Settings::decimal);
  public static final SettingKey<Double> CUT_AFTER = core("cut-after", Settings::decimal);
  public static final SettingKey<String> SERVER_EVENT = core("server-event", Settings::text);
  public static final SettingKey<Double> EVENT_AFTER = core("event-after", Settings::decimal);
  public static final SettingKey<Double> RETURN_AFTER = core("return-after", Settings::decimal);
  public static final SettingKey<Double> LINK_DELAY = core("link-delay", Settings::decimal);
  public static final SettingKey<Double> LINK_JITTER = core("link-jitter", Settings::decimal);
  public static final SettingKey<Double> LINK_RATE = core("link-rate", Settings::decimal);
  public static final SettingKey<Double> LINK_LOSS = core("link-loss", Settings::decimal);
  public static final SettingKey<String> AGGREGATE = core("aggregate", Settings::text);
  public static final SettingKey<String> UPDATE_FIELD = core("update-field", Settings::text);
  public static final SettingKey<String> EXISTING_CACHE = core("existing-cache", Settings::text);

  /** All descriptions, in the order of the documentation. */
  public static final List<SettingDescription> ALL = DeclaredSettings.CORE.list("settings");

  /** The settings of the processes of one kind. */
  public record OfProcess(
      SettingKey<Long> heap,
      SettingKey<Double> cpus,
      SettingKey<Long> memory,
      SettingKey<String> jvmArguments) {
    private static final OfProcess NODE =
        new OfProcess(NODE_HEAP, NODE_CPUS, NODE_MEMORY, NODE_JVM_ARGS);
    private static final OfProcess AGENT =
        new OfProcess(AGENT_HEAP, AGENT_CPUS, AGENT_MEMORY, AGENT_JVM_ARGS);

    /** Process of a node, whose kind is {@code node}, or of an agent. */
    public static OfProcess of(String kind) {
      return kind.equals("node") ? NODE : AGENT;
    }
  }

  private CoreSettings() {}

  /**
   * Load threads of each agent that keep an open loop on schedule: so many that a call of {@value
   * #SECONDS_OF_CALL} s delays no other call of its thread, at most {@value
   * #MAX_OPEN_LOOP_THREADS}; 1 for a closed loop.
   */
  public static int openLoopThreads(Settings settings) {
    double rate =
        settings.find(STAGES).map(Stages::highestRate).orElseGet(() -> settings.get(RATE));
    double threads = Math.ceil(rate / settings.get(AGENTS) * SECONDS_OF_CALL);
    return (int) Math.max(1, Math.min(MAX_OPEN_LOOP_THREADS, threads));
  }

  /** Checks whether a trial writes each of its keys once, and ends then. */
  public static boolean loadsOnce(Settings settings) {
    return settings.find(KEYS).filter("once"::equals).isPresent();
  }

  /** How many keys are in the grid before a trial that writes each of its keys once. */
  public static long existing(Settings settings) {
    return loadsOnce(settings)
        ? Math.round(settings.find(EXISTING).orElse(0.0) * settings.get(RECORDS))
        : 0;
  }

  /** This load without an end of its own. */
  public static Settings endless(Settings settings) {
    return loadsOnce(settings) ? settings.with(KEYS.name(), "sequential") : settings;
  }
}
