package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.ThreadDump.JavaThread;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.GcLog.Pause;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Threads and logs of garbage collections of the servers' JVMs. */
final class JvmChecks {
  private static final int QUEUE = 3;
  private static final double LOOKED_AT_SECONDS = 600;
  private static final double FULL_SHARE = 0.02;
  private static final int OFTEN = 2;
  private static final int HUMONGOUS = 5;
  private static final double HUMONGOUS_SHARE = 0.3;
  private static final String EXPLICIT = "(System.gc())";
  private static final String FULL = "Pause Full";
  private static final String NO_DUMP =
      "there is neither a JMX port nor, on this machine, an answer to jcmd of ";
  private static final String NO_LOG =
      "no server writes a GC log (-Xlog:gc*:file=…) on this machine, and 'gc-logs' names none";

  static final List<Check> ALL =
      List.of(
          ofCluster("deadlock", Check.TROUBLESHOOTING, ofDumps(JvmChecks::deadlock)),
          ofCluster("contended-lock", Check.TROUBLESHOOTING, ofDumps(JvmChecks::contendedLock)),
          ofCluster("full-collections", Check.MEMORY, ofLogs(JvmChecks::fullCollections)),
          ofCluster("explicit-collections", Check.MEMORY, ofLogs(JvmChecks::explicitCollections)),
          ofCluster("large-objects", Check.MEMORY, ofLogs(JvmChecks::largeObjects)));

  private JvmChecks() {}

  /** Looks at the dumps of one server, or at one log. */
  private interface Look<T> {
    void at(String where, T what, Result result);
  }

  private static BiConsumer<Facts, Result> ofDumps(Look<List<ThreadDump>> look) {
    return (facts, result) -> {
      requireDumps(facts, result);
      facts.dumps().forEach((server, dumps) -> look.at(server, dumps, result));
    };
  }

