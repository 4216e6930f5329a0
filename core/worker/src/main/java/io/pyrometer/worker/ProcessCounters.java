package io.pyrometer.worker;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.MachineReading;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Counters of a process besides its CPU time: {@code /proc/PID/io}, context switches from {@code
 * /proc/PID/task/TID/status} and, for this JVM, the CPU time of its own threads from {@code
 * /proc/self/task/TID/schedstat}. Zeros, or no I/O, where the system has none of them.
 *
 * <p>A thread is classified when it is seen first; afterwards the CPU time of the JVM's own threads
 * alone is read, which costs about a millisecond however many threads a server has.
 */
public final class ProcessCounters {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** In the name of a library that is loaded. */
  private static final String NATIVE_TRANSPORT = "netty_transport_native";

  /** The threads of this JVM at the last reading. */
  private static final Map<String, JvmThread> SEEN = new HashMap<>();

  /** CPU seconds, by kind, that threads that have ended since used until they were seen last. */
  private static final Map<Kind, Double> ENDED = new EnumMap<>(Kind.class);

  private static final AtomicLong SWITCHES_OF_ENDED = new AtomicLong();

  private enum Kind {
    COLLECTOR,
    COMPILER,
    OTHER;

    /** By the kernel's name of a thread, which is cut after 15 characters. */
    static Kind of(String name) {
      if (name.startsWith("C1 Compiler")
          || name.startsWith("C2 Compiler")
          || name.startsWith("JVMCI")
          || name.startsWith("Sweeper thread")) {
        return COMPILER;
      }
      return Stream.of("GC Thread#", "G1 ", "VM Thread", "ZWorker", "ZDriver", "ZUn", "Shenandoah")
              .anyMatch(name::startsWith)
          ? COLLECTOR
          : OTHER;
    }
  }

  private static final class JvmThread {
    final Kind kind;
    double seconds;
    long switches;

    JvmThread(Kind kind) {
      this.kind = kind;
    }
  }

  private ProcessCounters() {}

  /** Counters of this JVM. The time of a thread that ended is what it was when it was last seen. */
  static Answer.Inside ofThisJvm() {
    synchronized (SEEN) {
      readThreads();
      SEEN.forEach((id, thread) -> thread.switches = switches(TASKS.resolve(id), thread.switches));
      long switches =
          SWITCHES_OF_ENDED.get() + SEEN.values().stream().mapToLong(t -> t.switches).sum();
      return new Answer.Inside(
          used(Kind.COLLECTOR),
          used(Kind.COMPILER),
          io(Path.of("/proc/self")),
          switches,
          Optional.empty());
    }
  }

  /** CPU time of this JVM's compiler threads. */
  static double compilerSeconds() {
    synchronized (SEEN) {
      readThreads();
      return used(Kind.COMPILER);
    }
  }

  /** Variant of the compiler threads that the last full reading found, which costs little. */
  public static double knownCompilerSeconds() {
    synchronized (SEEN) {
      SEEN.forEach(
          (id, thread) -> {
            if (thread.kind == Kind.COMPILER) {
              thread.seconds = Math.max(thread.seconds, seconds(id));
            }
          });
      return used(Kind.COMPILER);
    }
  }

  private static void readThreads() {
    List<String> threads = threads(TASKS);
    forgetEnded(Set.copyOf(threads));
    for (String thread : threads) {
      JvmThread known = SEEN.computeIfAbsent(thread, ProcessCounters::classified);
      if (known.kind != Kind.OTHER) {
        known.seconds = Math.max(known.seconds, seconds(thread));
      }
    }
  }

  /** Counters of another process, which is no JVM of ours. */
  static Answer.Inside ofNative(long pid) {
    Path process = Path.of("/proc", String.valueOf(pid));
    Path tasks = process.resolve("task");
    long switches = threads(tasks).stream().mapToLong(t -> switches(tasks.resolve(t), 0)).sum();
    return new Answer.Inside(0, 0, io(process), switches, Optional.empty());
  }

  private static void forgetEnded(Set<String> running) {
    Iterator<Map.Entry<String, JvmThread>> seen = SEEN.entrySet().iterator();
    while (seen.hasNext()) {
      Map.Entry<String, JvmThread> thread = seen.next();
      if (!running.contains(thread.getKey())) {
        ENDED.merge(thread.getValue().kind, thread.getValue().seconds, Double::sum);
        SWITCHES_OF_ENDED.addAndGet(thread.getValue().switches);
        seen.remove();
      }
    }
  }

  private static double used(Kind kind) {
    return ENDED.getOrDefault(kind, 0.0)
        + SEEN.values().stream().filter(t -> t.kind == kind).mapToDouble(t -> t.seconds).sum();
  }

  private static List<String> threads(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  private static JvmThread classified(String thread) {
    List<String> name = MachineReading.lines(TASKS + "/" + thread + "/comm");
    return new JvmThread(name.stream().findFirst().map(Kind::of).orElse(Kind.OTHER));
  }

  private static double seconds(String thread) {
    return MachineReading.lines(TASKS + "/" + thread + "/schedstat").stream()
        .mapToDouble(line -> Long.parseLong(line.split(" ", 2)[0]) / 1e9)
        .sum();
  }

  /** Voluntary ones and others; the last known count where the thread has ended. */
  private static long switches(Path thread, long lastKnown) {
    List<String> status = MachineReading.lines(thread + "/status");
    return status.isEmpty()
        ? lastKnown
        : status.stream()
            .filter(line -> line.contains("voluntary_ctxt_switches:"))
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
            .sum();
  }

  /**
   * The kernel counts what {@code read} and {@code write} move, but not what {@code recvmsg} and
   * {@code sendmsg} do, by which Netty's native transport speaks to sockets.
   */
  private static Optional<Answer.Io> io(Path process) {
    List<String> libraries = MachineReading.lines(process + "/maps");
    Map<String, Long> counts = new HashMap<>();
    for (String line : MachineReading.lines(process + "/io")) {
      String[] parts = line.split(":", 2);
      counts.put(parts[0], Long.parseLong(parts[1].strip()));
    }
    return libraries.isEmpty()
            || counts.isEmpty()
            || libraries.stream().anyMatch(line -> line.contains(NATIVE_TRANSPORT))
        ? Optional.empty()
        : Optional.of(
            new Answer.Io(
                counts.getOrDefault("rchar", 0L),
                counts.getOrDefault("syscr", 0L),
                counts.getOrDefault("wchar", 0L),
                counts.getOrDefault("syscw", 0L)));
  }
}
