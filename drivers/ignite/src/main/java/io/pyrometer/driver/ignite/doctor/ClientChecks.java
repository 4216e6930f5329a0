package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;

/**
 * Clients: how they read and write, their own state, and the queries and types that they leave in
 * the servers.
 */
final class ClientChecks {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final String HEAP_USED = "sys.memory.heap.used";

  /** Threads of a client node that call listeners and complete futures. */
  private static final List<String> CALLBACKS = List.of("sys-stripe-", "callback-#", "sys-#");

  private static final double MISSES = 0.05;
  private static final double COUNTED = 1_000;
  private static final double OPERATIONS_A_SECOND = 200;
  private static final double SESSIONS = 4;

  /** Buffers of records from which a streamer is judged. */
  private static final double STREAMED = 50;

  /** Ignite's numbers of GridNearSingleGetRequest and GridNearAtomicSingleUpdateRequest. */
  static final int SINGLE_GET = 116;

  static final int SINGLE_PUT = 125;

  /** Ignite's number of GridDhtAtomicSingleUpdateRequest, which takes one entry to a backup. */
  static final int SINGLE_COPY = -36;

  /** Ignite's number of DataStreamerRequest. */
  private static final int BUFFER = 62;

  static final String SENT = "communication.tcp.sentMessagesCount";
  private static final String CONNECTOR = "client.connector.";
  private static final String RECEIVED = "io.communication.ReceivedMessagesCount";

  /** Requests of thin clients, and of JDBC and ODBC. */
  static final String REQUESTS = ThreadPool.THIN.metric("CompletedTaskCount");

  private static final List<String> KINDS = List.of("thin", "jdbc", "odbc");
  private static final String MIXED = "mixed-operations";

  static final List<Check> ALL =
      List.of(
          Check.of("short-lived-connections", ClientChecks::connections),
          Check.of("partition-awareness", ofLastingConnections(ClientChecks::awareness)),
          Check.of("thin-clients-of-one-server", ofLastingConnections(ClientChecks::oneServer)),
          Check.of("outbound-queues", servers(ClientChecks::outbound)),
          Check.of("single-gets", ClientChecks::singleGets),
          Check.of("small-writes", ClientChecks::smallWrites),
          Check.of("streamer-receiver", ClientChecks::streamer),
          Check.of("skipped-keys", ClientChecks::skippedKeys),
          Check.of("marshalling", look -> look.unjudged("no-profile")),
          Check.of("silent-client", ClientChecks::silent),
          Check.of("scan-queries", ClientChecks::scans),
          Check.of("blocked-listeners", clients(ClientChecks::listeners)),
          Check.of("client-memory", clients(ClientChecks::memory)),
          Check.of("near-caches", ClientChecks::near),
          Check.of("open-cursors", ClientChecks::cursors),
          Check.of("binary-schemas", ClientChecks::schemas),
          Check.of("recorded-events", servers(ClientChecks::events)));

  private ClientChecks() {}

  /**
   * Connections of all kinds that were accepted during the observation, and the requests of each.
   * The pool that serves them has a task for each request, for the handshake and for the end of a
   * connection; one without tasks is not counted. Pools that renew their connections, and short
   * programs, make fewer than those that are called short-lived.
   */
  private record Connections(double accepted, double perSecond, double requests) {
    static Connections of(Look look) {
      double accepted =
          KINDS.stream()
              .mapToDouble(kind -> look.growth(CONNECTOR + kind + ".AcceptedSessions"))
              .sum();
      double tasks = look.growth(REQUESTS);
      return new Connections(
          accepted,
          accepted / look.seconds(),
          tasks == 0 ? Double.POSITIVE_INFINITY : Math.max(0, tasks / Math.max(1, accepted) - 2));
    }

    boolean shortLived() {
      return perSecond > 10 && requests < 20;
    }
  }

  private static void connections(Look look) {
    Connections made = Connections.of(look);
    if (made.shortLived()) {
      look.found()
          .count("connections", made.accepted)
          .with("requests", Value.number(made.requests))
          .evidence("AcceptedSessions [1/s]", made.perSecond)
          .evidence("requests of a connection", made.requests)
          .costs(1 / (1 + made.requests));
    }
  }

  /** Short connections show only the first requests of clients. */
  private static Consumer<Look> ofLastingConnections(Consumer<Look> body) {
    return look -> {
      if (Connections.of(look).shortLived()) {
        look.unjudged("short-connections");
      } else {
        body.accept(look);
      }
    };
  }