  static void requireDumps(Facts facts, Result result) {
    String missing =
        facts.servers().stream()
            .map(Server::name)
            .filter(name -> !facts.dumps().containsKey(name))
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      result.notMade(NO_DUMP + missing);
    }
  }

  private static BiConsumer<Facts, Result> ofLogs(Look<GcLog> look) {
    return (facts, result) -> {
      if (facts.logs().isEmpty()) {
        result.notMade(NO_LOG);
      } else if (facts.logs().size() < facts.servers().size()) {
        result.notMade(
            Check.text(
                "%d of %d servers have a GC log that is read: name the others in 'gc-logs'",
                facts.logs().size(), facts.servers().size()));
      }
      facts.logs().forEach((where, log) -> look.at(where, log, result));
    };
  }

  private static void deadlock(String server, List<ThreadDump> dumps, Result result) {
    ThreadDump last = dumps.get(dumps.size() - 1);
    if (!last.deadlocked().isEmpty()) {
      Check.Draft draft =
          result
              .problem(
                  "%d threads of %s wait for each other, without an end.",
                  last.deadlocked().size(), server)
              .impact(1, "in the last of %d thread dumps", dumps.size())
              .cause("They take the same locks in different orders.")
              .action(
                  Needs.DEPLOYMENT,
                  "Take locks in one order, also keys of transactions and of putAll; then restart the server.");
      last.threads().stream()
          .filter(thread -> last.deadlocked().contains(thread.name()))
          .forEach(
              thread ->
                  draft.evidence(
                      "where %s waits".formatted(thread.name()), thread.place(), server));
    }
  }

  private static void contendedLock(String server, List<ThreadDump> dumps, Result result) {
    List<List<JavaThread>> queues =
        dumps.stream()
            .filter(dump -> dump.deadlocked().isEmpty())
            .map(ThreadDump::longestQueue)
            .filter(queue -> queue.size() >= QUEUE)
            .toList();
    if (queues.size() >= OFTEN && queues.size() == dumps.size()) {
      List<JavaThread> last = queues.get(queues.size() - 1);
      result
          .problem("%d threads of %s wait for one lock.", last.size(), server)
          .evidence("where they wait", last.get(0).place(), server)
          .evidence("lock", last.get(0).monitor(), server)
          .impact(
              (double) queues.size() / dumps.size(),
              "%d threads or more in each of %d thread dumps",
              QUEUE,
              dumps.size())
          .cause("Code on the server does its work within one 'synchronized' block.")
          .action(Needs.DEPLOYMENT, "Hold the lock for less, or divide it.");
    }
  }

  private static void fullCollections(String where, GcLog log, Result result) {
    List<Pause> full =
        last(
            log,
            what ->
                what.startsWith(FULL) && !what.contains(EXPLICIT) && !what.contains("Metadata"));
    // Of G1 they are a last resort, of others the rule for the old generation.
    long compactions = full.stream().filter(each -> each.what().contains("G1")).count();
    double share = seconds(full) / covered(log);
    if (share > FULL_SHARE || compactions >= OFTEN) {
      result
          .problem("Full collections stop %s.", where)
          .evidence("full collections in the GC log", full.size(), where)
          .impact(share, "%.1f s of the last %.0f s of its GC log", seconds(full), covered(log))
          .cause("Objects fill the heap faster than the collector frees it.")
          .action(Needs.SERVERS, "Give the JVM a larger heap, or keep fewer objects on it.");
    }
  }

  private static void explicitCollections(String where, GcLog log, Result result) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    if (called.size() >= OFTEN) {
      double share = seconds(called) / covered(log);
      result
          .problem("A program on %s calls System.gc().", where)
          .evidence("collections by System.gc() in the GC log", called.size(), where)
          .impact(share, "%.1f s of the last %.0f s of its GC log", seconds(called), covered(log))
          .cause("Each call collects the whole heap.")
          .action(Needs.SERVERS, "Remove the calls, or start the JVM with -XX:+DisableExplicitGC.")
          .comparison("node-jvm-args", "", "-XX:+DisableExplicitGC");
    }
  }

  /** Whether calls of System.gc() make up most of the time in collections. */
  static boolean collectsOnDemand(GcLog log) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    return called.size() >= OFTEN && 2 * seconds(called) > seconds(last(log, what -> true));
  }

  private static void largeObjects(String where, GcLog log, Result result) {
    List<Pause> all = last(log, what -> true);
    List<Pause> large = last(log, what -> what.contains("(G1 Humongous Allocation)"));
    if (large.size() >= HUMONGOUS && large.size() > HUMONGOUS_SHARE * all.size()) {
      result
          .problem("Large objects cause collections of %s.", where)
          .evidence("pauses by G1 Humongous Allocation", large.size(), where)
          .evidence("all pauses", all.size(), where)
          .impact(
              (double) large.size() / all.size(),
              "%.0f %% of the collections of the last %.0f s of its GC log",
              100.0 * large.size() / all.size(),
              covered(log))
          .cause(
              "G1 gives each object of half a region or more regions of its own, in the old generation: large values, batches or results.")
          .action(
              Needs.SERVERS,
              "Make values and batches smaller, or regions larger (-XX:G1HeapRegionSize).");
    }
  }

  private static List<Pause> last(GcLog log, Predicate<String> what) {
    return log.lastPauses(LOOKED_AT_SECONDS).stream()
        .filter(pause -> what.test(pause.what()))
        .toList();
  }

  private static double seconds(List<Pause> pauses) {
    return pauses.stream().mapToDouble(Pause::millis).sum() / 1e3;
  }

  /** At least a second, so that a log of a few pauses gives no share of almost no time. */
  private static double covered(GcLog log) {
    List<Pause> last = log.lastPauses(LOOKED_AT_SECONDS);
    return last.isEmpty() ? 1 : Math.max(1, log.endSeconds() - last.get(0).endSeconds());
  }
}
