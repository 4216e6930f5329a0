package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Threads and queues of the servers under the load. */
final class LoadChecks {
  private static final double OFTEN = 0.5;
  private static final double NEARLY_ALWAYS = 0.75;
  private static final double STRIPE_SHARE = 0.6;

  /** CPUs that the stripes of a server together use at least where one is said to be hot. */
  private static final double CPUS_OF_STRIPES = 0.1;

  private static final double CPUS_OF_WAITING_STRIPES = 0.01;

  /** A share of the stripes that is worth a look at what their threads do. */
  private static final double FEW = 0.05;

  /** A burst that one sample sees is no hot stripe. */
  private static final double FEW_TASKS = 5;

  /** With fewer, the busiest has a large share of the tasks whatever the keys are. */
  private static final int STRIPES_COMPARED = 4;

  /** Threads of a pool that somebody made smaller than the default. */
  private static final int FEW_THREADS = 4;

  /** A share of the CPUs of a machine above which work queues for them. */
  private static final double SATURATED = 0.8;

  private static final String CPU_LOAD = "sys.CpuLoad";
  private static final double SLOW_TASKS = 5;
  private static final long SLOW_TASK_MILLIS = 100;

  /** Lower bound of the first of Ignite's buckets of times that is more than work in memory. */
  private static final long LONG_TASK_MILLIS = 10;

  private static final String STRIPES_COUNT = ThreadPool.STRIPED.metric("StripesCount");
  private static final String QUEUE = ThreadPool.STRIPED.metric("TotalQueueSize");

  private static final double LATE_TIMES = 5;
  private static final double LATE_MILLIS = 50;

  /** Classes of Ignite that call code of users, and which code that is. */
  private static final Map<String, String> CALLBACKS =
      Map.of(
          "GridCacheStoreManagerAdapter", ".store",
          "CacheContinuousQuery", ".query",
          "EntryProcessor", ".processor",
          "DataStreamerUpdateJob", ".receiver");

  /** The frames of Ignite among which such a class is. */
  private static final int CALLERS = 8;

  /** Pools whose threads execute operations of caches. */
  private static final List<ThreadPool> OF_CACHES =
      List.of(ThreadPool.STRIPED, ThreadPool.SYSTEM, ThreadPool.THIN, ThreadPool.STREAMER);

  /** Pools that are too small for their tasks where these wait. */
  private static final Set<ThreadPool> OF_TASKS = EnumSet.range(ThreadPool.PUBLIC, ThreadPool.THIN);

  static final List<Check> ALL =
      List.of(
          Check.of("striped-pool", servers(LoadChecks::striped)),
          Check.of("hot-stripe", servers(LoadChecks::hotStripe)),
          Check.of("slow-cache-operations", LoadChecks::slowTasks),
          Check.of("uneven-load", servers(LoadChecks::uneven)),
          Check.of("thread-pools", LoadChecks::pools));

  /** CPU use of the servers, which other advice may reduce. */
  static final List<Check> OF_CPU = List.of(Check.of("server-cpu", servers(LoadChecks::cpu)));

  private LoadChecks() {}

  private static void striped(Facts facts, Server server, Result result) {
    double stripes = server.last(STRIPES_COUNT, 1);
    double share = server.shareAbove(QUEUE, 2 * stripes);
    if (share >= OFTEN
        && hotStripe(facts, server).isEmpty()
        && !waitsAlone(facts, server)
        && facts.standing(server, ThreadPool.STRIPED.threads).isEmpty()) {
      result
          .found()
          .evidence("TotalQueueSize, mean", server.mean(QUEUE))
          .evidence("StripesCount", stripes)
          .costs(share)
          .change("stripedPoolSize", (long) stripes, (long) (2 * stripes));
    }
  }

  private static void hotStripe(Facts facts, Server server, Result result) {
    hotStripe(facts, server)
        .ifPresentOrElse(
            hot ->
                result
                    .found()
                    .costs("share", (double) hot.waiting / hot.all)
                    .evidence("waiting tasks of stripe " + hot.stripe, hot.waiting)
                    .evidence("waiting tasks", hot.all),
            () -> busiestStripe(facts, server, result));
  }

  /** A stripe whose thread uses most of the CPU time of a server's striped pool. */
  private static void busiestStripe(Facts facts, Server server, Result result) {
    List<ThreadDump> dumps = facts.dumps(server);
    Map<String, Double> used = ThreadDump.cpuMillis(dumps, ThreadPool.STRIPED.threads);
    double all = used.values().stream().mapToDouble(millis -> millis).sum();
    double most = used.values().stream().mapToDouble(millis -> millis).max().orElse(0);
    boolean waits = server.mean(QUEUE) > server.last(STRIPES_COUNT, 1);
    double least = waits ? CPUS_OF_WAITING_STRIPES : CPUS_OF_STRIPES;
    if (used.size() >= STRIPES_COMPARED
        && all > 1e3 * least * ThreadDump.span(dumps)
        && most > STRIPE_SHARE * all) {
      result
          .found("cpu")
          .costs("share", most / all)
          .with("stripes", Value.count(used.size()))
          .evidence("CPU time of the busiest stripe [ms]", most)
          .evidence("CPU time of all stripes [ms]", all);
    }
  }

