package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.Scope.CACHE;
import static io.pyrometer.protocol.SettingDescription.Scope.LOAD;
import static io.pyrometer.protocol.SettingDescription.Scope.PROCESS;
import static io.pyrometer.protocol.SettingKey.bytes;
import static io.pyrometer.protocol.SettingKey.choice;
import static io.pyrometer.protocol.SettingKey.decimal;
import static io.pyrometer.protocol.SettingKey.integer;
import static io.pyrometer.protocol.SettingKey.names;
import static io.pyrometer.protocol.SettingKey.number;
import static io.pyrometer.protocol.SettingKey.text;

import io.pyrometer.protocol.SettingDescription.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The settings that mean the same with every driver, each declared once. */
public final class CoreSettings {

  /** The longest time that a step of a process's start may take on a loaded machine. */
  public static final Duration MAX_START = Duration.ofMinutes(5);

  /** The longest time that a pass over the records may go on after the stop of its trial. */
  public static final Duration MAX_PASS = Duration.ofMinutes(10);

  static final List<SettingKey<?>> KEYS_IN_ORDER = new ArrayList<>();
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long MAX_RECORDS = 1_000_000_000;
  private static final double HOUR = 3600;
  private static final double SECONDS_OF_CALL = 0.01;
  private static final int MAX_OPEN_LOOP_THREADS = 64;

  /** The jobs whose paths draw the keys of their calls. */
  private static final Job[] DRAWING = {
    Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ
  };

  public static final SettingKey<String> DRIVER = addChoice(text("driver", PROCESS));
  public static final SettingKey<String> PATH = addChoice(text("path", LOAD));
  public static final SettingKey<Integer> NODES =
      add(integer("nodes", PROCESS, 3, 1, 64).ofServers());
  public static final SettingKey<Integer> AGENTS = add(integer("agents", LOAD, 1, 1, 64));
  public static final SettingKey<Integer> THREADS = add(integer("threads", LOAD, 1, 1, 1024));
  public static final SettingKey<Integer> THREADS_PER_NODE =
      add(integer("threads-per-node", LOAD, 0, 0, 64).ofServers());
  public static final SettingKey<Integer> CORES =
      add(integer("cores", PROCESS, 0, 0, 1024).ofServers());
  public static final SettingKey<Double> NODE_CPUS = add(cpus("node-cpus").ofServers());
  public static final SettingKey<Double> AGENT_CPUS = add(cpus("agent-cpus"));
  public static final SettingKey<Double> QUOTA_PERIOD =
      add(seconds("quota-period", 0.01, 0.001, 1));
  public static final SettingKey<Long> NODE_MEMORY = add(memory("node-memory").ofServers());
  public static final SettingKey<Long> AGENT_MEMORY = add(memory("agent-memory"));
  public static final SettingKey<Long> NODE_HEAP =
      addChoice(heap("node-heap", PROCESS, 512 * MIB).ofServers());
  public static final SettingKey<Long> AGENT_HEAP = addChoice(heap("agent-heap", PROCESS, GIB));
  public static final SettingKey<String> NODE_COLLECTOR =
      addChoice(
          choice("node-collector", PROCESS, "Serial", "Parallel", "G1", "Z")
              .withoutDefault()
              .ofServers());

  /** The value of {@link #COMPILER} that leaves C2 out. */
  public static final String C1 = "C1";

  /** The value of {@link #COMPILER} for the code of a long-running cluster. */
  public static final String C1_AND_C2 = "C1-and-C2";

  public static final SettingKey<String> COMPILER =
      addChoice(choice("compiler", PROCESS, C1, C1_AND_C2).withoutDefault());
  public static final SettingKey<String> NODE_JVM_ARGS =
      addChoice(text("node-jvm-args", PROCESS).ofServers());
  public static final SettingKey<String> AGENT_JVM_ARGS =
      addChoice(text("agent-jvm-args", PROCESS));
  public static final SettingKey<String> NODE_JDK =
      addChoice(text("node-jdk", PROCESS).ofServers());
  public static final SettingKey<String> AGENT_JDK = addChoice(text("agent-jdk", PROCESS));
  public static final SettingKey<List<String>> TELEMETRY =
      add(names("telemetry", PROCESS, TelemetryKind.selectable()));

