package io.pyrometer.experiment;

import static io.pyrometer.protocol.SettingDescription.Scope.CACHE;
import static io.pyrometer.protocol.SettingDescription.Scope.LOAD;
import static io.pyrometer.protocol.SettingDescription.Scope.PROCESS;
import static io.pyrometer.protocol.SettingDescription.choice;
import static io.pyrometer.protocol.SettingDescription.integer;
import static io.pyrometer.protocol.SettingDescription.numeric;
import static io.pyrometer.protocol.SettingDescription.text;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;

/** The settings that mean the same with every driver. */
public final class CoreSettings {

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** All of them, in the order of the documentation. */
  public static final List<SettingDescription> ALL =
      List.of(
          text("path", LOAD, "The access path: one way of doing a job against the grid."),
          integer("nodes", PROCESS, 3, 1, 64, "Server nodes, each a JVM of its own."),
          integer("agents", LOAD, 1, 1, 64, "JVMs that generate load."),
          integer("threads", LOAD, 1, 1, 1024, "Load threads of each agent."),
          integer(
              "threads-per-node",
              LOAD,
              0,
              0,
              64,
              "Load threads of each agent for every server node; 0 to go by 'threads'."),
          integer(
              "cores",
              PROCESS,
              0,
              0,
              1024,
              "Cores that each node is bound to; 0 for all that the machine has."),
          integer(
              "records",
              CACHE,
              1_000_000,
              1,
              1_000_000_000,
              "Different keys: the data set of jobs that read, the key space of jobs that write."),
          bytes(),
          choice(
              "keys",
              LOAD,
              List.of("sequential", "uniform", "zipf"),
              "How keys are drawn; sequential keys begin again at the end."),
          numeric(
              "zipf-exponent",
              SettingDescription.Type.DECIMAL,
              LOAD,
              0.99,
              0.01,
              5,
              "Skew of keys drawn by Zipf."),
          share(
              "repeats",
              0,
              "Share of writes that go again to a key just written, or to a hot key."),
          integer(
              "hot-keys",
              LOAD,
              0,
              0,
              1_000_000_000,
              "Keys that repeats go to, over all load threads; 0 for those just written."),
          numeric(
              "rate",
              SettingDescription.Type.DECIMAL,
              LOAD,
              0.0,
              0,
              1e9,
              "Calls a second over all threads of all agents; 0 for as many as go (closed loop)."),
          seconds(
              "p99-limit", 0.01, 1e-6, 3600, "The p99 that 'capacity' holds each rate against."),
          choice(
              "arrival",
              LOAD,
              List.of("constant", "poisson"),
              "How calls are spaced where a rate is given."),
          share("reads", 0.5, "Share of reads where reads and writes are mixed."),
          share("misses", 0, "Share of those reads that go to keys which are not there."),
          seconds("warm-up", 2, 0, 3600, "The longest warm-up of a trial."),
          seconds("measure", 2.5, 0.1, 36_000, "How long a trial is measured."),
          seconds(
              "cut-for",
              0,
              0,
              3600,
              "How long the hosts that say how are cut off in the measured part; 0 for never."),
          seconds("cut-after", 1, 0, 3600, "When, from the beginning of the measured part."),
          seconds(
              "link-delay", 0, 0, 10, "Added to what each host sends, where hosts are namespaces."),
          seconds(
              "link-jitter", 0, 0, 10, "Added on top, drawn evenly from 0 to this for each frame."),
          numeric(
              "link-rate",
              SettingDescription.Type.RATE,
              LOAD,
              0.0,
              0,
              1e12,
              "Bits a second that each host can send; 0 for no limit."),
          numeric(
              "link-loss",
              SettingDescription.Type.SHARE,
              LOAD,
              0.0,
              0,
              0.5,
              "Share of the frames sent that are lost."),
          seconds(
              "common-warm-up",
              10,
              0,
              3600,
              "Warm-up of fresh processes, spread over all paths that they will see."),
          seconds(
              "patience", 50, 1, 3600, "How long calls may be in flight after the end of a trial."),
          heap("node-heap", 512 * MIB, "Heap of each node."),
          heap("agent-heap", GIB, "Heap of each agent."),
          text(
              "node-jvm-args",
              PROCESS,
              "JVM arguments of each node, with blanks between them, such as '-XX:+UseZGC'."),
          text(
              "agent-jvm-args",
              PROCESS,
              "JVM arguments of each agent, with blanks between them, such as '-XX:+UseZGC'."),
          text(
              "telemetry",
              PROCESS,
              "What is recorded beside the load: gc, jfr, profile, grid, with commas; or none."),
          text(
              "aggregate",
              LOAD,
              "Numeric fields to aggregate over, comma-separated; all of them if absent."),
          differentRecords(),
          text(
              "update-field", LOAD, "The field that updates change; the first numeric if absent."));

  private CoreSettings() {}

  /** The whole number that holds where a file gives these settings. */
  static long number(Settings given, String name) {
    return given.has(name) ? given.number(name) : initial(name);
  }

  private static long initial(String name) {
    return ALL.stream()
        .filter(setting -> setting.name().equals(name))
        .flatMap(setting -> setting.initial().stream())
        .mapToLong(value -> ((Number) value).longValue())
        .findFirst()
        .orElseThrow();
  }

  private static SettingDescription bytes() {
    return new SettingDescription(
        "bytes",
        SettingDescription.Type.BYTES,
        Scope.CACHE,
        Optional.empty(),
        List.of(),
        Optional.of(1.0),
        Optional.of(16.0 * MIB),
        "Size that a record is padded to; its natural size if absent.");
  }

  private static SettingDescription differentRecords() {
    return new SettingDescription(
        "different-records",
        SettingDescription.Type.INTEGER,
        Scope.CACHE,
        Optional.empty(),
        List.of(),
        Optional.of(1.0),
        Optional.of(65_536.0),
        "How many different records are drawn; as many as fit in 64 MB, at most 65536, if absent.");
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
}