  /**
   * A stripe that most waiting tasks of a server are for, in at least half of the samples.
   *
   * @param waiting its tasks in all samples together
   * @param all the tasks of all stripes
   */
  private record HotStripe(String stripe, long waiting, long all) {}

  private static Optional<HotStripe> hotStripe(Facts facts, Server server) {
    List<Row> tasks =
        facts.view(Observation.QUEUES).stream()
            .filter(row -> row.server().equals(server.name()))
            .toList();
    double often = Math.max(2, OFTEN * server.samples().size());
    return tasks.stream()
        .collect(Collectors.groupingBy(row -> row.get(Observation.SAMPLE)))
        .values()
        .stream()
        .filter(sample -> sample.size() > FEW_TASKS)
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
        .map(hot -> new HotStripe(hot, byStripe(tasks).getOrDefault(hot, 0L), tasks.size()))
        .filter(hot -> server.last(STRIPES_COUNT, STRIPES_COMPARED) >= STRIPES_COMPARED);
  }

  private static Map<String, Long> byStripe(List<Row> tasks) {
    return tasks.stream()
        .collect(Collectors.groupingBy(row -> row.get("stripeIndex"), Collectors.counting()));
  }

  private static void uneven(Facts facts, Server server, Result result) {
    if (waitsAlone(facts, server)
        && hotStripe(facts, server).isEmpty()
        && facts.standing(server, ThreadPool.STRIPED.threads).isEmpty()) {
      uneven(facts, server, QUEUE, "TotalQueueSize, mean", 1, result.found());
    } else {
      String millis = Observation.ANSWER_MILLIS;
      double others = ofOthers(facts, server, millis);
      double late = Math.max(LATE_TIMES * others, others + LATE_MILLIS);
      if (server.values(millis).length > 1 && server.shareAbove(millis, late) >= NEARLY_ALWAYS) {
        uneven(facts, server, millis, "answers to a sample [ms], mean", 1e-9, result.found("late"));
      }
    }
  }

  private static void uneven(
      Facts facts, Server server, String metric, String what, double least, Check.Draft draft) {
    double own = server.mean(metric);
    double others = ofOthers(facts, server, metric);
    draft
        .with("times", Value.ratio(own / Math.max(least, others)))
        .evidence(what, own)
        .evidence(what, others, "the other servers")
        .costs(1 - others / own);
  }

  private static boolean waitsAlone(Facts facts, Server server) {
    double own = server.mean(QUEUE);
    return own > server.last(STRIPES_COUNT, 1)
        && own > 10 * Math.max(1, ofOthers(facts, server, QUEUE));
  }

