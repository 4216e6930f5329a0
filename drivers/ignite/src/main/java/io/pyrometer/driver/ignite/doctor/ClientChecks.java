package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.cache.configuration.Factory;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.jspecify.annotations.Nullable;

/** How clients read and write. */
final class ClientChecks {
  private static final double MISSES = 0.05;
  private static final double COUNTED = 1_000;
  private static final double OPERATIONS_A_SECOND = 200;
  private static final double OUTBOUND = 1_000;
  private static final double SESSIONS = 4;
  private static final double BY_CHANCE = 0.01;

  /** Connections a second; pools that renew their connections, and short programs, make fewer. */
  private static final double CONNECTIONS_A_SECOND = 10;

  private static final double REQUESTS_OF_A_CONNECTION = 20;

  /** Buffers of records from which a streamer is judged. */
  private static final double STREAMED = 50;

  private static final double STORED_PER_TASK = 0.05;

  /** Ignite's numbers of GridNearSingleGetRequest and GridNearAtomicSingleUpdateRequest. */
  static final int SINGLE_GET = 116;

  static final int SINGLE_PUT = 125;

  /** Those of put, of invoke, and of putIfAbsent, replace and others with a condition. */
  private static final List<Integer> SINGLE_WRITES = List.of(SINGLE_PUT, 126, 127);

  static final String SENT = "communication.tcp.sentMessagesCount";

  /** Ignite's number of GridDhtAtomicSingleUpdateRequest, which takes one entry to a backup. */
  static final int SINGLE_COPY = -36;

  /**
   * Class of Ignite through which a streamer's records go where those of existing keys are skipped.
   */
  private static final String SKIPPING = "DataStreamerImpl$IsolatedUpdater";

  /** Ignite's number of DataStreamerRequest. */
  private static final int BUFFER = 62;

  /** Bytes of a message; a buffer of 512 records has more. */
  private static final double SMALL_BUFFER = 4_000;

  /** Backups and answers have messages of their own. */
  private static final double BUFFERS_OF_MESSAGES = 0.2;

  /** Entries of a buffer from which it is no matter of its size how they are copied. */
  private static final double SEVERAL = 3;

  private static final double HALF = 0.5;
  private static final String CONNECTOR = "client.connector.";
  private static final String RECEIVED = "io.communication.ReceivedMessagesCount";

