package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.ThreadDump.JavaThread;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.GcLog.Pause;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

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
  static final List<Check> ALL =
      List.of(
          Check.of("deadlock", ofDumps(JvmChecks::deadlock)),
          Check.of("contended-lock", ofDumps(JvmChecks::contendedLock)),
          Check.of("full-collections", ofLogs(JvmChecks::fullCollections)),
          Check.of("explicit-collections", ofLogs(JvmChecks::explicitCollections)),
          Check.of("large-objects", ofLogs(JvmChecks::largeObjects)));

  private JvmChecks() {}

  /** Looks at the dumps of one server, or at one log. */
  private interface Look<T> {
    void at(String where, T what, Result result);
  }

  private static BiConsumer<Facts, Result> ofDumps(Look<List<ThreadDump>> look) {
    return (facts, result) -> {
      requireDumps(facts, result);
      for (Server server : facts.servers()) {
        if (!facts.dumps(server).isEmpty()) {
          look.at(server.name(), facts.dumps(server), result);
        }
      }
    };
  }

  static void requireDumps(Facts facts, Result result) {
    long missing = facts.servers().stream().filter(server -> facts.dumps(server).isEmpty()).count();
    if (missing > 0) {
      result.unjudged("no-dump", "servers", Value.count(missing));
    }
  }

  private static BiConsumer<Facts, Result> ofLogs(Look<GcLog> look) {
    return (facts, result) -> {
      int missing = facts.servers().size() - facts.logs().size();
      if (missing > 0) {
        result.unjudged("no-gc-log", "servers", Value.count(missing));
      }
      facts.logs().forEach((where, log) -> look.at(where, log, result));
    };
  }

  private static void deadlock(String server, List<ThreadDump> dumps, Result result) {
    ThreadDump last = dumps.get(dumps.size() - 1);
    if (!last.deadlocked().isEmpty()) {
      Check.Draft draft =
          result
              .found()
              .with("threads", Value.count(last.deadlocked().size()))
              .of("servers", server)
              .costs(1);
      last.threads().stream()
          .filter(thread -> last.deadlocked().contains(thread.name()))
          .forEach(thread -> draft.evidence(thread.name() + " waits in", thread.place()));
    }
  }

  /** Returns whether threads of a server wait for each other's monitors. */
  static boolean locked(Facts facts, Server server) {
    return facts.dumps().getOrDefault(server.name(), List.of()).stream()
        .anyMatch(dump -> !dump.deadlocked().isEmpty() || dump.longestQueue().size() >= QUEUE);
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
          .found()
          .with("threads", Value.count(last.size()))
          .of("servers", server)
          .evidence("where they wait", last.get(0).place())
          .evidence("lock", last.get(0).monitor())
          .evidence("thread dumps", dumps.size())
          .costs(1);
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
      collections(result, where, full, log).costs(share);
    }
  }

  private static Check.Draft collections(
      Result result, String where, List<Pause> pauses, GcLog log) {
    return result
        .found()
        .with("time", Value.seconds(seconds(pauses)))
        .with("log", Value.seconds(covered(log)))
        .of("servers", where)
        .evidence("such collections in the GC log", pauses.size());
  }

  private static void explicitCollections(String where, GcLog log, Result result) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    if (called.size() >= OFTEN) {
      collections(result, where, called, log).costs(seconds(called) / covered(log));
    }
  }

  /** Returns whether calls of System.gc() make up most of the time in collections. */
  static boolean collectsOnDemand(GcLog log) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    return called.size() >= OFTEN && 2 * seconds(called) > seconds(last(log, what -> true));
  }

  private static void largeObjects(String where, GcLog log, Result result) {
    List<Pause> all = last(log, what -> true);
    List<Pause> large = last(log, what -> what.contains("(G1 Humongous Allocation)"));
    if (large.size() >= HUMONGOUS && large.size() > HUMONGOUS_SHARE * all.size()) {
      collections(result, where, large, log)
          .with("share", Value.share((double) large.size() / all.size()))
          .evidence("all collections", all.size())
          .costs(seconds(large) / covered(log));
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