  private static void awareness(Look look) {
    boolean counted =
        look.last(CONNECTOR + "thin.ActiveSessions") == 0
            || look.isCounted(cache -> cache.getCacheMode() != CacheMode.REPLICATED);
    double misses = look.growth(CONNECTOR + "AffinityKeyRequestsMisses");
    double hits = look.growth(CONNECTOR + "AffinityKeyRequestsHits");
    double all = misses + hits;
    if (all > COUNTED && misses > MISSES * all && look.servers().size() > 1) {
      look.found()
          .costs("share", misses / all)
          .count("requests", all)
          .evidence("AffinityKeyRequestsMisses", misses)
          .evidence("AffinityKeyRequestsHits", hits);
    } else if (!counted) {
      passedOn(look);
    }
  }

  /**
   * A server passes a request for a key that it does not have on to another. Without busy client
   * nodes, jobs, transactions and JDBC, nobody else sends gets and puts of one key.
   */
  private static void passedOn(Look look) {
    double passed = look.messages(SINGLE_GET) + look.messages(SINGLE_PUT);
    double requests = look.growth(REQUESTS);
    boolean others =
        look.around().clients().stream().anyMatch(client -> sends(client, MISSES * passed))
            || look.jobs() > MISSES * passed
            || look.buffers() > STREAMED
            || look.growth("tx.txCommits") > MISSES * passed
            || look.last(CONNECTOR + "jdbc.ActiveSessions") > 0
            || look.caches().stream().anyMatch(cache -> !look.isEmpty(cache) && !isMapped(cache));
    if (passed > COUNTED && passed > 2 * MISSES * requests && !others) {
      look.found()
          .costs("share", Math.min(1, passed / requests))
          .count("requests", requests)
          .evidence("gets and puts of one key between servers", passed)
          .evidence("requests of thin clients", requests);
    }
  }

  /** Returns whether a thin client can know the servers of the cache's keys. */
  private static boolean isMapped(CacheConfiguration<?, ?> cache) {
    return cache.getCacheMode() != CacheMode.REPLICATED
        && (cache.getAffinity() == null
            || cache.getAffinity().getClass() == RendezvousAffinityFunction.class);
  }

  private static boolean sends(Server client, double most) {
    return client.values(SENT).length < 2 || client.growth(SENT) > most;
  }

  /** Each connection of JDBC or ODBC leads to one address, chosen at random among those named. */
  private static void oneServer(Look look) {
    int servers = look.servers().size();
    double all = look.sum(ClientChecks::sessions);
    double thin = look.last(CONNECTOR + "thin.ActiveSessions");
    boolean noChance = thin >= SESSIONS || Math.pow(servers, 1 - (all - thin)) <= 0.01;
    for (Server server : look.servers()) {
      if (servers > 1 && all >= SESSIONS && noChance && sessions(server) == all) {
        look.found()
            .count("clients", all)
            .of(server)
            .evidence("ActiveSessions", all)
            .evidence("servers", servers, "cluster");
      }
    }
  }

  private static double sessions(Server server) {
    return KINDS.stream()
        .mapToDouble(kind -> server.last(CONNECTOR + kind + ".ActiveSessions"))
        .sum();
  }

  private static void outbound(Look look, Server server) {
    for (String queue :
        List.of(
            "io.communication.OutboundMessagesQueueSize",
            CONNECTOR + "outboundMessagesQueueSize")) {
      if (server.least(queue) > 1_000) {
        look.found().evidence(queue + ", least", server.least(queue));
      }
    }
  }

  /** Without statistics, the messages that clients send for single keys are counted. */
  private static void singleGets(Look look) {
    boolean counted = look.isCounted(cache -> true);
    double gets = counted ? look.counted("CacheGets") : look.messages(SINGLE_GET);
    double puts = counted ? look.counted("CachePuts") : look.messages(SINGLE_PUT);
    if (gets <= OPERATIONS_A_SECOND * look.seconds()) {
      return;
    }
    if (gets <= 4 * puts) {
      if (counted) {
        look.unjudged(MIXED);
      }
      return;
    }
    double received = look.growth(RECEIVED);
    double single =
        look.sum(
            server ->
                look.caches().stream()
                    .mapToDouble(c -> server.growthFrom("cache." + c.getName() + ".GetTime", 0))
                    .sum());
    if (!counted || received > 0.8 * (gets + puts) || single > 0.8 * gets) {
      look.found()
          .rate(counted ? "CacheGets" : "messages with a get of one key", gets / look.seconds())
          .evidence("messages received, per operation", received / (gets + puts));
    }
  }

