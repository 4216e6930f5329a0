package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.Scope.CACHE;
import static io.pyrometer.protocol.SettingDescription.Scope.LOAD;
import static io.pyrometer.protocol.SettingDescription.Scope.PROCESS;
import static io.pyrometer.protocol.SettingDescription.choice;
import static io.pyrometer.protocol.SettingDescription.integer;
import static io.pyrometer.protocol.SettingDescription.numeric;

import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.List;
import java.util.stream.Stream;

/** The settings that mean the same with every driver, each declared once. */
public final class CoreSettings {

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  public static final SettingKey<String> DRIVER =
      text("driver", PROCESS, "The driver, and with it the product that is measured.");
  public static final SettingKey<String> PATH =
      text("path", LOAD, "The access path: one way of doing a job against the grid.");
  public static final SettingKey<Integer> NODES =
      SettingKey.integer(
          integer("nodes", PROCESS, 3, 1, 64, "Number of server nodes; each is a separate process.")
              .ofServers());
  public static final SettingKey<Integer> AGENTS =
      SettingKey.integer(integer("agents", LOAD, 1, 1, 64, "Number of JVMs that generate load."));
  public static final SettingKey<Integer> THREADS =
      SettingKey.integer(integer("threads", LOAD, 1, 1, 1024, "Load threads of each agent."));
  public static final SettingKey<Integer> THREADS_PER_NODE =
      SettingKey.integer(
          integer(
                  "threads-per-node",
                  LOAD,
                  0,
                  0,
                  64,
                  "Load threads of each agent per server node, so that the number of"
                      + " clients grows with the nodes; 0 to use 'threads'.")
              .ofServers());
  public static final SettingKey<Integer> CORES =
      SettingKey.integer(
          integer(
                  "cores",
                  PROCESS,
                  0,
                  0,
                  1024,
                  "Number of cores that each node is bound to (by taskset), assigned"
                      + " round-robin; 0 for all.")
              .ofServers());
  public static final SettingKey<Double> NODE_CPUS =
      SettingKey.decimal(cpus("node-cpus", "node").ofServers());
  public static final SettingKey<Double> AGENT_CPUS =
      SettingKey.decimal(cpus("agent-cpus", "agent"));
  public static final SettingKey<Double> QUOTA_PERIOD =
      SettingKey.decimal(
          seconds(
              "quota-period",
              0.01,
              0.001,
              1,
              "Period of the quotas node-cpus and agent-cpus: a process that used its share up"
                  + " waits for the next period. Longer where the share would be less than 1 ms."));
  public static final SettingKey<Long> NODE_MEMORY =
      SettingKey.number(memory("node-memory", "node").ofServers());
  public static final SettingKey<Long> AGENT_MEMORY =
      SettingKey.number(memory("agent-memory", "agent"));
  public static final SettingKey<Long> NODE_HEAP =
      SettingKey.number(heap("node-heap", 512 * MIB, "Heap of each node.").ofServers());
  public static final SettingKey<Long> AGENT_HEAP =
      SettingKey.number(heap("agent-heap", GIB, "Heap of each agent."));
  public static final SettingKey<String> NODE_JVM_ARGS =
      SettingKey.text(
          SettingDescription.text(
                  "node-jvm-args",
                  PROCESS,
                  "JVM arguments of each node, separated by blanks, such as '-XX:+UseZGC'.")
              .ofServers());
  public static final SettingKey<String> AGENT_JVM_ARGS =
      text(
          "agent-jvm-args",
          PROCESS,
          "JVM arguments of each agent, separated by blanks, such as '-XX:+UseZGC'.");
  public static final SettingKey<String> NODE_JDK =
      SettingKey.text(jdk("node-jdk", "node").ofServers());
  public static final SettingKey<String> AGENT_JDK = SettingKey.text(jdk("agent-jdk", "agent"));
  public static final SettingKey<List<String>> TELEMETRY =
      SettingKey.names(
          SettingDescription.names(
              "telemetry",
              PROCESS,
              TelemetryKind.selectable(),
              "Telemetry devices; the CPU time of every process is always recorded."));

