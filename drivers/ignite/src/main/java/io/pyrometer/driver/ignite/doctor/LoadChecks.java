package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.doctor.ThreadDump.Standing;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Threads and queues of the servers under the load. */
final class LoadChecks {
  private static final double OFTEN = 0.5;
  private static final double STRIPE_SHARE = 0.6;

  /** A share of the stripes that is worth a look at what their threads do. */
  private static final double FEW = 0.05;

  /** With fewer, the busiest has a large share of the tasks whatever the keys are. */
  private static final int STRIPES_COMPARED = 4;

  private static final long SLOW_TASK_MILLIS = 100;

  /** Lower bound of the first of Ignite's buckets of times that is more than work in memory. */
  private static final long LONG_TASK_MILLIS = 10;

  private static final String CPU_LOAD = "sys.CpuLoad";
  private static final String STRIPES_COUNT = ThreadPool.STRIPED.metric("StripesCount");
  private static final String QUEUE = ThreadPool.STRIPED.metric("TotalQueueSize");
  private static final String TASK_TIME = ThreadPool.STRIPED.metric("TaskExecutionTime");

  /** Classes of Ignite that call code of users, and which code that is. */
  private static final Map<String, String> CALLBACKS =
      Map.of(
          "GridCacheStoreManagerAdapter", ".store",
          "CacheContinuousQuery", ".query",
          "EntryProcessor", ".processor",
          "DataStreamerUpdateJob", ".receiver");

  /** Pools whose threads execute operations of caches. */
  private static final List<ThreadPool> OF_CACHES =
      List.of(ThreadPool.STRIPED, ThreadPool.SYSTEM, ThreadPool.THIN, ThreadPool.STREAMER);

  static final List<Check> ALL =
      List.of(
          Check.of("striped-pool", servers(LoadChecks::striped)),
          Check.of("hot-stripe", servers(LoadChecks::hotStripe)),
          Check.of("slow-cache-operations", servers(LoadChecks::slowTasks)),
          Check.of("uneven-load", servers(LoadChecks::uneven)),
          Check.of("thread-pools", LoadChecks::pools));

  /** CPU use of the servers, which other advice may reduce. */
  static final List<Check> OF_CPU = List.of(Check.of("server-cpu", servers(LoadChecks::cpu)));

  private LoadChecks() {}

  private static void striped(Look look, Server server) {
    double stripes = server.last(STRIPES_COUNT, 1);
    double share = server.shareAbove(QUEUE, 2 * stripes);
    if (share >= OFTEN && waitsForAll(look, server) && !waitsAlone(look, server)) {
      look.found()
          .evidence("TotalQueueSize, mean", server.mean(QUEUE))
          .evidence("StripesCount", stripes)
          .costs(share)
          .change("stripedPoolSize", (long) stripes, (long) (2 * stripes));
    }
  }

  /** Returns whether neither one stripe nor code of the user's is what tasks wait for. */
  private static boolean waitsForAll(Look look, Server server) {
    return hottestStripe(look, server).isEmpty()
        && look.standing(server, ThreadPool.STRIPED.threads).isEmpty();
  }

  private static void hotStripe(Look look, Server server) {
    List<Row> tasks = queued(look, server);
    hottestStripe(look, server)
        .ifPresentOrElse(
            hot -> {
              long waiting = byStripe(tasks).getOrDefault(hot, 0L);
              look.found()
                  .costs("share", (double) waiting / tasks.size())
                  .evidence("waiting tasks of stripe " + hot, waiting)
                  .evidence("waiting tasks", tasks.size());
            },
            () -> busiestStripe(look, server));
  }

  /** A stripe whose thread uses most of the CPU time of a server's striped pool. */
  private static void busiestStripe(Look look, Server server) {
    List<ThreadDump> dumps = look.dumps(server);
    Collection<Double> used = ThreadDump.cpuMillis(dumps, ThreadPool.STRIPED.threads).values();
    double all = used.stream().mapToDouble(millis -> millis).sum();
    double most = used.stream().mapToDouble(millis -> millis).max().orElse(0);
    boolean waits = server.mean(QUEUE) > server.last(STRIPES_COUNT, 1);
    double leastCpus = waits ? 0.01 : 0.1;
    if (used.size() >= STRIPES_COMPARED
        && all > 1e3 * leastCpus * ThreadDump.span(dumps)
        && most > STRIPE_SHARE * all) {
      look.found("cpu")
          .costs("share", most / all)
          .count("stripes", used.size())
          .evidence("CPU time of the busiest stripe [ms]", most)
          .evidence("CPU time of all stripes [ms]", all);
    }
  }

