package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static final double SLOW_TASKS = 5;
  private static final long SLOW_TASK_MILLIS = 100;

  /** Lower bound of the first of Ignite's buckets of times that is more than work in memory. */
  private static final long LONG_TASK_MILLIS = 10;

  private static final String STRIPES_COUNT = Pools.STRIPED + ".StripesCount";
  private static final String QUEUE = Pools.STRIPED + ".TotalQueueSize";

  private static final double LATE_TIMES = 5;
  private static final double LATE_MILLIS = 50;

  /** The beginning of the names of the striped pool's threads. */
  private static final String STRIPES = "sys-stripe-";

  /**
   * A pool of threads.
   *
   * @param name as users know it
   * @param threads the beginning of the names of its threads
   * @param property of its size
   */
  private record Pool(String name, String threads, String property) {}

  /** Classes of Ignite that call code of users, and which code that is. */
  private static final Map<String, String> CALLBACKS =
      Map.of(
          "GridCacheStoreManagerAdapter", ".store",
          "CacheContinuousQuery", ".query",
          "EntryProcessor", ".processor",
          "DataStreamerUpdateJob", ".receiver");

  /** The frames of Ignite among which such a class is. */
  private static final int CALLERS = 8;

  /** Pools whose threads execute operations of caches, by the beginning of the threads' names. */
  private static final Map<String, String> OF_CACHES =
      Map.of(
          STRIPES,
          "striped",
          "sys-#",
          "system",
          "client-connector-#",
          "client connector",
          "data-streamer-stripe-",
          "data streamer");

  private static final Map<String, Pool> POOLS =
      Map.of(
          Pools.PUBLIC, new Pool("public", "pub-#", "publicThreadPoolSize"),
          Pools.SYSTEM, new Pool("system", "sys-#", "systemThreadPoolSize"),
          Pools.QUERY, new Pool("query", "query-#", "queryThreadPoolSize"),
          Pools.SERVICES, new Pool("services", "svc-#", "serviceThreadPoolSize"),
          Pools.THIN, new Pool("client connector", "client-connector-#", "threadPoolSize"));

  static final List<Check> ALL =
      List.of(
          Check.of("striped-pool", servers(LoadChecks::striped)),
          Check.of("hot-stripe", servers(LoadChecks::hotStripe)),
          Check.of("slow-cache-operations", LoadChecks::slowTasks),
          Check.of("uneven-load", servers(LoadChecks::uneven)),
          Check.of("thread-pools", LoadChecks::pools));

  private LoadChecks() {}

  private static void striped(Facts facts, Server server, Result result) {
    double stripes = server.last(STRIPES_COUNT, 1);
    double share = server.shareAbove(QUEUE, 2 * stripes);
    if (share >= OFTEN
        && hotStripe(facts, server).isEmpty()
        && !waitsAlone(facts, server)
        && facts.standing(server, STRIPES).isEmpty()) {
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
    Map<String, Double> used = ThreadDump.cpuMillis(dumps, STRIPES);
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
        && facts.standing(server, STRIPES).isEmpty()) {
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
      double slow = server.growthFrom(Pools.STRIPED + ".TaskExecutionTime", SLOW_TASK_MILLIS);
      double all = server.growth(Pools.STRIPED + ".TotalCompletedTasksCount");
      Optional<String> waiting =
          OF_CACHES.keySet().stream()
              .filter(threads -> waiting(facts, server, threads).isPresent())
              .max(Comparator.comparing(threads -> threads.equals(STRIPES)));
      if (waiting.isPresent()) {
        ThreadDump.Standing found = waiting(facts, server, waiting.get()).orElseThrow();
        double stripes = server.last(STRIPES_COUNT);
        waits(found, result.found("blocked" + callback(found)).of(server), waiting.get())
            .with("pool", Value.name(OF_CACHES.getOrDefault(waiting.get(), "")))
            .evidence(
                "waiting for each task [ms], mean",
                1e3 * found.share() * stripes * facts.seconds() / Math.max(1, all))
            .costs(Math.max(found.share(), slow / Math.max(1, all)));
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

  /** A diagnosis of threads that wait in code of the user's. */
  static Check.Draft waits(ThreadDump.Standing found, Check.Draft draft, String threads) {
    return draft
        .with("frame", Value.name(found.frame()))
        .with("share", Value.share(found.share()))
        .evidence("where its threads " + threads + "… wait", found.most().place())
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
  private static Optional<ThreadDump.Standing> waiting(Facts facts, Server server, String threads) {
    double tasks = server.growthFrom(Pools.STRIPED + ".TaskExecutionTime", LONG_TASK_MILLIS);
    double busy = tasks * LONG_TASK_MILLIS / 1e3 / facts.seconds();
    boolean slowly = busy > FEW * server.last(STRIPES_COUNT);
    double least = slowly && threads.equals(STRIPES) ? FEW : ThreadDump.MANY;
    return ThreadDump.standing(facts.dumps(server), threads, least);
  }

  private static void pools(Facts facts, Result result) {
    POOLS.forEach(
        (pool, of) -> {
          for (Server server : facts.servers()) {
            double size = server.last(pool + ".CorePoolSize");
            double waiting = server.shareAbove(pool + ".QueueSize", size);
            double active = server.least(pool + ".ActiveCount");
            boolean busy = size > 0 && active >= size;
            Optional<ThreadDump.Standing> standing = facts.standing(server, of.threads);
            if (busy && waiting >= OFTEN) {
              boolean stuck = server.growth(pool + ".CompletedTaskCount") == 0;
              Check.Draft draft =
                  (stuck ? result.found("stuck") : result.found())
                      .with("share", Value.share(waiting))
                      .costs(stuck ? 1 : waiting)
                      .apart("pool", of.name)
                      .of(server)
                      .evidence("QueueSize, mean", server.mean(pool + ".QueueSize"))
                      .evidence("ActiveCount", active);
              standing.ifPresent(at -> draft.evidence("where its threads wait", at.most().place()));
              if (!stuck) {
                draft.change(of.property, (long) size, (long) (2 * size));
              }
            } else if ((pool.equals(Pools.PUBLIC) || (pool.equals(Pools.SERVICES) && busy))
                && !JvmChecks.locked(facts, server)) {
              boolean few = size > 0 && size < FEW_THREADS && pool.equals(Pools.PUBLIC);
              String variant = pool.equals(Pools.SERVICES) ? ".services" : few ? ".few" : "";
              standing.ifPresent(
                  at ->
                      waits(at, result.found("blocked" + variant).of(server), of.threads)
                          .with("threads", Value.count(Math.round(size)))
                          .apart("pool", of.name));
            }
          }
        });
  }
}
