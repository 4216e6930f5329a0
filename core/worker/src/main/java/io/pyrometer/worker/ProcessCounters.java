package io.pyrometer.worker;

import io.pyrometer.protocol.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    List<String> names = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(folder)) {
      tasks.forEach(task -> names.add(String.valueOf(task.getFileName())));
    } catch (IOException | UncheckedIOException notLinux) {
      return List.of();
    }
    return names;
  }

  private static JvmThread classified(String thread) {
    try {
      return new JvmThread(Kind.of(Files.readString(TASKS.resolve(thread).resolve("comm"))));
    } catch (IOException ended) {
      return new JvmThread(Kind.OTHER);
    }
  }

  private static double seconds(String thread) {
    try {
      String line = Files.readString(TASKS.resolve(thread).resolve("schedstat"));
      return Long.parseLong(line.substring(0, line.indexOf(' '))) / 1e9;
    } catch (IOException | RuntimeException endedOrNotKept) {
      return 0;
    }
  }

  /** Voluntary ones and others; the last known count where the thread has ended. */
  private static long switches(Path thread, long lastKnown) {
    try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
      return lines
          .filter(line -> line.contains("voluntary_ctxt_switches:"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
          .sum();
    } catch (IOException | UncheckedIOException ended) {
      return lastKnown;
    }
  }

  /**
   * The kernel counts what {@code read} and {@code write} move, but not what {@code recvmsg} and
   * {@code sendmsg} do, by which Netty's native transport speaks to sockets.
   */
  private static Optional<Answer.Io> io(Path process) {
    try (Stream<String> libraries = Files.lines(process.resolve("maps"))) {
      if (libraries.anyMatch(line -> line.contains(NATIVE_TRANSPORT))) {
        return Optional.empty();
      }
      Map<String, Long> counts = new HashMap<>();
      for (String line : Files.readAllLines(process.resolve("io"))) {
        String[] parts = line.split(":", 2);
        counts.put(parts[0], Long.parseLong(parts[1].strip()));
      }
      return Optional.of(
          new Answer.Io(
              counts.getOrDefault("rchar", 0L),
              counts.getOrDefault("syscr", 0L),
              counts.getOrDefault("wchar", 0L),
              counts.getOrDefault("syscw", 0L)));
    } catch (IOException | RuntimeException notTold) {
      return Optional.empty();
    }
  }
}
