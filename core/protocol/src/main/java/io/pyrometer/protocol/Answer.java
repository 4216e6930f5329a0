package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/** A message of a worker process, one JSON line on its standard output. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Answer {

  /** The process runs and listens; said once, unasked. */
  record Hello(long pid, String jvm) implements Answer {}

  /** The command is carried out and there is nothing to say. */
  record Done() implements Answer {}

  /**
   * A scheduled command is executed.
   *
   * @param lateMicros by which it was received after its instant; 0 if it was received in time
   */
  record Begun(long lateMicros) implements Answer {}

  /** The command failed. {@code why} is one sentence; the stack trace is in the worker's log. */
  record Failed(String why) implements Answer {}

  /**
   * A server did not start because another process has one of its ports; a start with other ports
   * may succeed.
   *
   * @param why one sentence
   */
  record PortTaken(String why) implements Answer {}

  record Ports(List<Integer> ports) implements Answer {}

  /**
   * The CPU time of the process since it started; of a native server, of its processes instead.
   *
   * @param seconds CPU time in user and kernel mode
   * @param compilerSeconds that of the JVM's compiler threads in it; 0 for a native server
   * @param epochMicros the wall clock of its host, since 1970
   * @param machine the machine that the process runs on; empty where the process does not tell
   */
  record Cpu(
      double seconds, double compilerSeconds, long epochMicros, Optional<MachineReading> machine)
      implements Answer {}

  /** The form of a cache of the user's. */
  record CacheSampled(CacheSample sample) implements Answer {}

  /** The workload in statistics of the product. */
  record WorkloadSampled(WorkloadSample sample) implements Answer {}

  /** The grid's description of itself. */
  record GridDescribed(GridDescription grid) implements Answer {}

  /** The findings of the driver's checks. */
  record Examined(HealthReport report) implements Answer {}

  /**
   * How many servers form the grid.
   *
   * @param count empty where the product does not tell
   */
  record Servers(Optional<Integer> count) implements Answer {}

  /**
   * The servers of a grid that goes on, as an agent watches them from outside.
   *
   * @param servers how many tell their metrics
   * @param unknownUsage why not each answers {@link Command.Usage}; empty where each does
   */
  record Watching(int servers, Optional<String> unknownUsage) implements Answer {}

  /**
   * The use of the JVM's heap after a collection.
   *
   * @param bytes empty for a process that is no server, and for a native server
   */
  record LiveHeap(Optional<Long> bytes) implements Answer {}

  /**
   * A server or session is up.
   *
   * @param clientAddress host:port where clients of a server connect; empty for sessions
   * @param configuration what the running server or client says of itself
   */
  record Started(Optional<String> clientAddress, Map<String, String> configuration)
      implements Answer {}

  /**
   * @param configuration the cache's and the cluster's configuration as read back from the running
   *     grid
   */
  record Prepared(Map<String, String> configuration) implements Answer {
    /** The key of the number of servers. */
    public static final String SERVERS = "cluster.servers";
  }

  /**
   * The work of one agent in a tenth of a second; unasked, between Begin and Finish.
   *
   * @param index tenths of a second since Begin
   * @param records finished in this tenth
   * @param calls ended in this tenth, where latencies are told
   * @param latencyNanos of these calls, summed
   * @param ended whether the last load thread has come to an end of its own; told once
   */
  record Sample(int index, long records, long calls, long latencyNanos, boolean ended)
      implements Answer {}

  /**
   * The work of an agent between Measure and Finish. Everything but {@code errors} and {@code
   * failedAfterwards} is counted between the same two instants.
   *
   * @param seconds from Measure to Finish, by the agent's clock
   * @param records finished within them
   * @param calls finished within them
   * @param failedCalls failed within them
   * @param failedAfterwards calls that failed after Finish, while calls in flight came to their end
   * @param errors the first few different causes since Begin, one sentence each
   * @param intervals latency from the first second to the last
   * @param slipP99Micros how late calls were begun after their intended start (0 in closed loop)
   * @param arrivals what the schedule asked for; empty in closed loop
   * @param events what the access path counted besides calls, by name
   * @param slowest the slowest calls; empty where the agent does not record them
   * @param firstCallMicros what the first call after Begin of each load thread took, of the thread
   *     with the slowest; 0 where none ended
   */
  record Finished(
      double seconds,
      long records,
      long calls,
      long failedCalls,
      long failedAfterwards,
      List<String> errors,
      List<Interval> intervals,
      double slipP99Micros,
      Optional<Arrivals> arrivals,
      Map<String, Long> events,
      Optional<Slowest> slowest,
      double firstCallMicros)
      implements Answer {}

  /**
   * The latencies of calls that ended in one part of the measurement: a second of it, or more in
   * long measurements.
   *
   * @param fromSeconds begin of the interval, since Measure
   * @param toSeconds end of the interval, since Measure
   * @param histograms by operation, nanoseconds, each a {@link HistogramText}; an operation of
   *     which no call ended is absent
   */
  record Interval(double fromSeconds, double toSeconds, Map<String, String> histograms) {}

  /** The findings of this agent's verification. */
  record Verified(Evidence evidence) implements Answer {}

  record Probed(ProbeResult.ProbeCounts found) implements Answer {}

  /**
   * The ability of this process to run a recorder.
   *
   * @param facts how it will record, by name, such as the engine of a profiler
   * @param unavailable one sentence that says why it cannot run; empty where it can
   */
  record RecordingPrepared(Map<String, String> facts, Optional<String> unavailable)
      implements Answer {}

  /**
   * The results of a recorder.
   *
   * @param seconds from its start to its stop, by the worker's clock
   * @param files paths on the worker's host, to be read with {@link Command.FetchFile}
   */
  record Recorded(double seconds, List<Reading> readings, List<String> files) implements Answer {}

  /**
   * The answer to a {@link Command.OfKind}.
   *
   * @param content of a type that the kind alone knows
   */
  record OfKind(JsonNode content) implements Answer {

    /** An answer whose content is written as JSON. */
    public static OfKind of(Object content) {
      return new OfKind(Json.LINES.valueToTree(content));
    }

    /**
     * The content as what it was written from.
     *
     * @throws IllegalArgumentException if it is none
     */
    public <T> T as(Class<T> type) {
      return Json.LINES.convertValue(content, type);
    }
  }

  /**
   * @param base64 the bytes that were read; empty at the end of the file
   * @param fileBytes size of the whole file
   */
  record FilePart(String base64, long fileBytes) implements Answer {}

  /**
   * The resources that a process used since it started. Where the worker only supervises a native
   * server, the figures are those of the server's own processes, and the worker's JVM is reported
   * apart.
   *
   * @param userSeconds CPU time in user mode; all CPU time if the system does not separate modes
   *     apart
   * @param systemSeconds CPU time in the kernel
   * @param supervisorSeconds CPU time of the worker's JVM where it only supervises; else 0
   * @param gcSeconds of the JVM; 0 for a native server
   * @param upSeconds since the worker started
   * @param threadAllocatedBytes by all threads of the JVM; 0 for a native server, and where the JVM
   *     does not tell
   * @param cores that the JVM counts on, or that a native server may run on
   * @param cpusAllowed that the system lets the process run on, such as {@code 0-3,7}; empty where
   *     it does not tell
   * @param inside what the process did besides, as far as its system tells
   * @param machine the machine that the process runs on; empty where the process does not tell
   */
  record Used(
      double userSeconds,
      double systemSeconds,
      double supervisorSeconds,
      double gcSeconds,
      double upSeconds,
      long residentBytes,
      long majorFaults,
      long threadAllocatedBytes,
      int cores,
      String cpusAllowed,
      Inside inside,
      Optional<MachineReading> machine)
      implements Answer {

    /** Nothing was used, on this machine at this moment. */
    public static Used nothing(Optional<MachineReading> machine) {
      return new Used(0, 0, 0, 0, 0, 0, 0, 0, 0, "", Inside.NONE, machine);
    }

    /** The usage of a remote JVM, without modes, memory and machine. */
    public static Used ofJvm(double cpuSeconds, double gcSeconds, double upSeconds, int cores) {
      return new Used(
          cpuSeconds,
          0,
          0,
          gcSeconds,
          upSeconds,
          0,
          0,
          0,
          cores,
          "",
          Inside.NONE,
          Optional.empty());
    }

    /** This usage, of a server whose data take so many bytes. */
    public Used storing(Optional<Long> bytes) {
      return with(inside.storing(bytes), machine);
    }

    /** This usage, of a process on a machine. */
    public Used on(MachineReading itsMachine) {
      return with(inside, Optional.of(itsMachine));
    }

    private Used with(Inside changed, Optional<MachineReading> on) {
      return new Used(
          userSeconds,
          systemSeconds,
          supervisorSeconds,
          gcSeconds,
          upSeconds,
          residentBytes,
          majorFaults,
          threadAllocatedBytes,
          cores,
          cpusAllowed,
          changed,
          on);
    }

    /** CPU time in both modes, without a supervisor's. */
    public double cpuSeconds() {
      return userSeconds + systemSeconds;
    }

    /** The usage from {@code before} to this; resident memory and processors are as of now. */
    public Used since(Used before) {
      return new Used(
          userSeconds - before.userSeconds,
          systemSeconds - before.systemSeconds,
          supervisorSeconds - before.supervisorSeconds,
          gcSeconds - before.gcSeconds,
          upSeconds - before.upSeconds,
          residentBytes,
          majorFaults - before.majorFaults,
          threadAllocatedBytes - before.threadAllocatedBytes,
          cores,
          cpusAllowed,
          inside.since(before.inside),
          machine.flatMap(now -> before.machine.filter(now::isOfSameBoot).map(now::since)));
    }
  }

  /**
   * The activity of a process since it started, besides its CPU time.
   *
   * @param collectorSeconds CPU time of the JVM's threads for garbage collection and VM operations;
   *     0 for a native server
   * @param compilerSeconds CPU time of the JVM's compiler threads; 0 for a native server
   * @param io empty where the system does not count it
   * @param contextSwitches of all its threads, voluntary or not
   * @param storedBytes what a server's data take at this moment, its indexes included; empty where
   *     the product does not tell, and for a process that is no server
   */
  record Inside(
      double collectorSeconds,
      double compilerSeconds,
      Optional<Io> io,
      long contextSwitches,
      Optional<Long> storedBytes) {
    public static final Inside NONE = new Inside(0, 0, Optional.empty(), 0, Optional.empty());

    Inside since(Inside before) {
      return new Inside(
          Math.max(0, collectorSeconds - before.collectorSeconds),
          Math.max(0, compilerSeconds - before.compilerSeconds),
          io.flatMap(now -> before.io.map(now::since)),
          Math.max(0, contextSwitches - before.contextSwitches),
          storedBytes);
    }

    /** Both together. */
    public Inside plus(Inside other) {
      return new Inside(
          collectorSeconds + other.collectorSeconds,
          compilerSeconds + other.compilerSeconds,
          io.flatMap(own -> other.io.map(own::plus)),
          contextSwitches + other.contextSwitches,
          storedBytes.isPresent()
              ? Optional.of(storedBytes.get() + other.storedBytes.orElse(0L))
              : other.storedBytes);
    }

    Inside storing(Optional<Long> bytes) {
      return new Inside(collectorSeconds, compilerSeconds, io, contextSwitches, bytes);
    }
  }

  /** Bytes and calls of the system calls that read and write, on sockets and files alike. */
  record Io(long readBytes, long readCalls, long writtenBytes, long writeCalls) {
    Io since(Io before) {
      return with(before, (now, then) -> now - then);
    }

    Io plus(Io other) {
      return with(other, Long::sum);
    }

    private Io with(Io other, LongBinaryOperator operation) {
      return new Io(
          operation.applyAsLong(readBytes, other.readBytes),
          operation.applyAsLong(readCalls, other.readCalls),
          operation.applyAsLong(writtenBytes, other.writtenBytes),
          operation.applyAsLong(writeCalls, other.writeCalls));
    }
  }
}