  private static double ofOthers(Facts facts, Server server, String metric) {
    return facts.servers().stream()
        .filter(other -> !other.equals(server))
        .mapToDouble(other -> other.mean(metric))
        .average()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Check for slow tasks; with persistence they also wait for the disk, which has checks of its
   * own.
   */
  private static void slowTasks(Facts facts, Result result) {
    JvmChecks.requireDumps(facts, result);
    for (Server server : facts.servers()) {
      double slow =
          server.growthFrom(ThreadPool.STRIPED.metric("TaskExecutionTime"), SLOW_TASK_MILLIS);
      double all = server.growth(ThreadPool.STRIPED.metric("TotalCompletedTasksCount"));
      Optional<ThreadPool> waiting =
          OF_CACHES.stream().filter(pool -> waiting(facts, server, pool).isPresent()).findFirst();
      Optional<ThreadPool> running =
          OF_CACHES.stream().filter(pool -> running(facts, server, pool).isPresent()).findFirst();
      if (waiting.isPresent()) {
        ThreadPool pool = waiting.get();
        ThreadDump.Standing found = waiting(facts, server, pool).orElseThrow();
        double waited = 1e3 * found.share() * server.last(STRIPES_COUNT) * facts.seconds();
        waits(found, result.found("blocked" + callback(found)).of(server), pool.threads)
            .with("pool", Value.name(pool.label))
            .evidence("waiting for each task [ms], mean", waited / Math.max(1, all))
            .costs(Math.max(found.share(), slow / Math.max(1, all)));
      } else if (running.isPresent()) {
        ThreadPool pool = running.get();
        waits(
                running(facts, server, pool).orElseThrow(),
                result.found("busy").of(server),
                pool.threads)
            .with("pool", Value.name(pool.label));
      } else if (!server.persistent()
          && slow >= SLOW_TASKS
          && slow * SLOW_TASK_MILLIS / 1e3 > 0.1 * facts.seconds()) {
        result
            .found()
            .with("slow", Value.count(Math.round(slow)))
            .with("all", Value.count(Math.round(all)))
            .of(server)
            .evidence("TaskExecutionTime ≥ 100 ms", slow)
            .evidence("TotalCompletedTasksCount", all)
            .costs(slow / Math.max(1, all));
      }
    }
  }

  /** A diagnosis of threads that wait, or run, in code of the user's. */
  static Check.Draft waits(ThreadDump.Standing found, Check.Draft draft, String threads) {
    return draft
        .with("frame", Value.name(found.frame()))
        .with("share", Value.share(found.share()))
        .evidence("where its threads " + threads + "… stand", found.most().place())
        .evidence("thread dumps that show it", found.seen() + " of " + found.dumps())
        .costs(found.share());
  }

  /** The kind of code of the user's that waits, by what of Ignite's called it. */
  private static String callback(ThreadDump.Standing found) {
    return found.most().callers().stream()
        .limit(CALLERS)
        .flatMap(
            caller -> CALLBACKS.entrySet().stream().filter(kind -> caller.contains(kind.getKey())))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Where threads wait in code of the user's; long tasks of stripes make few of them count. */
  private static Optional<ThreadDump.Standing> waiting(
      Facts facts, Server server, ThreadPool pool) {
    double tasks =
        server.growthFrom(ThreadPool.STRIPED.metric("TaskExecutionTime"), LONG_TASK_MILLIS);
    double busy = tasks * LONG_TASK_MILLIS / 1e3 / facts.seconds();
    boolean slowly = busy > FEW * server.last(STRIPES_COUNT) && pool == ThreadPool.STRIPED;
    return ThreadDump.standing(
            facts.dumps(server), pool.threads, true, 0, slowly ? FEW : ThreadDump.MANY)
        .filter(LoadChecks::isNoService);
  }

  /** Services run in the threads of thin clients' requests, where no cache waits for them. */
  private static boolean isNoService(ThreadDump.Standing found) {
    return found.most().callers().stream().noneMatch(caller -> caller.contains("GridServiceProxy"));
  }

  private static Optional<ThreadDump.Standing> running(
      Facts facts, Server server, ThreadPool pool) {
    return ThreadDump.standing(facts.dumps(server), pool.threads, false, 0, ThreadDump.MANY)
        .filter(LoadChecks::isNoService);
  }

  private static void cpu(Facts facts, Server server, Result result) {
    double used =
        facts.servers().stream()
            .filter(other -> other.host().equals(server.host()))
            .mapToDouble(other -> other.mean(CPU_LOAD))
            .sum();
    if (used >= SATURATED) {
      result
          .found()
          .with("share", Value.share(Math.min(1, used)))
          .evidence("CpuLoad, mean", server.mean(CPU_LOAD))
          .evidence("CPUs of its machine", server.cpus());
    }
  }

  private static void pools(Facts facts, Result result) {
    for (ThreadPool pool : OF_TASKS) {
      facts.servers().forEach(server -> pool(facts, server, pool, result));
    }
  }

  private static void pool(Facts facts, Server server, ThreadPool pool, Result result) {
    String queue = pool.metric("QueueSize");
    double size = server.last(pool.metric("CorePoolSize"));
    double waiting = server.shareAbove(queue, size);
    double active = server.least(pool.metric("ActiveCount"));
    boolean busy = size > 0 && active >= size;
    boolean services = pool == ThreadPool.SERVICES;
    List<ThreadDump> dumps = facts.dumps(server);
    // Threads start when they are needed, and end when they are not.
    Optional<ThreadDump.Standing> standing =
        ThreadDump.standing(dumps, pool.threads, true, size, ThreadDump.MANY);
    if (busy && waiting >= OFTEN) {
      boolean stuck =
          server.growth(pool.metric("CompletedTaskCount")) == 0
              && (dumps.isEmpty() || standing.isPresent());
      Check.Draft draft =
          (stuck ? result.found("stuck") : result.found())
              .with("share", Value.share(waiting))
              .costs(stuck ? 1 : waiting)
              .apart("pool", pool.label)
              .of(server)
              .evidence("QueueSize, mean", server.mean(queue))
              .evidence("ActiveCount", active);
      standing.ifPresent(at -> draft.evidence("where its threads wait", at.most().place()));
      if (!stuck) {
        draft.change(pool.property, (long) size, (long) (2 * size));
      }
    } else if ((services ? busy : pool == ThreadPool.PUBLIC) && !JvmChecks.locked(facts, server)) {
      String few = size > 0 && size < FEW_THREADS ? ".few" : "";
      String variant = services ? ".services" : few;
      standing.ifPresent(
          at ->
              waits(at, result.found("blocked" + variant).of(server), pool.threads)
                  .with("threads", Value.count(Math.round(size)))
                  .apart("pool", pool.label));
    }
  }
}