  public static final SettingKey<Long> RECORDS =
      SettingKey.number(
          integer(
              "records",
              CACHE,
              1_000_000,
              1,
              1_000_000_000,
              "Number of different keys: the data set of jobs that read, the key space"
                  + " of jobs that write."));
  public static final SettingKey<Long> BYTES =
      SettingKey.number(
          numeric(
                  "bytes",
                  SettingDescription.Type.BYTES,
                  CACHE,
                  1L,
                  1,
                  16.0 * MIB,
                  "Size of a record, padded through its filler field; its natural size if"
                      + " absent.")
              .withoutDefault());
  public static final SettingKey<Integer> DIFFERENT_RECORDS =
      SettingKey.integer(
          integer(
                  "different-records",
                  CACHE,
                  1,
                  1,
                  65_536,
                  "Number of different records to draw from; 1 writes the same values under"
                      + " every key, as some published benchmarks do; if absent, as many as fit"
                      + " in 64 MB, at most 65536.")
              .withoutDefault()
              .warmUpAtMost(1_000));
  public static final SettingKey<String> KEYS =
      SettingKey.text(
          choice(
                  "keys",
                  LOAD,
                  List.of("sequential", "uniform", "zipf"),
                  "Distribution of keys; sequential keys start again at the end.")
              .forJobs(Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ));
  public static final SettingKey<String> KEY_SHARING =
      SettingKey.text(
          choice(
                  "key-sharing",
                  LOAD,
                  List.of("own", "shared"),
                  "Whether each load thread writes keys of its own, or all draw from the same keys and"
                      + " contend for them.")
              .forJobs(Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ));
  public static final SettingKey<Double> ZIPF_EXPONENT =
      SettingKey.decimal(
          numeric(
                  "zipf-exponent",
                  SettingDescription.Type.DECIMAL,
                  LOAD,
                  0.99,
                  0.01,
                  5,
                  "Exponent of the Zipf distribution of keys over all records.")
              .forJobs(Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ)
              .needs("keys", "zipf"));
  public static final SettingKey<Double> REPEATS =
      SettingKey.decimal(
          share("repeats", 0, "Share of writes that repeat a key just written, or go to a hot key.")
              .forJobs(Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ));
  public static final SettingKey<Long> HOT_KEYS =
      SettingKey.number(
          integer(
                  "hot-keys",
                  LOAD,
                  0,
                  0,
                  1_000_000_000,
                  "Number of hot keys that repeats are drawn from uniformly, over all load"
                      + " threads; 0 for one of the last 1 024 fresh keys of the thread.")
              .forJobs(Job.WRITE, Job.MIX, Job.UPDATE, Job.TRANSFER, Job.QUERY, Job.READ)
              .needs("repeats"));
  public static final SettingKey<Double> RATE =
      SettingKey.decimal(
          numeric(
              "rate",
              SettingDescription.Type.DECIMAL,
              LOAD,
              0.0,
              0,
              1e9,
              "Calls per second over all threads of all agents; 0 for as many as"
                  + " possible (closed loop)."));
  public static final SettingKey<Double> P99_LIMIT =
      SettingKey.decimal(
          seconds(
              "p99-limit",
              0.01,
              1e-6,
              3600,
              "The p99 that the analysis 'highest-rate' compares each rate with."));
  public static final SettingKey<String> ARRIVAL =
      SettingKey.text(
          choice(
                  "arrival",
                  LOAD,
                  List.of("constant", "poisson"),
                  "Distribution of the time between calls, if a rate is given.")
              .needs("rate"));
  public static final SettingKey<Double> READS =
      SettingKey.decimal(
          share("reads", 0.5, "Share of reads in a mix of reads and writes.").forJobs(Job.MIX));
  public static final SettingKey<Double> MISSES =
      SettingKey.decimal(
          share(
                  "misses",
                  0,
                  "Share of those reads that go to absent keys; a read that hits or misses"
                      + " unexpectedly fails.")
              .forJobs(Job.MIX)
              .needs("reads"));
  public static final SettingKey<Double> WARM_UP =
      SettingKey.decimal(
          seconds(
              "warm-up",
              2,
              0,
              3600,
              "Longest warm-up of a trial; it ends earlier if the throughput is steady."));
  public static final SettingKey<Double> MEASURE =
      SettingKey.decimal(
          seconds("measure", 2.5, 0.1, 36_000, "Duration of the measured part of a trial."));
  public static final SettingKey<Double> COMMON_WARM_UP =
      SettingKey.decimal(
          seconds(
              "common-warm-up",
              10,
              0,
              3600,
              "Longest warm-up of fresh processes in rounds over all their paths; it ends when JIT"
                  + " compilers are quiet."));
  public static final SettingKey<Double> PATIENCE =
      SettingKey.decimal(
          seconds(
              "patience",
              50,
              1,
              3600,
              "How long calls may stay in flight after the end of a trial; a path that"
                  + " hangs longer fails its trial, and its processes are replaced."));
  public static final SettingKey<Double> CUT_FOR =
      SettingKey.decimal(
          seconds(
              "cut-for",
              0,
              0,
              3600,
              "How long the hosts with 'cut' and 'heal' are disconnected from the"
                  + " network in the measured part; 0 for never."));
  public static final SettingKey<Double> CUT_AFTER =
      SettingKey.decimal(
          seconds(
                  "cut-after",
                  1,
                  0,
                  3600,
                  "When these hosts are disconnected, from the start of the measured part.")
              .needs("cut-for"));
  public static final SettingKey<String> SERVER_EVENT =
      SettingKey.text(
          choice(
                  "server-event",
                  LOAD,
                  List.of("none", "kill", "leave", "join"),
                  "What happens in the measured part: the last server is killed (kill -9) or leaves"
                      + " gracefully, or one more server joins.")
              .forJobs(
                  Job.WRITE, Job.AGGREGATE, Job.UPDATE, Job.MIX, Job.TRANSFER, Job.QUERY, Job.READ)
              .ofServers());
  public static final SettingKey<Double> EVENT_AFTER =
      SettingKey.decimal(
          seconds(
                  "event-after",
                  6,
                  0,
                  36_000,
                  "When this happens, from the start of the measured part.")
              .forJobs(
                  Job.WRITE, Job.AGGREGATE, Job.UPDATE, Job.MIX, Job.TRANSFER, Job.QUERY, Job.READ)
              .ofServers()
              .below("measure")
              .needs("server-event", "kill", "leave", "join"));
  public static final SettingKey<Double> RETURN_AFTER =
      SettingKey.decimal(
          seconds(
                  "return-after",
                  0,
                  0,
                  36_000,
                  "When a server that was killed or left is started again, from the start of the"
                      + " measured part; 0 for never.")
              .forJobs(
                  Job.WRITE, Job.AGGREGATE, Job.UPDATE, Job.MIX, Job.TRANSFER, Job.QUERY, Job.READ)
              .ofServers()
              .below("measure")
              .needs("server-event", "kill", "leave"));
  public static final SettingKey<Double> LINK_DELAY =
      SettingKey.decimal(
          seconds(
              "link-delay",
              0,
              0,
              10,
              "Delay of every frame that a host sends, if hosts are namespaces."));
  public static final SettingKey<Double> LINK_JITTER =
      SettingKey.decimal(
          seconds(
              "link-jitter",
              0,
              0,
              10,
              "Added to the link's delay, drawn uniformly from 0 to this value for each"
                  + " frame."));
  public static final SettingKey<Double> LINK_RATE =
      SettingKey.decimal(
          numeric(
              "link-rate",
              SettingDescription.Type.RATE,
              LOAD,
              0.0,
              0,
              1e12,
              "Bits per second that each host can send, if hosts are namespaces; 0 for"
                  + " no limit."));
  public static final SettingKey<Double> LINK_LOSS =
      SettingKey.decimal(
          numeric(
              "link-loss",
              SettingDescription.Type.SHARE,
              LOAD,
              0.0,
              0,
              0.5,
              "Share of the sent frames that are lost, if hosts are namespaces."));
  public static final SettingKey<String> AGGREGATE =
      SettingKey.text(
          SettingDescription.text(
                  "aggregate",
                  LOAD,
                  "Numeric fields to aggregate over, separated by commas; all of them if"
                      + " absent.")
              .forJobs(Job.AGGREGATE));
  public static final SettingKey<String> UPDATE_FIELD =
      SettingKey.text(
          SettingDescription.text(
                  "update-field",
                  LOAD,
                  "The one field that updates change; the first numeric field if absent. Of"
                      + " transfers the balance; the first field of type long or int if absent.")
              .forJobs(Job.UPDATE, Job.TRANSFER));

