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
import java.util.Set;

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

  /** The user's choices; all other settings of the core describe data, load and machines. */
  private static final Set<String> CHOICES =
      Set.of(
          "driver",
          "path",
          "node-heap",
          "agent-heap",
          "compiler",
          "node-jvm-args",
          "agent-jvm-args",
          "node-jdk",
          "agent-jdk",
          "node-collector",
          "equal-backups",
          "equal-acknowledged-by",
          "equal-durability",
          "equal-heap");

  /** The jobs whose paths draw the keys of their calls. */
  private static final Job[] DRAWING = {
    Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ
  };

  public static final SettingKey<String> DRIVER =
      add(text("driver", PROCESS), "The driver, and with it the product that is measured.");
  public static final SettingKey<String> PATH =
      add(text("path", LOAD), "The access path: one way of doing a job against the grid.");
  public static final SettingKey<Integer> NODES =
      add(
          integer("nodes", PROCESS, 3, 1, 64).ofServers(),
          "Number of server nodes; each is a separate process.");
  public static final SettingKey<Integer> AGENTS =
      add(integer("agents", LOAD, 1, 1, 64), "Number of JVMs that generate load.");
  public static final SettingKey<Integer> THREADS =
      add(
          integer("threads", LOAD, 1, 1, 1024),
          "Load threads of each agent. With 'rate' or 'stages', the initial value is one for every"
              + " 100 calls/s of an agent at the highest rate of the experiment, at most 64.");
  public static final SettingKey<Integer> THREADS_PER_NODE =
      add(
          integer("threads-per-node", LOAD, 0, 0, 64).ofServers(),
          "Load threads of each agent per server node, so that the number of clients grows with"
              + " the nodes; 0 to use 'threads'.");
  public static final SettingKey<Integer> CORES =
      add(
          integer("cores", PROCESS, 0, 0, 1024).ofServers(),
          "Number of cores that each node is bound to (by taskset), assigned round-robin; 0 for"
              + " all.");
  public static final SettingKey<Double> NODE_CPUS = cpus("node");
  public static final SettingKey<Double> AGENT_CPUS = cpus("agent");
  public static final SettingKey<Double> QUOTA_PERIOD =
      add(
          seconds("quota-period", 0.01, 0.001, 1),
          "Period of the quotas node-cpus and agent-cpus: a process that used its share up waits"
              + " for the next period. Longer where the share would be less than 1 ms.");
  public static final SettingKey<Long> NODE_MEMORY = memory("node");
  public static final SettingKey<Long> AGENT_MEMORY = memory("agent");
  public static final SettingKey<Long> NODE_HEAP =
      add(heap("node-heap", PROCESS, 512 * MIB).ofServers(), "Heap of each node.");
  public static final SettingKey<Long> AGENT_HEAP =
      add(heap("agent-heap", PROCESS, GIB), "Heap of each agent.");
  public static final SettingKey<String> NODE_COLLECTOR =
      add(
          choice("node-collector", PROCESS, "Serial", "Parallel", "G1", "Z")
              .withoutDefault()
              .ofServers(),
          "Garbage collector of each node; as the JVM chooses if absent.");

  /** The value of {@link #COMPILER} that leaves C2 out. */
  public static final String C1 = "C1";

  /** The value of {@link #COMPILER} for the code of a long-running cluster. */
  public static final String C1_AND_C2 = "C1-and-C2";

  public static final SettingKey<String> COMPILER =
      add(
          choice("compiler", PROCESS, C1, C1_AND_C2).withoutDefault(),
          "JIT compilers of the JVMs of nodes and agents. Code is warm after seconds with C1 alone, and C2 makes it up"
              + " to about twice as fast in minutes. If absent, both; or C1 alone where JVMs that this machine"
              + " starts are more than its CPUs, and have less than a minute to warm up.");
  public static final SettingKey<String> NODE_JVM_ARGS = jvmArgs("node");
  public static final SettingKey<String> AGENT_JVM_ARGS = jvmArgs("agent");
  public static final SettingKey<String> NODE_JDK = jdk("node");
  public static final SettingKey<String> AGENT_JDK = jdk("agent");
  public static final SettingKey<List<String>> TELEMETRY =
      add(
          names("telemetry", PROCESS, TelemetryKind.selectable()),
          "Telemetry devices; the CPU time of every process is always recorded.");

  public static final SettingKey<Long> RECORDS =
      add(
          number("records", CACHE, 1_000_000, 1, MAX_RECORDS),
          "Number of different keys: the data set of jobs that read, the key space of jobs that"
              + " write.");
  public static final SettingKey<Long> BYTES =
      add(
          bytes("bytes", CACHE, 1, 1, 16 * MIB).withoutDefault(),
          "Size of a record, padded through its filler field; its natural size if absent.");
  public static final SettingKey<Integer> DISTINCT_RECORDS =
      add(
          integer("distinct-records", CACHE, 1, 1, 65_536).withoutDefault().warmUpAtMost(1_000),
          "Number of distinct records to draw from; 1 writes the same values under every key, as"
              + " some published benchmarks do; if absent, as many as fit in 64 MB, at most"
              + " 65536.");
  public static final SettingKey<String> KEYS =
      add(
          choice("keys", LOAD, "sequential", "uniform", "zipf", "once").forJobs(DRAWING),
          "Distribution of keys; sequential keys start again at the end. With 'once', for paths"
              + " that write, each key is written once, and the measured part is from the first write"
              + " to the last acknowledgement.");
  public static final SettingKey<Double> EXISTING =
      add(
          share("existing", 0, 1).forJobs(Job.WRITE).needs("keys", "once"),
          "Share of the keys that are in the grid, with other records, before a load with 'keys:"
              + " once'.");
  public static final SettingKey<String> KEY_SHARING =
      add(
          choice("key-sharing", LOAD, "own", "shared").forJobs(DRAWING),
          "Whether each load thread writes keys of its own, or all draw from the same keys and"
              + " contend for them.");
  public static final SettingKey<Double> ZIPF_EXPONENT =
      add(
          decimal("zipf-exponent", SettingDescription.Type.DECIMAL, LOAD, 0.99, 0.01, 5)
              .forJobs(DRAWING)
              .needs("keys", "zipf"),
          "Exponent of the Zipf distribution of keys over all records.");
  public static final SettingKey<Double> REPEATS =
      add(
          share("repeats", 0, 1).forJobs(DRAWING),
          "Share of writes that repeat a key just written, or go to a hot key.");
  public static final SettingKey<Long> HOT_KEYS =
      add(
          number("hot-keys", LOAD, 0, 0, MAX_RECORDS).forJobs(DRAWING).needs("repeats"),
          "Number of hot keys that repeats are drawn from uniformly, over all load threads; 0 for"
              + " one of the last 1 024 fresh keys of the thread.");
  public static final SettingKey<Double> RATE =
      add(
          decimal("rate", SettingDescription.Type.DECIMAL, LOAD, 0, 0, 1e9),
          "Calls per second over all threads of all agents; 0 for as many as possible (closed"
              + " loop).");
  public static final SettingKey<Stages> STAGES =
      add(
          SettingKey.stages("stages", LOAD).forJobs(Job.LOAD.toArray(Job[]::new)),
          "Stages of the offered rate, constant or ramps, which together are the measured part; in"
              + " place of 'rate' and 'measure'. The warm-up offers the first rate.");
  public static final SettingKey<Double> P99_LIMIT =
      add(
          seconds("p99-limit", 0.01, 1e-6, HOUR),
          "The p99 that the analysis 'highest-rate' compares each rate with.");
  public static final SettingKey<String> ARRIVAL =
      add(
          choice("arrival", LOAD, "constant", "poisson").needs("rate"),
          "Distribution of the time between calls, if a rate is given.");
  public static final SettingKey<Double> READS =
      add(share("reads", 0.5, 1).forJobs(Job.MIX), "Share of reads in a mix of reads and writes.");
  public static final SettingKey<Double> MISSES =
      add(
          share("misses", 0, 1).forJobs(Job.MIX).needs("reads"),
          "Share of those reads that go to absent keys; a read that hits or misses unexpectedly"
              + " fails.");
  public static final SettingKey<Double> WARM_UP =
      add(
          seconds("warm-up", 2, 0, HOUR),
          "Longest warm-up of a trial; it ends earlier if the throughput is steady.");
  public static final SettingKey<Double> MEASURE =
      add(seconds("measure", 2.5, 0.1, 10 * HOUR), "Duration of the measured part of a trial.");
  public static final SettingKey<Double> COMMON_WARM_UP =
      add(
          seconds("common-warm-up", 10, 0, HOUR),
          "Longest warm-up of fresh processes in turns over all their paths, at a rate only on an"
              + " attached grid; it ends when JIT compilers are quiet. It holds for the treatments"
              + " with the fewest nodes, and is longer in proportion where there are more.");
  public static final SettingKey<Double> DRAIN_TIMEOUT =
      add(
          seconds("drain-timeout", 50, 1, HOUR),
          "How long calls may stay in flight after the end of a trial; a path that hangs longer"
              + " fails its trial, and its processes are replaced. A pass over the records goes on while"
              + " its calls end.");
  public static final SettingKey<Double> CUT_FOR =
      add(
          seconds("cut-for", 0, 0, HOUR),
          "How long the hosts with 'cut' and 'heal' are disconnected from the network in the"
              + " measured part; 0 for never.");
  public static final SettingKey<Double> CUT_AFTER =
      add(
          seconds("cut-after", 1, 0, HOUR).needs("cut-for"),
          "When these hosts are disconnected, from the start of the measured part.");
  public static final SettingKey<String> SERVER_EVENT =
      add(
          choice("server-event", LOAD, "none", "kill", "leave", "join")
              .forJobs(Job.LOAD.toArray(Job[]::new))
              .ofServers(),
          "What happens in the measured part: the last server is killed (kill -9) or leaves"
              + " gracefully, or one more server joins.");
  public static final SettingKey<Double> EVENT_AFTER =
      add(
          ofEvent("event-after", 6, "kill", "leave", "join"),
          "When this happens, from the start of the measured part.");
  public static final SettingKey<Double> RETURN_AFTER =
      add(
          ofEvent("return-after", 0, "kill", "leave"),
          "When a server that was killed or left is started again, from the start of the measured"
              + " part; 0 for never.");
  public static final SettingKey<Double> LINK_DELAY =
      add(
          seconds("link-delay", 0, 0, 10),
          "Delay of every frame that a host sends, if hosts are namespaces.");
  public static final SettingKey<Double> LINK_JITTER =
      add(
          seconds("link-jitter", 0, 0, 10),
          "Added to the link's delay, drawn uniformly from 0 to this value for each frame.");
  public static final SettingKey<Double> LINK_RATE =
      add(
          decimal("link-rate", SettingDescription.Type.RATE, LOAD, 0, 0, 1e12),
          "Bits per second that each host can send, if hosts are namespaces; 0 for no limit.");
  public static final SettingKey<Double> LINK_LOSS =
      add(
          share("link-loss", 0, 0.5),
          "Share of the sent frames that are lost, if hosts are namespaces.");
  public static final SettingKey<String> AGGREGATE =
      add(
          text("aggregate", LOAD).forJobs(Job.AGGREGATE),
          "Numeric fields to aggregate over, separated by commas; all of them if absent.");
  public static final SettingKey<String> UPDATE_FIELD =
      add(
          text("update-field", LOAD).forJobs(Job.UPDATE, Job.TRANSFER),
          "The one field that updates change; the first numeric field if absent. Of transfers the"
              + " balance; the first field of type long or int if absent.");
  public static final SettingKey<String> EXISTING_CACHE =
      add(
          text("existing-cache", LOAD).forJobs(Job.READ),
          "Name of the cache to read, which is in the grid already; no 'record' is needed then.");

  public static final SettingKey<Integer> EQUAL_BACKUPS =
      add(
          integer("equal-backups", LOAD, 1, 0, 6).withoutDefault(),
          "Backup copies that every product keeps.");
  public static final SettingKey<String> EQUAL_ACKNOWLEDGED_BY =
      add(
          choice("equal-acknowledged-by", LOAD, "all", "primary").withoutDefault(),
          "Which copies have a write when it is acknowledged, with every product.");
  public static final SettingKey<String> EQUAL_DURABILITY =
      add(
          choice("equal-durability", LOAD, "memory", "disk").withoutDefault(),
          "Where an acknowledged write is kept, with every product.");
  public static final SettingKey<String> EQUAL_CLIENT =
      add(
          choice("equal-client", LOAD, "remote", "member").withoutDefault(),
          "Whether clients of every product are outside the cluster or members without data.");
  public static final SettingKey<String> EQUAL_ENCODING =
      add(
          choice("equal-encoding", LOAD, "in-advance", "each-call").withoutDefault(),
          "When values are encoded, with every product: before the measurement or in each call.");
  public static final SettingKey<Long> EQUAL_HEAP =
      add(
          heap("equal-heap", PROCESS, 512 * MIB).withoutDefault(),
          "Heap of a server of every product.");

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

    /** Those of nodes, whose kind is {@code node}, or of agents. */
    public static OfProcess of(String kind) {
      return kind.equals("node") ? NODE : AGENT;
    }
  }

  private CoreSettings() {}

  private static <T> SettingKey<T> add(SettingKey<T> key, String summary) {
    SettingKey<T> declared = key.meaning(summary);
    SettingKey<T> whole = CHOICES.contains(key.name()) ? declared : declared.asCondition();
    KEYS_IN_ORDER.add(whole);
    return whole;
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

  private static <T> SettingKey<T> ofRole(String role, SettingKey<T> key, String summary) {
    return add(role.equals("node") ? key.ofServers() : key, summary.formatted(role));
  }

  private static SettingKey<Double> cpus(String role) {
    return ofRole(
        role,
        decimal(role + "-cpus", SettingDescription.Type.DECIMAL, LOAD, 0, 0, 1024),
        "CPUs that each %s may use while a trial loads the grid, as a quota such as 0.5; 0 for no"
            + " limit.");
  }

  private static SettingKey<Long> memory(String role) {
    return ofRole(
        role,
        bytes(role + "-memory", PROCESS, 0, 0, 1024 * GIB),
        "Memory that the process of each %s may use; 0 for no limit.");
  }

  private static SettingKey<String> jvmArgs(String role) {
    return ofRole(
        role,
        text(role + "-jvm-args", PROCESS),
        "JVM arguments of each %s, separated by blanks, such as '-XX:+UseZGC'.");
  }

  private static SettingKey<String> jdk(String role) {
    return ofRole(
        role,
        text(role + "-jdk", PROCESS),
        "JDK of each %s: a feature version such as 21, looked for on this machine, or a folder;"
            + " Pyrometer's own if absent. Treatments whose JDK is missing are left out.");
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