  /** Requests of thin clients, and of JDBC and ODBC. */
  static final String REQUESTS = ThreadPool.THIN.metric("CompletedTaskCount");

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
          Check.of("marshalling", (facts, result) -> result.unjudged("no-profile")));

  private ClientChecks() {}

  /**
   * Connections of all kinds that were accepted during the observation, and the requests of each.
   * The pool that serves them has a task for each request, for the handshake and for the end of a
   * connection; one without tasks is not counted.
   */
  private record Connections(double accepted, double perSecond, double requests) {
    static Connections of(Facts facts) {
      double accepted =
          Stream.of("thin", "jdbc", "odbc")
              .mapToDouble(kind -> facts.growth(CONNECTOR + kind + ".AcceptedSessions"))
              .sum();
      double tasks = facts.growth(REQUESTS);
      return new Connections(
          accepted,
          accepted / facts.seconds(),
          tasks == 0 ? Double.POSITIVE_INFINITY : Math.max(0, tasks / Math.max(1, accepted) - 2));
    }

    boolean shortLived() {
      return perSecond > CONNECTIONS_A_SECOND && requests < REQUESTS_OF_A_CONNECTION;
    }
  }

  private static void connections(Facts facts, Result result) {
    Connections made = Connections.of(facts);
    if (made.shortLived()) {
      result
          .found()
          .with("connections", Value.count(Math.round(made.accepted)))
          .with("requests", Value.number(made.requests))
          .evidence("AcceptedSessions [1/s]", made.perSecond)
          .evidence("requests of a connection", made.requests)
          .costs(1 / (1 + made.requests));
    }
  }

  /** Short connections show only the first requests of clients. */
  private static BiConsumer<Facts, Result> ofLastingConnections(BiConsumer<Facts, Result> look) {
    return (facts, result) -> {
      if (Connections.of(facts).shortLived()) {
        result.unjudged("short-connections");
      } else {
        look.accept(facts, result);
      }
    };
  }

  private static void awareness(Facts facts, Result result) {
    if (facts.last(CONNECTOR + "thin.ActiveSessions") > 0) {
      result.requireStatistics(facts, cache -> cache.getCacheMode() != CacheMode.REPLICATED);
    }
    double misses = facts.growth(CONNECTOR + "AffinityKeyRequestsMisses");
    double hits = facts.growth(CONNECTOR + "AffinityKeyRequestsHits");
    if (misses + hits > COUNTED
        && misses > MISSES * (misses + hits)
        && facts.servers().size() > 1) {
      result
          .found()
          .costs("share", misses / (misses + hits))
          .with("requests", Value.count(Math.round(misses + hits)))
          .evidence("AffinityKeyRequestsMisses", misses)
          .evidence("AffinityKeyRequestsHits", hits);
    } else if (result.unjudged().isPresent()) {
      passedOn(facts, result);
    }
  }

  /**
   * A server passes a request for a key that it does not have on to another. Without busy client
   * nodes, jobs, transactions and JDBC, nobody else sends gets and puts of one key.
   */
  private static void passedOn(Facts facts, Result result) {
    double passed = facts.messages(SINGLE_GET) + facts.messages(SINGLE_PUT);
    double requests = facts.growth(REQUESTS);
    boolean others =
        facts.around().clients().stream().anyMatch(client -> sends(client, MISSES * passed))
            || facts.jobs() > MISSES * passed
            || facts.buffers() > STREAMED
            || facts.growth("tx.txCommits") > MISSES * passed
            || facts.last(CONNECTOR + "jdbc.ActiveSessions") > 0
            || facts.caches().stream().anyMatch(cache -> !facts.isEmpty(cache) && !isMapped(cache));
    if (passed > COUNTED && passed > 2 * MISSES * requests && !others) {
      result
          .found()
          .costs("share", Math.min(1, passed / requests))
          .with("requests", Value.count(Math.round(requests)))
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
  private static void oneServer(Facts facts, Result result) {
    double all = facts.sum(ClientChecks::sessions);
    double thin = facts.sum(server -> server.last(CONNECTOR + "thin.ActiveSessions"));
    double chance = Math.pow(facts.servers().size(), 1 - (all - thin));
    facts.servers().stream()
        .filter(server -> facts.servers().size() > 1 && all >= SESSIONS)
        .filter(server -> thin >= SESSIONS || chance <= BY_CHANCE)
        .filter(server -> sessions(server) == all)
        .forEach(
            server ->
                result
                    .found()
                    .with("clients", Value.count(Math.round(all)))
                    .of(server)
                    .evidence("ActiveSessions", all)
                    .evidence("servers", facts.servers().size(), "cluster"));
  }

  private static double sessions(Server server) {
    return Stream.of("thin", "jdbc", "odbc")
        .mapToDouble(kind -> server.last(CONNECTOR + kind + ".ActiveSessions"))
        .sum();
  }

  private static void outbound(Facts facts, Server server, Result result) {
    for (String queue :
        List.of(
            "io.communication.OutboundMessagesQueueSize",
            CONNECTOR + "outboundMessagesQueueSize")) {
      if (server.least(queue) > OUTBOUND) {
        result.found().evidence(queue + ", least", server.least(queue));
      }
    }
  }

  /** Without statistics, the messages that clients send for single keys are counted. */
  private static void singleGets(Facts facts, Result result) {
    result.requireStatistics(facts, cache -> true);
    boolean counted = result.unjudged().isEmpty();
    double gets = counted ? facts.gets() : facts.messages(SINGLE_GET);
    double puts = counted ? facts.puts() : facts.messages(SINGLE_PUT);
    double received = facts.growth(RECEIVED);
    double single =
        facts.sum(
            server ->
                facts.caches().stream()
                    .mapToDouble(c -> server.growthFrom("cache." + c.getName() + ".GetTime", 0))
                    .sum());
    if (gets <= OPERATIONS_A_SECOND * facts.seconds()) {
      return;
    }
    boolean thick = received > 0.8 * (gets + puts);
    if (counted && gets <= 4 * puts) {
      result.unjudged(MIXED);
    } else if (gets > 4 * puts && (!counted || thick || single > 0.8 * gets)) {
      result
          .found()
          .rate(counted ? "CacheGets" : "messages with a get of one key", gets / facts.seconds())
          .evidence("messages received, per operation", received / (gets + puts));
    }
  }

  /**
   * A put to an atomic cache with a backup costs its servers three messages, and one of a thin
   * client two; a batch costs about as many whatever its size. Transactions and streamers have
   * other messages.
   */
  private static void smallWrites(Facts facts, Result result) {
    double received = facts.growth("communication.tcp.receivedMessagesCount");
    double bytes = facts.growth("communication.tcp.receivedBytes");
    double buffers = facts.messages(BUFFER);
    double many = OPERATIONS_A_SECOND * facts.seconds();
    if (buffers > many
        && buffers > BUFFERS_OF_MESSAGES * received
        && bytes < SMALL_BUFFER * received) {
      result
          .found("buffers")
          .rate("messages of data streamers", buffers / facts.seconds())
          .with("bytes", Value.bytes(bytes / received))
          .evidence("bytes received, per message", bytes / received);
      return;
    }
    double statements = inserts(facts);
    if (statements > many) {
      result.found().rate("executions of INSERT and MERGE", statements / facts.seconds());
      return;
    }
    result.requireStatistics(facts, cache -> true);
    boolean counted = result.unjudged().isEmpty();
    double records = counted ? facts.records() : facts.messages(SINGLE_PUT);
    double gets = counted ? facts.gets() : facts.messages(SINGLE_GET);
    double messages = facts.growth(RECEIVED) - 2 * facts.jobs();
    if (records <= many) {
      return;
    }
    if (counted && (facts.buffers() > STREAMED || facts.hasTransactions())) {
      result.unjudged("other-messages");
    } else if (counted && records <= gets) {
      result.unjudged(MIXED);
    } else if (!counted && records > gets) {
      result.found().rate("messages with a put of one key", records / facts.seconds());
    } else if (counted && messages > records) {
      result
          .found()
          .rate("records written", records / facts.seconds())
          .with("messages", Value.number(messages / records))
          .evidence("messages received, per record", messages / records);
    }
  }

  private static double inserts(Facts facts) {
    return facts.view(Observation.STATEMENTS).stream()
        .filter(row -> row.get("sql").matches("(?is)\\s*(INSERT|MERGE)\\b.*"))
        .mapToDouble(row -> row.amount(Observation.SINCE))
        .sum();
  }

  /** Entries that went to backups one by one, and were no writes of others. */
  private static void streamer(Facts facts, Result result) {
    double tasks = facts.buffers();
    double copies = facts.messages(SINGLE_COPY);
    double writes =
        SINGLE_WRITES.stream().mapToDouble(facts::messages).sum() + facts.growth(REQUESTS);
    double backups = facts.caches().stream().mapToInt(facts::backups).max().orElse(1);
    if (tasks > STREAMED
        && copies > Math.max(COUNTED, SEVERAL * tasks)
        && writes * Math.max(1, backups) < HALF * copies
        && facts.jobs() < tasks) {
      result
          .found()
          .rate("messages of one entry to a backup", copies / facts.seconds())
          .evidence("GridDataStream tasks", tasks);
    }
  }

  /** A write of a streamer without overwrite counts as no put, and adds an entry or nothing. */
  private static void skippedKeys(Facts facts, Result result) {
    double tasks = facts.buffers();
    if (tasks <= STREAMED || (isObscure(facts, result) && !skips(facts, result))) {
      return;
    }
    double most = STORED_PER_TASK * tasks;
    double added =
        facts.caches().stream()
            .mapToDouble(cache -> Math.abs(facts.counted(cache, "OffHeapPrimaryEntriesCount")))
            .sum();
    double changed = facts.puts() + facts.counted("CacheRemovals");
    if (added < most && changed < most) {
      result
          .found()
          .with("buffers", Value.count(Math.round(tasks)))
          .with("entries", Value.count(Math.round(added + changed)))
          .evidence("GridDataStream tasks", tasks)
          .evidence("entries added", added, "all caches")
          .evidence("CachePuts and CacheRemovals", changed, "all caches")
          .costs(1);
    }
  }

  /** Returns whether updates that go unseen for want of statistics are seen to be none. */
  private static boolean skips(Facts facts, Result result) {
    return result.unjudged().filter(why -> why.reason().equals("statistics")).isPresent()
        && facts.servers().stream()
            .flatMap(server -> facts.dumps(server).stream())
            .anyMatch(dump -> dump.threads().stream().anyMatch(thread -> thread.isIn(SKIPPING)));
  }

  /** Returns whether changes of entries could go unseen. */
  private static boolean isObscure(Facts facts, Result result) {
    List<String> expiring =
        facts.caches().stream()
            .filter(cache -> expires(cache.getExpiryPolicyFactory()))
            .map(CacheConfiguration::getName)
            .toList();
    result.requireStatistics(facts, cache -> true);
    if (facts.servers().stream()
        .flatMap(server -> server.regions().stream())
        .anyMatch(region -> region.getPageEvictionMode() != DataPageEvictionMode.DISABLED)) {
      result.unjudged("eviction");
    }
    if (!expiring.isEmpty()) {
      result.unjudged("expiry", "caches", Value.names(expiring));
    }
    return result.unjudged().isPresent();
  }

  /** By default the policy is one of eternal entries. */
  static boolean expires(@Nullable Factory<? extends ExpiryPolicy> factory) {
    if (factory == null) {
      return false;
    }
    Duration created = factory.create().getExpiryForCreation();
    return created == null || !created.isEternal();
  }
}