  public static final SettingKey<Long> RECORDS =
      add(number("records", CACHE, 1_000_000, 1, MAX_RECORDS));
  public static final SettingKey<Long> BYTES =
      add(bytes("bytes", CACHE, 1, 1, 16 * MIB).withoutDefault());
  public static final SettingKey<Integer> DISTINCT_RECORDS =
      add(integer("distinct-records", CACHE, 1, 1, 65_536).withoutDefault().warmUpAtMost(1_000));
  public static final SettingKey<String> KEYS =
      add(choice("keys", LOAD, "sequential", "uniform", "zipf", "once").forJobs(DRAWING));
  public static final SettingKey<Double> EXISTING =
      add(share("existing", 0, 1).forJobs(Job.WRITE).needs("keys", "once"));
  public static final SettingKey<String> KEY_SHARING =
      add(choice("key-sharing", LOAD, "own", "shared").forJobs(DRAWING));
  public static final SettingKey<Double> ZIPF_EXPONENT =
      add(
          decimal("zipf-exponent", SettingDescription.Type.DECIMAL, LOAD, 0.99, 0.01, 5)
              .forJobs(DRAWING)
              .needs("keys", "zipf"));
  public static final SettingKey<Double> REPEATS = add(share("repeats", 0, 1).forJobs(DRAWING));
  public static final SettingKey<Long> HOT_KEYS =
      add(number("hot-keys", LOAD, 0, 0, MAX_RECORDS).forJobs(DRAWING).needs("repeats"));
  public static final SettingKey<Double> RATE =
      add(decimal("rate", SettingDescription.Type.DECIMAL, LOAD, 0, 0, 1e9));
  public static final SettingKey<Stages> STAGES =
      add(SettingKey.stages("stages", LOAD).forJobs(Job.LOAD.toArray(Job[]::new)));
  public static final SettingKey<Double> P99_LIMIT = add(seconds("p99-limit", 0.01, 1e-6, HOUR));
  public static final SettingKey<String> ARRIVAL =
      add(choice("arrival", LOAD, "constant", "poisson").needs("rate"));
  public static final SettingKey<Double> READS = add(share("reads", 0.5, 1).forJobs(Job.MIX));
  public static final SettingKey<Double> MISSES =
      add(share("misses", 0, 1).forJobs(Job.MIX).needs("reads"));
  public static final SettingKey<Double> WARM_UP = add(seconds("warm-up", 2, 0, HOUR));
  public static final SettingKey<Double> MEASURE = add(seconds("measure", 2.5, 0.1, 10 * HOUR));
  public static final SettingKey<Double> COMMON_WARM_UP =
      add(seconds("common-warm-up", 10, 0, HOUR));
  public static final SettingKey<Double> DRAIN_TIMEOUT = add(seconds("drain-timeout", 50, 1, HOUR));
  public static final SettingKey<Double> CUT_FOR = add(seconds("cut-for", 0, 0, HOUR));
  public static final SettingKey<Double> CUT_AFTER =
      add(seconds("cut-after", 1, 0, HOUR).needs("cut-for"));
  public static final SettingKey<String> SERVER_EVENT =
      add(
          choice("server-event", LOAD, "none", "kill", "leave", "join")
              .forJobs(Job.LOAD.toArray(Job[]::new))
              .ofServers());
  public static final SettingKey<Double> EVENT_AFTER =
      add(ofEvent("event-after", 6, "kill", "leave", "join"));
  public static final SettingKey<Double> RETURN_AFTER =
      add(ofEvent("return-after", 0, "kill", "leave"));
  public static final SettingKey<Double> LINK_DELAY = add(seconds("link-delay", 0, 0, 10));
  public static final SettingKey<Double> LINK_JITTER = add(seconds("link-jitter", 0, 0, 10));
  public static final SettingKey<Double> LINK_RATE =
      add(decimal("link-rate", SettingDescription.Type.RATE, LOAD, 0, 0, 1e12));
  public static final SettingKey<Double> LINK_LOSS = add(share("link-loss", 0, 0.5));
  public static final SettingKey<String> AGGREGATE =
      add(text("aggregate", LOAD).forJobs(Job.AGGREGATE));
  public static final SettingKey<String> UPDATE_FIELD =
      add(text("update-field", LOAD).forJobs(Job.UPDATE, Job.TRANSFER));
  public static final SettingKey<String> EXISTING_CACHE =
      add(text("existing-cache", LOAD).forJobs(Job.READ));

  // The terms that an experiment holds equal between products, see EqualTerm.
  static {
    addChoice(integer("equal-backups", LOAD, 1, 0, 6).withoutDefault());
    addChoice(choice("equal-acknowledged-by", LOAD, "all", "primary").withoutDefault());
    addChoice(choice("equal-durability", LOAD, "memory", "disk").withoutDefault());
    add(choice("equal-client", LOAD, "remote", "member").withoutDefault());
    add(choice("equal-encoding", LOAD, "in-advance", "each-call").withoutDefault());
    addChoice(heap("equal-heap", PROCESS, 512 * MIB).withoutDefault());
  }

  /** The descriptions of all keys, in the order of the documentation. */
  public static final List<SettingDescription> ALL =
      KEYS_IN_ORDER.stream().<SettingDescription>map(SettingKey::description).toList();

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

  /** A setting that describes data, load or machines. */
  private static <T> SettingKey<T> add(SettingKey<T> key) {
    return addChoice(key.asCondition());
  }

  /** A setting that a user chooses. */
  private static <T> SettingKey<T> addChoice(SettingKey<T> key) {
    KEYS_IN_ORDER.add(key);
    return key;
  }

  private static SettingKey<Double> share(String name, double initial, double most) {
    return decimal(name, SettingDescription.Type.SHARE, LOAD, initial, 0, most);
  }

  private static SettingKey<Double> seconds(
      String name, double initial, double least, double most) {
    return decimal(name, SettingDescription.Type.SECONDS, LOAD, initial, least, most);
  }

  private static SettingKey<Double> ofEvent(String name, double initial, String... events) {
    return seconds(name, initial, 0, 10 * HOUR)
        .forJobs(Job.LOAD.toArray(Job[]::new))
        .ofServers()
        .below("measure")
        .needs("server-event", events);
  }

  private static SettingKey<Long> heap(String name, Scope scope, long initial) {
    return bytes(name, scope, initial, 64 * MIB, 1024 * GIB);
  }

  private static SettingKey<Double> cpus(String name) {
    return decimal(name, SettingDescription.Type.DECIMAL, LOAD, 0, 0, 1024);
  }

  private static SettingKey<Long> memory(String name) {
    return bytes(name, PROCESS, 0, 0, 1024 * GIB);
  }

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
