package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.ThreadDump.JavaThread;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.GcLog.Pause;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Threads and logs of garbage collections of the servers' JVMs. */
final class JvmChecks {
  private static final int QUEUE = 3;
  private static final double LOOKED_AT_SECONDS = 600;
  private static final int OFTEN = 2;
  private static final String EXPLICIT = "(System.gc())";

  static final List<Check> ALL =
      List.of(
          Check.of("deadlock", ofDumps(JvmChecks::deadlock)),
          Check.of("contended-lock", ofDumps(JvmChecks::contendedLock)),
          Check.of("full-collections", ofLogs(JvmChecks::fullCollections)),
          Check.of("explicit-collections", ofLogs(JvmChecks::explicitCollections)),
          Check.of("large-objects", ofLogs(JvmChecks::largeObjects)));

  private JvmChecks() {}

  private static Consumer<Look> ofDumps(BiConsumer<Look, List<ThreadDump>> body) {
    return Check.servers(
        (look, server) -> {
          requireDumps(look);
          if (!look.dumps(server).isEmpty()) {
            body.accept(look, look.dumps(server));
          }
        });
  }

  static void requireDumps(Look look) {
    long missing = look.servers().stream().filter(each -> look.dumps(each).isEmpty()).count();
    if (missing > 0) {
      look.unjudged("no-dump", "servers", Value.count(missing));
    }
  }

  private static Consumer<Look> ofLogs(BiConsumer<Look, GcLog> body) {
    return look -> {
      int missing = look.servers().size() - look.facts.logs().size();
      if (missing > 0) {
        look.unjudged("no-gc-log", "servers", Value.count(missing));
      }
      look.facts.logs().forEach((where, log) -> body.accept(look.on("servers", where), log));
    };
  }

  private static void deadlock(Look look, List<ThreadDump> dumps) {
    ThreadDump last = dumps.get(dumps.size() - 1);
    if (!last.deadlocked().isEmpty()) {
      Draft draft = look.found().count("threads", last.deadlocked().size()).costs(1);
      last.threads().stream()
          .filter(thread -> last.deadlocked().contains(thread.name()))
          .forEach(thread -> draft.evidence(thread.name() + " waits in", thread.place()));
    }
  }

  /** Returns whether threads wait for each other's monitors. */
  static boolean locked(List<ThreadDump> dumps) {
    return dumps.stream()
        .anyMatch(dump -> !dump.deadlocked().isEmpty() || dump.longestQueue().size() >= QUEUE);
  }

  private static void contendedLock(Look look, List<ThreadDump> dumps) {
    List<JavaThread> last = dumps.get(dumps.size() - 1).longestQueue();
    if (dumps.size() >= OFTEN
        && dumps.stream()
            .allMatch(each -> each.deadlocked().isEmpty() && each.longestQueue().size() >= QUEUE)) {
      look.found()
          .count("threads", last.size())
          .evidence("where they wait", last.get(0).place())
          .evidence("lock", last.get(0).monitor())
          .evidence("thread dumps", dumps.size())
          .costs(1);
    }
  }

  /** Full collections are a last resort of G1; of others the rule for the old generation. */
  private static void fullCollections(Look look, GcLog log) {
    List<Pause> full =
        last(
            log,
            what ->
                what.startsWith("Pause Full")
                    && !what.contains(EXPLICIT)
                    && !what.contains("Metadata"));
    long compactions = full.stream().filter(each -> each.what().contains("G1")).count();
    if (seconds(full) / covered(log) > 0.02 || compactions >= OFTEN) {
      collections(look, full, log);
    }
  }

  private static Draft collections(Look look, List<Pause> pauses, GcLog log) {
    return look.found()
        .seconds("time", seconds(pauses))
        .seconds("log", covered(log))
        .evidence("such collections in the GC log", pauses.size())
        .costs(seconds(pauses) / covered(log));
  }

  private static void explicitCollections(Look look, GcLog log) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    if (called.size() >= OFTEN) {
      collections(look, called, log);
    }
  }

  /** Returns whether calls of System.gc() make up most of the time in collections. */
  static boolean collectsOnDemand(GcLog log) {
    List<Pause> called = last(log, what -> what.contains(EXPLICIT));
    return called.size() >= OFTEN && 2 * seconds(called) > seconds(last(log, what -> true));
  }

  private static void largeObjects(Look look, GcLog log) {
    List<Pause> all = last(log, what -> true);
    List<Pause> large = last(log, what -> what.contains("(G1 Humongous Allocation)"));
    if (large.size() >= 5 && large.size() > 0.3 * all.size()) {
      collections(look, large, log)
          .share("share", (double) large.size() / all.size())
          .evidence("all collections", all.size());
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