  /**
   * A put to an atomic cache with a backup costs its servers three messages, and one of a thin
   * client two; a batch costs about as many whatever its size. Transactions and streamers have
   * other messages: a buffer of 512 records has more bytes, and backups and answers have messages
   * of their own.
   */
  private static void smallWrites(Look look) {
    double received = look.growth("communication.tcp.receivedMessagesCount");
    double bytes = look.growth("communication.tcp.receivedBytes");
    double buffers = look.messages(BUFFER);
    double statements =
        look.view(Observation.STATEMENTS).stream()
            .filter(row -> row.get("sql").matches("(?is)\\s*(INSERT|MERGE)\\b.*"))
            .mapToDouble(row -> row.amount(Observation.SINCE))
            .sum();
    double many = OPERATIONS_A_SECOND * look.seconds();
    if (buffers > many && buffers > 0.2 * received && bytes < 4_000 * received) {
      look.found("buffers")
          .rate("messages of data streamers", buffers / look.seconds())
          .with("bytes", Value.bytes(bytes / received))
          .evidence("bytes received, per message", bytes / received);
    } else if (statements > many) {
      look.found().rate("executions of INSERT and MERGE", statements / look.seconds());
    } else if (look.isCounted(cache -> true)) {
      countedWrites(look, many);
    } else {
      double puts = look.messages(SINGLE_PUT);
      if (puts > many && puts > look.messages(SINGLE_GET)) {
        look.found().rate("messages with a put of one key", puts / look.seconds());
      }
    }
  }

  private static void countedWrites(Look look, double many) {
    double records = look.records();
    double messages = look.growth(RECEIVED) - 2 * look.jobs();
    if (records <= many) {
      return;
    }
    if (look.buffers() > STREAMED || !look.transactional().isEmpty()) {
      look.unjudged("other-messages");
    } else if (records <= look.counted("CacheGets")) {
      look.unjudged(MIXED);
    } else if (messages > records) {
      look.found()
          .rate("records written", records / look.seconds())
          .with("messages", Value.number(messages / records))
          .evidence("messages received, per record", messages / records);
    }
  }

  /**
   * Entries that went to backups one by one, and were no writes of others: of put, of invoke, and
   * of putIfAbsent, replace and others with a condition. With a few entries of a buffer it is no
   * matter of its size how they are copied.
   */
  private static void streamer(Look look) {
    double tasks = look.buffers();
    double copies = look.messages(SINGLE_COPY);
    double writes =
        IntStream.rangeClosed(SINGLE_PUT, SINGLE_PUT + 2).mapToDouble(look::messages).sum()
            + look.growth(REQUESTS);
    double backups = look.caches().stream().mapToInt(look::backups).max().orElse(1);
    if (tasks > STREAMED
        && copies > Math.max(COUNTED, 3 * tasks)
        && writes * Math.max(1, backups) < copies / 2
        && look.jobs() < tasks) {
      look.found()
          .rate("messages of one entry to a backup", copies / look.seconds())
          .evidence("GridDataStream tasks", tasks);
    }
  }

  /** A write of a streamer without overwrite counts as no put, and adds an entry or nothing. */
  private static void skippedKeys(Look look) {
    double tasks = look.buffers();
    if (tasks <= STREAMED || (isObscure(look) && !skips(look))) {
      return;
    }
    double most = 0.05 * tasks;
    double added =
        look.caches().stream()
            .mapToDouble(cache -> Math.abs(look.counted(cache, "OffHeapPrimaryEntriesCount")))
            .sum();
    double changed = look.counted("CachePuts") + look.counted("CacheRemovals");
    if (added < most && changed < most) {
      look.found()
          .count("buffers", tasks)
          .count("entries", added + changed)
          .evidence("GridDataStream tasks", tasks)
          .evidence("entries added", added, "all caches")
          .evidence("CachePuts and CacheRemovals", changed, "all caches")
          .costs(1);
    }
  }

  /**
   * Returns whether updates that go unseen for want of statistics are seen to be none, by the class
   * through which a streamer's records go where those of existing keys are skipped.
   */
  private static boolean skips(Look look) {
    return look.unjudged().filter(why -> why.reason().equals("statistics")).isPresent()
        && look.servers().stream()
            .flatMap(server -> look.dumps(server).stream())
            .anyMatch(dump -> !dump.in("DataStreamerImpl$IsolatedUpdater").isEmpty());
  }

  /** Returns whether changes of entries could go unseen. */
  private static boolean isObscure(Look look) {
    look.isCounted(cache -> true);
    if (look.servers().stream()
        .flatMap(server -> server.regions().stream())
        .anyMatch(region -> region.getPageEvictionMode() != DataPageEvictionMode.DISABLED)) {
      look.unjudged("eviction");
    }
    List<String> expiring =
        look.caches().stream()
            .filter(CacheChecks::expires)
            .map(CacheConfiguration::getName)
            .toList();
    if (!expiring.isEmpty()) {
      look.unjudged("expiry", "caches", Value.names(expiring));
    }
    return look.unjudged().isPresent();
  }

