package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Threads and queues of the servers under the load. */
final class LoadChecks {
  private static final double OFTEN = 0.5;
  private static final double NEARLY_ALWAYS = 0.75;
  private static final double STRIPE_SHARE = 0.6;
  private static final int STRIPE_TASKS = 50;

  /** A burst that one sample sees is no hot stripe. */
  private static final double FEW_TASKS = 5;

  /** With fewer, the busiest has a large share of the tasks whatever the keys are. */
  private static final int STRIPES_COMPARED = 4;

  private static final long SLOW_TASK_MILLIS = 100;
  private static final String ACTIVE = ".ActiveCount";
  private static final String QUEUE = Pools.STRIPED + ".TotalQueueSize";

  private static final String SLOWER =
      "It is slower than the others: a CPU quota, a slow link or a busy neighbour.";
  private static final String COMPARE =
      "Compare its CPU quota, its machine and its link with those of the others.";
  private static final double LATE_TIMES = 5;
  private static final double LATE_MILLIS = 50;

  /** The beginning of the names of the striped pool's threads. */
  private static final String STRIPES = "sys-stripe-";

  /** The same of other pools. */
  private static final Map<String, String> THREADS =
      Map.of(
          Pools.PUBLIC, "pub-#",
          Pools.SYSTEM, "sys-#",
          Pools.QUERY, "query-#",
          Pools.SERVICES, "svc-#",
          Pools.THIN, "client-connector-#");

  static final List<Check> ALL =
      List.of(
          ofCluster("striped-pool", Check.POOLS, LoadChecks::striped),
          ofCluster("hot-stripe", Check.POOLS, LoadChecks::hotStripe),
          ofCluster("slow-cache-operations", Check.POOLS, LoadChecks::slowTasks),
          ofCluster("uneven-load", Check.METRICS, LoadChecks::uneven),
          ofCluster("thread-pools", Check.POOLS, LoadChecks::pools));

  private LoadChecks() {}

