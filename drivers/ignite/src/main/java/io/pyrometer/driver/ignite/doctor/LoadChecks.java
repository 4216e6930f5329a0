package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Threads, queues and clients: how the load meets the servers. */
final class LoadChecks {
  private static final double OFTEN = 0.5;
  private static final double STRIPE_SHARE = 0.6;
  private static final int STRIPE_TASKS = 50;
  private static final long SLOW_TASK_MILLIS = 100;
  private static final double MISSES = 0.05;
  private static final double COUNTED = 1_000;
  private static final double GETS_A_SECOND = 200;
  private static final double OUTBOUND = 1_000;
  private static final double SESSIONS = 4;
  private static final double MESSAGES_PER_RECORD = 0.3;
  private static final String ACTIVE = ".ActiveCount";
  private static final String CONNECTOR = "client.connector.";

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
          ofCluster("thread-pools", Check.POOLS, LoadChecks::pools),
          ofCluster("partition-awareness", Check.METRICS, LoadChecks::awareness),
          ofCluster("thin-clients-of-one-server", Check.METRICS, LoadChecks::oneServer),
          ofCluster("outbound-queues", Check.METRICS, LoadChecks::outbound),
          ofCluster("single-gets", Check.GENERAL, LoadChecks::singleGets),
          ofCluster("streamer-receiver", Check.GENERAL, LoadChecks::streamer));

  private LoadChecks() {}

  private static void striped(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      String queue = Pools.STRIPED + ".TotalQueueSize";
      double stripes = server.last(Pools.STRIPED + ".StripesCount").orElse(1);
      double share = server.shareAbove(queue, 2 * stripes);
      if (share >= OFTEN
          && hotStripe(facts, server.name()).isEmpty()
          && facts.standing(server, STRIPES).isEmpty()) {
        result
            .problem("Cache operations wait for a thread of the striped pool of %s.", server.name())
            .evidence("TotalQueueSize, mean", server.mean(queue), server.name())
            .evidence("StripesCount", stripes, server.name())
            .impact(
                share,
                "in %.0f %% of %d samples more than two tasks a stripe waited",
                100 * share,
                server.values(queue).length)
            .cause(
                "The server's CPUs are busy, its threads are blocked, or it has too few of them.")
            .action(Needs.SERVERS, "Give the server more CPUs; where they are idle, more stripes.")
            .change("stripedPoolSize", (long) stripes, (long) (2 * stripes));
      }
    }
  }

  private static void hotStripe(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      hotStripe(facts, server.name())
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

  private static Optional<HotStripe> hotStripe(Facts facts, String server) {
    Map<String, Long> stripes =
        facts.view(Observation.QUEUES).stream()
            .filter(row -> row.server().equals(server))
            .collect(Collectors.groupingBy(row -> row.get("stripeIndex"), Collectors.counting()));
    long all = stripes.values().stream().mapToLong(Long::longValue).sum();
    return stripes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(busiest -> new HotStripe(busiest.getKey(), busiest.getValue(), all))
        .filter(hot -> all >= STRIPE_TASKS && hot.waiting > STRIPE_SHARE * all);
  }

  private static void slowTasks(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      double slow = server.growthFrom(Pools.STRIPED + ".TaskExecutionTime", SLOW_TASK_MILLIS);
      double all = server.growth(Pools.STRIPED + ".TotalCompletedTasksCount");
      Optional<ThreadDump.Standing> standing = facts.standing(server, STRIPES);
      boolean often = slow >= 5 && slow * SLOW_TASK_MILLIS / 1e3 > 0.1 * facts.seconds();
      if (often || standing.isPresent()) {
        Check.Draft draft =
            often
                ? result
                    .problem("Cache operations of %s take 100 ms and longer.", server.name())
                    .impact(
                        slow / Math.max(1, all),
                        "%.0f of %.0f tasks of the striped pool",
                        slow,
                        all)
                : result.problem("Cache operations of %s are blocked.", server.name());
        draft
            .evidence("TaskExecutionTime ≥ 100 ms", slow, server.name())
            .evidence("TotalCompletedTasksCount", all, server.name());
        standing.ifPresent(
            found ->
                draft
                    .evidence("threads of the striped pool in", found.frame(), server.name())
                    .impact(
                        Math.max(found.share(), slow / Math.max(1, all)),
                        "%.0f %% of its threads wait there, in %d of %d thread dumps",
                        100 * found.share(),
                        found.seen(),
                        found.dumps()));
        draft
            .cause(
                "An entry processor, a filter of a continuous query, an interceptor or a cache store blocks, and every operation of its partitions waits behind it.")
            .action(
                Needs.CLIENTS,
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
                  .ifPresent(at -> draft.evidence("its threads in", at.frame(), server.name()));
              if (stuck) {
                draft
                    .cause("Tasks of the pool wait for other tasks of the same pool.")
                    .action(
                        Needs.CLIENTS,
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

  private static void awareness(Facts facts, Result result) {
    double misses = facts.sum(server -> server.growth(CONNECTOR + "AffinityKeyRequestsMisses"));
    double hits = facts.sum(server -> server.growth(CONNECTOR + "AffinityKeyRequestsHits"));
    if (misses + hits > COUNTED
        && misses > MISSES * (misses + hits)
        && facts.servers().size() > 1) {
      double share = misses / (misses + hits);
      result
          .problem("Thin clients send requests to servers that do not have the key.")
          .evidence("AffinityKeyRequestsMisses", misses, "all servers")
          .evidence("AffinityKeyRequestsHits", hits, "all servers")
          .impact(share, "%.0f %% of %,.0f requests took another hop", 100 * share, misses + hits)
          .cause(
              "The clients' partition awareness is off, or they know only some of the servers' addresses.")
          .action(
              Needs.CLIENTS,
              "Enable partition awareness (setPartitionAwarenessEnabled) and name all servers.")
          .change("partitionAwarenessEnabled", false, true)
          .comparison("partition-awareness", false, true, "path", "thin-put");
    }
  }

  private static void oneServer(Facts facts, Result result) {
    String sessions = CONNECTOR + "thin.ActiveSessions";
    double all = facts.sum(server -> server.last(sessions).orElse(0));
    facts.servers().stream()
        .filter(server -> facts.servers().size() > 1 && all >= SESSIONS)
        .filter(server -> server.last(sessions).orElse(0) == all)
        .forEach(
            server ->
                result
                    .problem("All %.0f thin clients are connected to %s.", all, server.name())
                    .evidence("thin.ActiveSessions", all, server.name())
                    .evidence("servers", facts.servers().size(), "cluster")
                    .cause(
                        "They know one address, or chose the same one and use no other because partition"
                            + " awareness is off; one server carries the network load of all of"
                            + " them.")
                    .action(Needs.CLIENTS, "Name the addresses of all servers (setAddresses)."));
  }

  private static void outbound(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      for (String queue :
          List.of(
              "io.communication.OutboundMessagesQueueSize",
              CONNECTOR + "outboundMessagesQueueSize")) {
        if (server.least(queue) > OUTBOUND) {
          result
              .problem("Messages of %s wait to be sent.", server.name())
              .evidence(queue + ", least", server.least(queue), server.name())
              .cause("A receiver, or the network to it, is slower than the sender.")
              .action(
                  Needs.NOTHING,
                  "Find the slow receiver: a client in a long collection, or a link at its limit.");
        }
      }
    }
  }

  private static void singleGets(Facts facts, Result result) {
    if (!facts.statistics()) {
      result.notMade("no cache counts its operations (statisticsEnabled)");
      return;
    }
    double gets = facts.gets();
    double puts = facts.puts();
    double received = facts.sum(server -> server.growth("io.communication.ReceivedMessagesCount"));
    double single =
        facts.caches().stream()
            .mapToDouble(
                cache ->
                    facts.sum(
                        server -> server.growthFrom("cache." + cache.getName() + ".GetTime", 0)))
            .sum();
    boolean thick = received > 0.8 * (gets + puts);
    if (gets > GETS_A_SECOND * facts.seconds()
        && gets > 4 * puts
        && (thick || single > 0.8 * gets)) {
      result
          .advice("Records are read one by one.")
          .evidence("CacheGets [1/s]", gets / facts.seconds(), "all servers")
          .evidence(
              "messages received by servers, per operation",
              received / (gets + puts),
              "all servers")
          .cause("Each read is a round trip of its own, whose messages cost more than the read.")
          .action(
              Needs.CLIENTS,
              "Read several keys with getAll, or send the computation to the data (affinityRun, invoke).")
          .comparison("path", "get", "get-all");
    }
  }

  private static void streamer(Facts facts, Result result) {
    double tasks = facts.sum(server -> server.growth(Pools.STREAMER + ".TotalCompletedTasksCount"));
    if (tasks <= 50) {
      return;
    }
    if (!facts.statistics()) {
      result.notMade("no cache counts its operations (statisticsEnabled)");
      return;
    }
    double copies = facts.caches().stream().mapToInt(facts::backups).max().orElse(0) + 1.0;
    double puts =
        facts.caches().stream().mapToDouble(cache -> facts.counted(cache, "CachePuts")).sum()
            / copies;
    double messages = facts.sum(server -> server.growth("io.communication.SentMessagesCount"));
    if (puts > COUNTED && copies > 1 && messages > MESSAGES_PER_RECORD * puts) {
      result
          .problem("The data streamer updates entry by entry.")
          .evidence("messages sent by servers, per record", messages / puts, "all servers")
          .evidence("GridDataStream tasks", tasks, "all servers")
          .cause(
              "With allowOverwrite and no batched receiver, each entry is a put of its own on the server, with messages to its backups.")
          .action(
              Needs.CLIENTS,
              "Set the receiver: streamer.receiver(DataStreamerCacheUpdaters.batchedSorted()).")
          .comparison("path", "streamer-individual", "streamer-batched");
    }
  }
}
