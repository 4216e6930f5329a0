package io.pyrometer.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.Reading;
import java.util.List;
import java.util.Optional;

/**
 * A named value of a trial. The name is the key in {@link TrialRecord#metrics()}: {@value
 * #THROUGHPUT}, {@value #CPU}, latencies as {@link #latency} names them, and whatever telemetry
 * devices add.
 *
 * @param value in the unit
 * @param unit as it is printed, such as {@code records/s} or {@code µs}
 * @param better whether higher or lower is better; empty where neither is
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Metric(double value, String unit, Optional<Direction> better) {

  /** Records per second of the measured part, over all agents. */
  public static final String THROUGHPUT = "throughput";

  /** CPU time of all processes of the grid and its clients per record. */
  public static final String CPU = "cpu-per-record";

  /** CPU seconds of one process in the measured part: this prefix and the process's name. */
  public static final String CPU_SECONDS_OF = "cpu-seconds.";

  /** Resident memory of one process after the measured part: this prefix and its name. */
  public static final String RESIDENT_BYTES_OF = "resident-bytes.";

  /** From the start of all processes until the servers have formed their grid, in seconds. */
  public static final String SERVERS_START = "servers-start";

  /** Seconds for which a process's CPU quota stopped its threads: this prefix and its name. */
  public static final String THROTTLED_SECONDS_OF = "throttled-seconds.";

  /**
   * Percent of the CPU time of the busiest machine of the trial: this prefix and {@code busy} for
   * all processes, {@code nodes}, {@code agents} or {@code clients} for the trial's own, {@code
   * other} for the rest. With the name of a host and a dot between them, that host's.
   */
  public static final String MACHINE = "machine.";

  /** Percent of this machine's CPU time: this prefix and the name of a program of others. */
  public static final String OTHER_PROGRAM = "other-program.";

  /** Service demands of all clients together for one record: this prefix and what was used. */
  public static final String DEMAND_OF_CLIENTS = "demand.clients.";

  /** Service demands of all servers together for one record: this prefix and what was used. */
  public static final String DEMAND_OF_SERVERS = "demand.servers.";

  /** CPU time; beside it stand {@code user}, {@code system}, {@code gc} and {@code jit}. */
  public static final String DEMAND_CPU = "cpu";

  /** The part of JIT compilers in it. */
  public static final String DEMAND_JIT = "jit";

  /** Bytes written by system calls, to sockets and files. */
  public static final String DEMAND_BYTES_OUT = "bytes-out";

  /** Bytes read by system calls, from sockets and files. */
  public static final String DEMAND_BYTES_IN = "bytes-in";

  /** System calls that write: about one for each message that is sent by itself. */
  public static final String DEMAND_MESSAGES_OUT = "messages-out";

  /** System calls that read. */
  public static final String DEMAND_MESSAGES_IN = "messages-in";

  /** Context switches of all threads. */
  public static final String DEMAND_SWITCHES = "context-switches";

  /** The first call of a load thread, of the slowest. */
  public static final String FIRST_CALL = "first-call";

  /** From the first write to the last acknowledgement where each key is written once. */
  public static final String LOADED = "load-time";

  /** CPU time of one server without load. */
  public static final String IDLE_SERVER = "demand.idle-server";

  /** Memory of a record on all servers together, with all copies. */
  public static final String MEMORY = "demand.memory";

  /** Growth of the live heaps of all servers for a record, with all copies. */
  public static final String HEAP_MEMORY = "demand.memory-heap";

  /** Records that are there in the end, where expiry or eviction may drop some. */
  public static final String RECORDS_LEFT = "records.left";

  /** Open loop: calls per second that the schedule asked for. */
  public static final String OFFERED_RATE = "offered-rate";

  /** Open loop: calls that ended in the measured part, in percent of those that it asked for. */
  public static final String COMPLETED_OF_OFFERED = "completed-of-offered";

  /** Open loop: calls due before the measured part that had not begun when it did. */
  public static final String BACKLOG_AT_START = "backlog-at-start";

  /** Open loop: calls due that had not begun when the measured part ended. */
  public static final String BACKLOG_AT_END = "backlog-at-end";

  /** Benchmarks: bytes that the client's JVM allocates for a record. */
  public static final String ALLOCATED = "allocated-per-record";

  /**
   * Events of an access path besides calls, such as attempts that were rolled back, for 1,000 calls
   * that ended: this prefix and its name.
   */
  public static final String EVENTS = "events.";

  /**
   * Records given to the client a second, those included that it merged with later ones of the same
   * key and never sent; absent where it merged none. {@link #THROUGHPUT} counts what was sent.
   */
  public static final String HANDED_OVER = "handed-over";

  /**
   * The different keys that a trial which writes left in the grid, from its warm-up on. Fewer than
   * it wrote where keys repeat, or where a path skips keys that exist.
   */
  public static final String DISTINCT_KEYS = "distinct-keys";

  /**
   * When a server event happened, in seconds from the start of the measured part: this prefix and
   * {@code kill}, {@code leave}, {@code join}, {@code return} for its begin, {@code left} and
   * {@code joined} for its end.
   */
  public static final String SERVER_EVENT = "server-event.";

  /**
   * By how much the wall clock of a process on another host is ahead of the coordinator's: this
   * prefix and its name. Absent for a process on the coordinator's machine, which shares its clock.
   */
  public static final String CLOCK_AHEAD = "clock.ahead.";

  /** The largest error of {@link #CLOCK_AHEAD}: this prefix and the name of the process. */
  public static final String CLOCK_ERROR = "clock.error.";

  /** Records a second of one agent of several: this prefix and its name. */
  public static final String THROUGHPUT_OF = "throughput.";

  /** Calls a second that the schedule offered one agent of several: this prefix and its name. */
  public static final String OFFERED_RATE_OF = "offered-rate.";

  /**
   * By how much an agent began to measure after the first of several, by the coordinator's clock:
   * this prefix and its name.
   */
  public static final String START_OF = "start.";

  /**
   * By how much the command to begin reached an agent after the scheduled start: this prefix and
   * its name. Absent where it was in time.
   */
  public static final String LATE_COMMAND_OF = "late-command.";

  /** Keys that threads share whose value is not the last write of any thread, or absent. */
  public static final String WRONG_KEYS = "keys.wrong";

  /**
   * Keys that hold another record than the last written, of a path that does not keep the order.
   */
  public static final String LATE_KEYS = "keys.late";

  /** Transfers: accounts whose balance is not what the acknowledged transfers give. */
  public static final String WRONG_ACCOUNTS = "transfers.wrong-accounts";

  /** Transfers: the sum of all balances found minus the sum that was filled in. */
  public static final String CREATED_MONEY = "transfers.created";

  private static final String LATENCY = "latency.";

  /** The statistics of a latency distribution that are metrics of a trial. */
  public enum LatencyStatistic {
    MEAN("mean", 0),
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    P999("p99.9", 99.9),
    MAX("max", 100);

    /** Those that are shown only where at least ten calls lie beyond. */
    public static final List<LatencyStatistic> PERCENTILES = List.of(P50, P90, P99, P999);

    private final String label;
    private final double percent;

    LatencyStatistic(String label, double percent) {
      this.label = label;
      this.percent = percent;
    }

    /** The percent of the calls that do not exceed a percentile. */
    public double percent() {
      return percent;
    }

    /**
     * The statistic in microseconds; empty for a percentile of too few calls.
     *
     * @param calls at least one, nanoseconds
     */
    public Optional<Double> of(LatencyCounts calls) {
      if (this == MEAN) {
        double sum =
            calls.counts().entrySet().stream()
                .mapToDouble(each -> HistogramText.middle(each.getKey()) * (double) each.getValue())
                .reduce(0, Double::sum);
        return Optional.of(sum / calls.count() / 1e3);
      }
      return this == MAX || calls.count() >= Percentiles.samplesNeeded(percent)
          ? Optional.of(calls.percentile(percent) / 1e3)
          : Optional.empty();
    }

    /** The label in metric names and tables: {@code p99.9}. */
    public String label() {
      return label;
    }
  }

  /** The name of a latency metric: {@code latency.get.p99}. Values are in microseconds. */
  public static String latency(String operation, LatencyStatistic statistic) {
    return LATENCY + operation + "." + statistic.label;
  }

  /** The operation and statistic of a latency metric's name; empty for another metric's. */
  public static Optional<OperationStatistic> parseLatency(String name) {
    if (!name.startsWith(LATENCY)) {
      return Optional.empty();
    }
    for (LatencyStatistic statistic : LatencyStatistic.values()) {
      String suffix = "." + statistic.label;
      if (name.endsWith(suffix) && name.length() > LATENCY.length() + suffix.length()) {
        return Optional.of(
            new OperationStatistic(
                name.substring(LATENCY.length(), name.length() - suffix.length()), statistic));
      }
    }
    return Optional.empty();
  }

  public record OperationStatistic(String operation, LatencyStatistic statistic) {}

  /** The metric of a reading in a process. */
  public static Metric of(Reading reading) {
    return switch (reading.better()) {
      case HIGHER -> higherIsBetter(reading.value(), reading.unit());
      case LOWER -> lowerIsBetter(reading.value(), reading.unit());
      case NEITHER -> neutral(reading.value(), reading.unit());
    };
  }

  public static Metric higherIsBetter(double value, String unit) {
    return new Metric(value, unit, Optional.of(Direction.HIGHER));
  }

  public static Metric lowerIsBetter(double value, String unit) {
    return new Metric(value, unit, Optional.of(Direction.LOWER));
  }

  public static Metric neutral(double value, String unit) {
    return new Metric(value, unit, Optional.empty());
  }
}