  /** A stripe that most waiting tasks of a server are for, in at least half of the samples. */
  private static Optional<String> hottestStripe(Look look, Server server) {
    double often = Math.max(2, OFTEN * server.samples().size());
    return queued(look, server).stream()
        .collect(Collectors.groupingBy(row -> row.get(Observation.SAMPLE)))
        .values()
        .stream()
        .filter(sample -> sample.size() > 5) // a burst that one sample sees is no hot stripe
        .flatMap(
            sample ->
                byStripe(sample).entrySet().stream()
                    .filter(stripe -> stripe.getValue() > STRIPE_SHARE * sample.size()))
        .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(stripe -> stripe.getValue() >= often)
        .map(Map.Entry::getKey)
        .findFirst()
        .filter(hot -> server.last(STRIPES_COUNT, STRIPES_COMPARED) >= STRIPES_COMPARED);
  }

  private static List<Row> queued(Look look, Server server) {
    return look.view(Observation.QUEUES).stream()
        .filter(row -> row.server().equals(server.name()))
        .toList();
  }

  private static Map<String, Long> byStripe(List<Row> tasks) {
    return tasks.stream()
        .collect(Collectors.groupingBy(row -> row.get("stripeIndex"), Collectors.counting()));
  }

  private static void uneven(Look look, Server server) {
    if (waitsAlone(look, server) && waitsForAll(look, server)) {
      uneven(look, server, QUEUE, "TotalQueueSize, mean", 1, look.found());
    } else {
      String millis = Observation.ANSWER_MILLIS;
      double others = ofOthers(look, server, millis);
      double late = Math.max(5 * others, others + 50);
      if (server.values(millis).length > 1 && server.shareAbove(millis, late) >= 0.75) {
        uneven(look, server, millis, "answers to a sample [ms], mean", 1e-9, look.found("late"));
      }
    }
  }

  private static void uneven(
      Look look, Server server, String metric, String what, double least, Draft draft) {
    double own = server.mean(metric);
    double others = ofOthers(look, server, metric);
    draft
        .with("times", Value.ratio(own / Math.max(least, others)))
        .evidence(what, own)
        .evidence(what, others, "the other servers")
        .costs(1 - others / own);
  }

  private static boolean waitsAlone(Look look, Server server) {
    double own = server.mean(QUEUE);
    return own > server.last(STRIPES_COUNT, 1)
        && own > 10 * Math.max(1, ofOthers(look, server, QUEUE));
  }