  public static final SettingKey<String> EXISTING_CACHE =
      SettingKey.text(
          SettingDescription.text(
                  "existing-cache",
                  LOAD,
                  "Name of the cache to read, which is in the grid already; no 'record' is needed"
                      + " then.")
              .forJobs(Job.READ));

  public static final SettingKey<Integer> EQUAL_BACKUPS =
      SettingKey.integer(
          integer("equal-backups", LOAD, 1, 0, 6, "Backup copies that every product keeps.")
              .withoutDefault());
  public static final SettingKey<String> EQUAL_ACKNOWLEDGED_BY =
      SettingKey.text(
          equal(
              "equal-acknowledged-by",
              List.of("all", "primary"),
              "Which copies have a write when it is acknowledged, with every product."));
  public static final SettingKey<String> EQUAL_DURABILITY =
      SettingKey.text(
          equal(
              "equal-durability",
              List.of("memory", "disk"),
              "Where an acknowledged write is kept, with every product."));
  public static final SettingKey<Long> EQUAL_HEAP =
      SettingKey.number(
          heap("equal-heap", 512 * MIB, "Heap of a server of every product.").withoutDefault());

  /** All keys, in the order of the documentation. */
  public static final List<SettingKey<?>> KEYS_IN_ORDER =
      List.of(
          DRIVER,
          PATH,
          NODES,
          AGENTS,
          THREADS,
          THREADS_PER_NODE,
          CORES,
          NODE_CPUS,
          AGENT_CPUS,
          QUOTA_PERIOD,
          NODE_MEMORY,
          AGENT_MEMORY,
          NODE_HEAP,
          AGENT_HEAP,
          NODE_JVM_ARGS,
          AGENT_JVM_ARGS,
          NODE_JDK,
          AGENT_JDK,
          TELEMETRY,
          RECORDS,
          BYTES,
          DIFFERENT_RECORDS,
          KEYS,
          KEY_SHARING,
          ZIPF_EXPONENT,
          REPEATS,
          HOT_KEYS,
          RATE,
          P99_LIMIT,
          ARRIVAL,
          READS,
          MISSES,
          WARM_UP,
          MEASURE,
          COMMON_WARM_UP,
          PATIENCE,
          CUT_FOR,
          CUT_AFTER,
          SERVER_EVENT,
          EVENT_AFTER,
          RETURN_AFTER,
          LINK_DELAY,
          LINK_JITTER,
          LINK_RATE,
          LINK_LOSS,
          AGGREGATE,
          UPDATE_FIELD,
          EXISTING_CACHE,
          EQUAL_BACKUPS,
          EQUAL_ACKNOWLEDGED_BY,
          EQUAL_DURABILITY,
          EQUAL_HEAP);