  private static void striped(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      double stripes = server.last(Pools.STRIPED + ".StripesCount").orElse(1);
      double share = server.shareAbove(QUEUE, 2 * stripes);
      if (share >= OFTEN
          && hotStripe(facts, server).isEmpty()
          && !waitsAlone(facts, server)
          && facts.standing(server, STRIPES).isEmpty()) {
        result
            .problem("Cache operations wait for a thread of the striped pool of %s.", server.name())
            .evidence("TotalQueueSize, mean", server.mean(QUEUE), server.name())
            .evidence("StripesCount", stripes, server.name())
            .impact(
                share,
                "in %.0f %% of %d samples more than two tasks a stripe waited",
                100 * share,
                server.values(QUEUE).length)
            .cause(
                "The server's CPUs are busy, its threads are blocked, or it has too few of them.")
            .action(Needs.SERVERS, "Give the server more CPUs; where they are idle, more stripes.")
            .change("stripedPoolSize", (long) stripes, (long) (2 * stripes));
      }
    }
  }

  private static void hotStripe(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      hotStripe(facts, server)
          .ifPresent(
              hot ->
                  result
                      .problem("One thread of %s does most of the work that waits.", server.name())
                      .evidence("waiting tasks of stripe " + hot.stripe, hot.waiting, server.name())
                      .evidence("waiting tasks", hot.all, server.name())
                      .impact(
                          (double) hot.waiting / hot.all,
                          "%.0f %% of the waiting tasks are for one of its stripes",
                          100.0 * hot.waiting / hot.all)
                      .cause(
                          "All operations of a partition are done by one thread: some key, or keys"
                              + " of one partition, are used far more often than others.")
                      .action(
                          Needs.CLIENTS,
                          "Divide the hot key, or cache it near the clients; look at the affinity"
                              + " key if many keys share it."));
    }
  }

  /** A stripe that most waiting tasks of a server are for, in all samples together. */
  private record HotStripe(String stripe, long waiting, long all) {}

  private static Optional<HotStripe> hotStripe(Facts facts, Server server) {
    Map<String, Long> stripes =
        facts.view(Observation.QUEUES).stream()
            .filter(row -> row.server().equals(server.name()))
            .collect(Collectors.groupingBy(row -> row.get("stripeIndex"), Collectors.counting()));
    long all = stripes.values().stream().mapToLong(Long::longValue).sum();
    return stripes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(busiest -> new HotStripe(busiest.getKey(), busiest.getValue(), all))
        .filter(hot -> all >= STRIPE_TASKS && hot.waiting > STRIPE_SHARE * all)
        .filter(
            hot -> server.values(QUEUE).length == 0 || server.shareAbove(QUEUE, FEW_TASKS) >= OFTEN)
        .filter(
            hot ->
                server.last(Pools.STRIPED + ".StripesCount").orElse(STRIPES_COMPARED)
                    >= STRIPES_COMPARED);
  }

  private static void uneven(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      if (waitsAlone(facts, server)
          && hotStripe(facts, server).isEmpty()
          && facts.standing(server, STRIPES).isEmpty()) {
        double own = server.mean(QUEUE);
        double others = ofOthers(facts, server, QUEUE);
        result
            .problem("Requests wait at %s alone.", server.name())
            .evidence("TotalQueueSize, mean", own, server.name())
            .evidence("TotalQueueSize, mean", others, "the other servers")
            .impact(
                1, "%.0f times as many requests wait as at the others", own / Math.max(1, others))
            .cause(SLOWER)
            .action(Needs.NOTHING, COMPARE);
      } else if (answersLate(facts, server)) {
        double own = server.mean(Observation.ANSWER_MILLIS);
        double others = ofOthers(facts, server, Observation.ANSWER_MILLIS);
        result
            .problem("%s answers later than the others.", server.name())
            .evidence("answers to a sample of metrics [ms], mean", own, server.name())
            .evidence("answers to a sample of metrics [ms], mean", others, "the other servers")
            .impact(1 - others / own, "its answers take %.0f times as long", own / others)
            .cause(SLOWER)
            .action(Needs.NOTHING, COMPARE);
      }
    }
  }

  private static boolean answersLate(Facts facts, Server server) {
    double others = ofOthers(facts, server, Observation.ANSWER_MILLIS);
    double late = Math.max(LATE_TIMES * others, others + LATE_MILLIS);
    return server.values(Observation.ANSWER_MILLIS).length > 1
        && server.shareAbove(Observation.ANSWER_MILLIS, late) >= NEARLY_ALWAYS;
  }

  private static boolean waitsAlone(Facts facts, Server server) {
    double own = server.mean(QUEUE);
    return own > server.last(Pools.STRIPED + ".StripesCount").orElse(1)
        && own > 10 * Math.max(1, ofOthers(facts, server, QUEUE));
  }

  private static double ofOthers(Facts facts, Server server, String metric) {
    return facts.servers().stream()
        .filter(other -> !other.equals(server))
        .mapToDouble(other -> other.mean(metric))
        .average()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Of a server with persistence tasks also wait for the disk, which has checks of its own. */
  private static void slowTasks(Facts facts, Result result) {
    JvmChecks.requireDumps(facts, result);
    for (Server server : facts.servers()) {
      double slow = server.growthFrom(Pools.STRIPED + ".TaskExecutionTime", SLOW_TASK_MILLIS);
      double all = server.growth(Pools.STRIPED + ".TotalCompletedTasksCount");
      Optional<ThreadDump.Standing> standing = facts.standing(server, STRIPES);
      boolean often =
          !server.persistent()
              && slow >= 5
              && slow * SLOW_TASK_MILLIS / 1e3 > 0.1 * facts.seconds();
      if (often || standing.isPresent()) {
        String where = standing.map(found -> " in " + found.frame()).orElse("");
        Check.Draft draft =
            often
                ? result
                    .problem(
                        "Cache operations of %s take 100 ms and longer%s.", server.name(), where)
                    .impact(
                        slow / Math.max(1, all),
                        "%.0f of %.0f tasks of the striped pool",
                        slow,
                        all)
                : result.problem("Cache operations of %s are blocked%s.", server.name(), where);
        if (slow > 0) {
          draft.evidence("tasks of 100 ms and longer (TaskExecutionTime)", slow, server.name());
        }
        draft.evidence("tasks completed (TotalCompletedTasksCount)", all, server.name());
        double stripes = server.last(Pools.STRIPED + ".StripesCount").orElse(0);
        standing.ifPresent(
            found ->
                draft
                    .evidence("where its striped pool waits", found.frame(), server.name())
                    .evidence(
                        "waiting for each task [ms], mean",
                        1e3 * found.share() * stripes * facts.seconds() / Math.max(1, all),
                        server.name())
                    .impact(
                        Math.max(found.share(), slow / Math.max(1, all)),
                        "%.0f %% of the striped pool's threads wait in your code, in %d of %d thread dumps",
                        100 * found.share(),
                        found.seen(),
                        found.dumps()));
        draft
            .cause(
                "An entry processor, a filter of a continuous query, an interceptor or a cache store blocks, and every operation of its partitions waits behind it.")
            .action(
                Needs.DEPLOYMENT,
                "Keep input, output and waiting out of them: use a compute task or a service.");
      }
    }
  }

  private static void pools(Facts facts, Result result) {
    Map<String, String> properties =
        Map.of(
            Pools.PUBLIC, "publicThreadPoolSize",
            Pools.SYSTEM, "systemThreadPoolSize",
            Pools.QUERY, "queryThreadPoolSize",
            Pools.SERVICES, "serviceThreadPoolSize",
            Pools.THIN, "threadPoolSize");
    for (Server server : facts.servers()) {
      properties.forEach(
          (pool, property) -> {
            double size = server.last(pool + ".CorePoolSize").orElse(0);
            double waiting = server.shareAbove(pool + ".QueueSize", size);
            double active = server.least(pool + ACTIVE);
            if (size > 0 && waiting >= OFTEN && active >= size) {
              boolean stuck = server.growth(pool + ".CompletedTaskCount") == 0;
              String name = pool.replaceFirst("threadPools\\.(Grid)?(.*)Executor", "$2");
              Check.Draft draft =
                  result
                      .problem(
                          stuck
                              ? "All threads of the pool '%s' of %s wait, and none has ended a task."
                              : "Tasks wait for a thread of the pool '%s' of %s.",
                          name,
                          server.name())
                      .evidence("QueueSize, mean", server.mean(pool + ".QueueSize"), server.name())
                      .evidence("ActiveCount", active, server.name())
                      .impact(
                          stuck ? 1 : waiting,
                          "in %.0f %% of the samples more tasks waited than it has threads",
                          100 * waiting);
              facts
                  .standing(server, THREADS.getOrDefault(pool, pool))
                  .ifPresent(
                      at -> draft.evidence("where its threads wait", at.frame(), server.name()));
              if (stuck) {
                draft
                    .cause("Tasks of the pool wait for other tasks of the same pool.")
                    .action(
                        Needs.DEPLOYMENT,
                        "Do not wait for a task inside of a task; use a custom executor for the inner ones.");
              } else {
                draft
                    .cause("The pool is too small for the rate and the length of its tasks.")
                    .action(
                        Needs.SERVERS,
                        "Make it larger where the CPUs are idle, or the tasks shorter.")
                    .change(property, (long) size, (long) (2 * size));
              }
            }
          });
    }
  }
}