  private static Consumer<Look> clients(BiConsumer<Look, Server> body) {
    return Check.each("clients", look -> look.around().clients(), Server::name, body);
  }

  private static void silent(Look look) {
    for (String name : look.around().silentClients()) {
      look.found().of("clients", name).evidence("answers within 5 s", 0);
    }
  }

  /** Scans with a filter that run in half of the samples or more. */
  private static void scans(Look look) {
    long samples =
        look.servers().stream().mapToLong(server -> server.samples().size()).max().orElse(0);
    look.view(Observation.SCANS).stream()
        .filter(row -> !row.get("filter").isEmpty() && !row.get("filter").equals("null"))
        .collect(Collectors.groupingBy(row -> row.get("cacheName")))
        .forEach(
            (cache, rows) -> {
              double seen =
                  rows.stream().map(row -> row.get(Observation.SAMPLE)).distinct().count();
              if (2 * seen >= samples) {
                look.found()
                    .of("caches", cache)
                    .evidence("scans seen in " + samples + " samples", rows.size())
                    .evidence("filter", rows.get(0).get("filter").replaceFirst("[@$].*", ""))
                    .costs(seen / samples);
              }
            });
  }

  private static void listeners(Look look, Server client) {
    CALLBACKS.stream()
        .flatMap(pool -> look.standing(client, pool).stream())
        .limit(1)
        .forEach(found -> LoadChecks.waits(found, look.found()));
  }

  private static void memory(Look look, Server client) {
    double max = client.maxHeap();
    double gc = client.mean(StorageChecks.GC_LOAD) * client.cpus();
    double used = client.mean(HEAP_USED) / max;
    if (max > 0 && client.shareAbove(HEAP_USED, 0.85 * max) >= 0.75 && gc > StorageChecks.SOME_GC) {
      look.found()
          .costs("share", used)
          .evidence("sys.memory.heap.max [MiB]", max / (1 << 20))
          .evidence("sys.memory.heap.used / max, mean", used)
          .evidence("sys.GcCpuLoad × CPUs, mean", gc);
    }
  }

  private static void near(Look look) {
    for (Server client : look.around().clients()) {
      for (CacheConfiguration<?, ?> cache : look.caches()) {
        String name = "cache." + cache.getName();
        double near = client.last(name + Observation.NEAR_ENTRIES);
        double all = look.last(name + CacheChecks.ENTRIES);
        if (near >= 10_000 && near > all / 2) {
          look.found()
              .of("caches", cache.getName())
              .count("entries", near)
              .name("client", client.name())
              .evidence("entries of the near cache", near, client.name())
              .evidence("entries of the cache", all);
        }
      }
    }
  }

  /** Queries of a node that are registered as running and have rows to give. */
  private static void cursors(Look look) {
    Comparator<Row> byDuration = Comparator.comparingDouble(Row::seconds);
    List<Row> open =
        look.view(Observation.RUNNING).stream()
            .collect(Collectors.groupingBy(row -> row.get("queryId")))
            .values()
            .stream()
            .filter(sights -> sights.size() > 1)
            .map(sights -> Collections.max(sights, byDuration))
            .filter(last -> last.seconds() > 3)
            .toList();
    if (open.size() >= 20) {
      Row longest = Collections.max(open, byDuration);
      look.found()
          .count("queries", open.size())
          .seconds("longest", longest.seconds())
          .evidence("statement", SqlChecks.shown(longest.get("sql")), "SQL_QUERIES")
          .evidence("node", longest.server(), "SQL_QUERIES");
    }
  }

  /** The view lists the identifiers of the schemas. */
  private static void schemas(Look look) {
    for (Row row : look.view(Observation.METADATA)) {
      int schemas = numbers(row.get("schemasIds"));
      if (schemas > 20) {
        look.found()
            .of("types", row.get("typeName"))
            .count("schemas", schemas)
            .evidence("schemas", schemas, "BINARY_METADATA");
      }
    }
  }

  private static void events(Look look, Server server) {
    int recorded = numbers(server.configuration().getOrDefault("IncludeEventTypes", ""));
    if (recorded > 0) {
      look.found().count("events", recorded).evidence("includeEventTypes", recorded);
    }
  }

  private static int numbers(String list) {
    return (int) NUMBER.matcher(list).results().count();
  }
}