  /** The descriptions of all keys, in the same order. */
  public static final List<SettingDescription> ALL =
      Stream.of(KEYS_IN_ORDER)
          .flatMap(List::stream)
          .<SettingDescription>map(SettingKey::description)
          .toList();

  private CoreSettings() {}

  private static SettingKey<String> text(String name, Scope scope, String summary) {
    return SettingKey.text(SettingDescription.text(name, scope, summary));
  }

  private static SettingDescription equal(String name, List<String> choices, String summary) {
    return choice(name, LOAD, choices, summary).withoutDefault();
  }

  private static SettingDescription share(String name, double initial, String summary) {
    return numeric(name, SettingDescription.Type.SHARE, LOAD, initial, 0, 1, summary);
  }

  private static SettingDescription seconds(
      String name, double initial, double least, double most, String summary) {
    return numeric(name, SettingDescription.Type.SECONDS, LOAD, initial, least, most, summary);
  }

  private static SettingDescription heap(String name, long initial, String summary) {
    return numeric(
        name, SettingDescription.Type.BYTES, PROCESS, initial, 64.0 * MIB, 1024.0 * GIB, summary);
  }

  private static SettingDescription cpus(String name, String role) {
    return numeric(
        name,
        SettingDescription.Type.DECIMAL,
        LOAD,
        0.0,
        0,
        1024,
        ("CPUs that each %s may use while a trial loads the grid, as a quota such as 0.5; 0 for no"
                + " limit.")
            .formatted(role));
  }

  private static SettingDescription jdk(String name, String role) {
    return SettingDescription.text(
        name,
        PROCESS,
        ("JDK of each %s: a feature version such as 21, looked for on this machine, or a folder;"
                + " Pyrometer's own if absent. Treatments whose JDK is missing are left out.")
            .formatted(role));
  }

  private static SettingDescription memory(String name, String role) {
    return numeric(
        name,
        SettingDescription.Type.BYTES,
        PROCESS,
        0L,
        0,
        1024.0 * GIB,
        "Memory that the process of each %s may use; 0 for no limit.".formatted(role));
  }
}