  private static double ofOthers(Look look, Server server, String metric) {
    return look.servers().stream()
        .filter(other -> !other.equals(server))
        .mapToDouble(other -> other.mean(metric))
        .average()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Check for slow tasks; with persistence they also wait for the disk, which has checks of its
   * own.
   */
  private static void slowTasks(Look look, Server server) {
    JvmChecks.requireDumps(look);
    double slow = server.growthFrom(TASK_TIME, SLOW_TASK_MILLIS);
    double all = server.growth(ThreadPool.STRIPED.metric("TotalCompletedTasksCount"));
    for (boolean waiting : new boolean[] {true, false}) {
      for (ThreadPool pool : OF_CACHES) {
        Optional<Standing> at = standing(look, server, pool, waiting);
        if (at.isPresent()) {
          Standing found = at.get();
          String variant = waiting ? "blocked" + callback(found) : "busy";
          Draft draft = waits(found, look.found(variant)).name("pool", pool.label);
          if (waiting) {
            double waited = 1e3 * found.share() * server.last(STRIPES_COUNT) * look.seconds();
            draft
                .evidence("waiting for each task [ms], mean", waited / Math.max(1, all))
                .costs(Math.max(found.share(), slow / Math.max(1, all)));
          }
          return;
        }
      }
    }
    if (!server.persistent() && slow >= 5 && slow * SLOW_TASK_MILLIS / 1e3 > 0.1 * look.seconds()) {
      look.found()
          .count("slow", slow)
          .count("all", all)
          .evidence("TaskExecutionTime ≥ 100 ms", slow)
          .evidence("TotalCompletedTasksCount", all)
          .costs(slow / Math.max(1, all));
    }
  }

  /** A diagnosis of threads that wait, or run, in code of the user's. */
  static Draft waits(Standing found, Draft draft) {
    return draft
        .name("frame", found.most().frame())
        .costs("share", found.share())
        .evidence("where its threads " + found.pool() + "… stand", found.most().place())
        .evidence("thread dumps that show it", found.seen() + " of " + found.dumps());
  }

  /** The kind of code of the user's that waits, by what of Ignite's called it. */
  private static String callback(Standing found) {
    return found.most().callers().stream()
        .limit(8)
        .flatMap(
            caller -> CALLBACKS.entrySet().stream().filter(kind -> caller.contains(kind.getKey())))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /**
   * Where threads wait, or run, in code of the user's; long tasks of stripes make few of them
   * count. Services run in the threads of thin clients' requests, where no cache waits for them.
   */
  private static Optional<Standing> standing(
      Look look, Server server, ThreadPool pool, boolean waiting) {
    double tasks = server.growthFrom(TASK_TIME, LONG_TASK_MILLIS);
    double busy = tasks * LONG_TASK_MILLIS / 1e3 / look.seconds();
    boolean slowly = busy > FEW * server.last(STRIPES_COUNT) && pool == ThreadPool.STRIPED;
    double least = waiting && slowly ? FEW : ThreadDump.MANY;
    return ThreadDump.standing(look.dumps(server), pool.threads, waiting, 0, least)
        .filter(at -> at.most().callers().stream().noneMatch(c -> c.contains("GridServiceProxy")));
  }

  private static void cpu(Look look, Server server) {
    double used =
        look.servers().stream()
            .filter(other -> other.host().equals(server.host()))
            .mapToDouble(other -> other.mean(CPU_LOAD))
            .sum();
    if (used >= 0.8) {
      look.found()
          .share("share", Math.min(1, used))
          .evidence("CpuLoad, mean", server.mean(CPU_LOAD))
          .evidence("CPUs of its machine", server.cpus());
    }
  }

  /** Pools that are too small for their tasks where these wait. */
  private static void pools(Look look) {
    Stream.of(ThreadPool.values())
        .filter(pool -> pool.compareTo(ThreadPool.PUBLIC) >= 0)
        .forEach(pool -> look.servers().forEach(server -> pool(look, server, pool)));
  }

  private static void pool(Look look, Server server, ThreadPool pool) {
    double size = server.last(pool.metric("CorePoolSize"));
    double waiting = server.shareAbove(pool.metric("QueueSize"), size);
    double active = server.least(pool.metric("ActiveCount"));
    boolean busy = size > 0 && active >= size;
    boolean services = pool == ThreadPool.SERVICES;
    List<ThreadDump> dumps = look.dumps(server);
    // Threads start when they are needed, and end when they are not.
    Optional<Standing> standing =
        ThreadDump.standing(dumps, pool.threads, true, size, ThreadDump.MANY);
    if (busy && waiting >= OFTEN) {
      boolean stuck =
          server.growth(pool.metric("CompletedTaskCount")) == 0
              && (dumps.isEmpty() || standing.isPresent());
      Draft draft =
          look.found(stuck ? "stuck" : "")
              .share("share", waiting)
              .costs(stuck ? 1 : waiting)
              .apart("pool", pool.label)
              .of(server)
              .evidence("QueueSize, mean", server.mean(pool.metric("QueueSize")))
              .evidence("ActiveCount", active);
      standing.ifPresent(at -> draft.evidence("where its threads wait", at.most().place()));
      if (!stuck) {
        draft.change(pool.property, (long) size, (long) (2 * size));
      }
    } else if ((services ? busy : pool == ThreadPool.PUBLIC) && !JvmChecks.locked(dumps)) {
      boolean small = size > 0 && size < 4; // that somebody made smaller than the default
      String variant = services ? ".services" : small ? ".few" : "";
      standing.ifPresent(
          at ->
              waits(at, look.found("blocked" + variant).of(server))
                  .count("threads", size)
                  .apart("pool", pool.label));
    }
  }
}
