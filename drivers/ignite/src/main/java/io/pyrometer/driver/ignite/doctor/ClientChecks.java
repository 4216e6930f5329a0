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
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
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

  /** Connections a second; pools that renew their connections, and short programs, make fewer. */
  private static final double CONNECTIONS_A_SECOND = 10;

  private static final double REQUESTS_OF_A_CONNECTION = 20;
  private static final double MESSAGES_PER_RECORD = 0.3;

  /** Buffers of records from which a streamer is judged. */
  private static final double STREAMED = 50;

  private static final double STORED_PER_TASK = 0.05;

  /** Ignite's numbers of GridNearSingleGetRequest and GridNearAtomicSingleUpdateRequest. */
  static final int SINGLE_GET = 116;

  static final int SINGLE_PUT = 125;

  static final String SENT = "communication.tcp.sentMessagesCount";

  /** Ignite's number of GridDhtAtomicSingleUpdateRequest, which takes one entry to a backup. */
  private static final int SINGLE_COPY = -36;

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
  private static final String SESSIONS_OF_THIN = CONNECTOR + "thin.ActiveSessions";
  private static final String ALL_SERVERS = "all servers";
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
          facts.sum(
              server ->
                  Stream.of("thin", "jdbc", "odbc")
                      .mapToDouble(kind -> server.growth(CONNECTOR + kind + ".AcceptedSessions"))
                      .sum());
      double tasks = facts.sum(server -> server.growth(Pools.THIN + ".CompletedTaskCount"));
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
          .evidence("AcceptedSessions [1/s]", made.perSecond, ALL_SERVERS)
          .evidence("requests of a connection", made.requests, ALL_SERVERS)
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
    if (facts.sum(server -> server.last(SESSIONS_OF_THIN).orElse(0)) > 0) {
      result.requireStatistics(facts, cache -> cache.getCacheMode() != CacheMode.REPLICATED);
    }
    double misses = facts.sum(server -> server.growth(CONNECTOR + "AffinityKeyRequestsMisses"));
    double hits = facts.sum(server -> server.growth(CONNECTOR + "AffinityKeyRequestsHits"));
    if (misses + hits > COUNTED
        && misses > MISSES * (misses + hits)
        && facts.servers().size() > 1) {
      double share = misses / (misses + hits);
      result
          .found()
          .costs("share", share)
          .with("requests", Value.count(Math.round(misses + hits)))
          .evidence("AffinityKeyRequestsMisses", misses, ALL_SERVERS)
          .evidence("AffinityKeyRequestsHits", hits, ALL_SERVERS);
    } else if (result.unjudged().isPresent()) {
      passedOn(facts, result);
    }
  }

  /**
   * A server passes a request for a key that it does not have on to another. Without busy client
   * nodes and jobs, nobody else sends gets and puts of one key.
   */
  private static void passedOn(Facts facts, Result result) {
    double passed = facts.messages(SINGLE_GET) + facts.messages(SINGLE_PUT);
    double requests = facts.sum(server -> server.growth(Pools.THIN + ".CompletedTaskCount"));
    boolean others =
        facts.around().clients().stream().anyMatch(client -> sends(client, MISSES * passed))
            || facts.jobs() > MISSES * passed
            || facts.buffers() > STREAMED;
    if (passed > COUNTED && passed > 2 * MISSES * requests && !others) {
      result
          .found()
          .costs("share", Math.min(1, passed / requests))
          .with("requests", Value.count(Math.round(requests)))
          .evidence("gets and puts of one key between servers", passed, ALL_SERVERS)
          .evidence("requests of thin clients", requests, ALL_SERVERS);
    }
  }

  private static boolean sends(Server client, double most) {
    return client.values(SENT).length < 2 || client.growth(SENT) > most;
  }

  private static void oneServer(Facts facts, Result result) {
    double all = facts.sum(ClientChecks::sessions);
    facts.servers().stream()
        .filter(server -> facts.servers().size() > 1 && all >= SESSIONS)
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
        .mapToDouble(kind -> server.last(CONNECTOR + kind + ".ActiveSessions").orElse(0))
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

  private static void singleGets(Facts facts, Result result) {
    result.requireStatistics(facts, cache -> true);
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
    double messages = facts.messages(SINGLE_GET);
    if (result.unjudged().isPresent()
        && messages > OPERATIONS_A_SECOND * facts.seconds()
        && messages > 4 * facts.messages(SINGLE_PUT)) {
      result
          .found()
          .with("rate", Value.rate(messages / facts.seconds()))
          .evidence(
              "messages with a get of one key [1/s]", messages / facts.seconds(), ALL_SERVERS);
      return;
    }
    if (gets <= OPERATIONS_A_SECOND * facts.seconds()) {
      return;
    }
    if (gets <= 4 * puts) {
      result.unjudged(MIXED);
    } else if (thick || single > 0.8 * gets) {
      result
          .found()
          .with("rate", Value.rate(gets / facts.seconds()))
          .evidence("CacheGets [1/s]", gets / facts.seconds(), ALL_SERVERS)
          .evidence("messages received, per operation", received / (gets + puts), ALL_SERVERS);
    }
  }

  /**
   * A put to an atomic cache with a backup costs its servers three messages, and one of a thin
   * client two; a batch costs about as many whatever its size. Transactions and streamers have
   * other messages.
   */
  private static void smallWrites(Facts facts, Result result) {
    double received = facts.sum(server -> server.growth("communication.tcp.receivedMessagesCount"));
    double bytes = facts.sum(server -> server.growth("communication.tcp.receivedBytes"));
    double buffers = facts.messages(BUFFER);
    if (buffers > OPERATIONS_A_SECOND * facts.seconds()
        && buffers > BUFFERS_OF_MESSAGES * received
        && bytes < SMALL_BUFFER * received) {
      result
          .found("buffers")
          .with("rate", Value.rate(buffers / facts.seconds()))
          .with("bytes", Value.bytes(bytes / received))
          .evidence("messages of data streamers [1/s]", buffers / facts.seconds(), ALL_SERVERS)
          .evidence("bytes received, per message", bytes / received, ALL_SERVERS);
      return;
    }
    boolean others =
        facts.buffers() > STREAMED
            || facts.caches().stream()
                .anyMatch(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL);
    double records = facts.records();
    double messages = facts.sum(server -> server.growth("io.communication.ReceivedMessagesCount"));
    result.requireStatistics(facts, cache -> true);
    double puts = facts.messages(SINGLE_PUT);
    if (result.unjudged().isPresent()
        && puts > OPERATIONS_A_SECOND * facts.seconds()
        && puts > facts.messages(SINGLE_GET)) {
      result
          .found()
          .with("rate", Value.rate(puts / facts.seconds()))
          .with("messages", Value.number(messages / puts))
          .evidence("messages with a put of one key [1/s]", puts / facts.seconds(), ALL_SERVERS)
          .evidence("messages received, per such put", messages / puts, ALL_SERVERS);
      return;
    }
    if (records <= OPERATIONS_A_SECOND * facts.seconds()) {
      return;
    }
    if (others) {
      result.unjudged("other-messages");
    } else if (records <= facts.gets()) {
      result.unjudged(MIXED);
    } else if (messages > records) {
      result
          .found()
          .with("rate", Value.rate(records / facts.seconds()))
          .with("messages", Value.number(messages / records))
          .evidence("records written [1/s]", records / facts.seconds(), ALL_SERVERS)
          .evidence("messages received, per record", messages / records, ALL_SERVERS);
    }
  }

  private static void streamer(Facts facts, Result result) {
    double tasks = facts.buffers();
    if (tasks <= STREAMED) {
      return;
    }
    result.requireStatistics(facts, cache -> true);
    boolean backups = facts.caches().stream().anyMatch(cache -> facts.backups(cache) > 0);
    double puts = facts.records();
    double messages = facts.sum(server -> server.growth("io.communication.SentMessagesCount"));
    if (puts > COUNTED && backups && messages > MESSAGES_PER_RECORD * puts) {
      result
          .found()
          .with("messages", Value.number(messages / puts))
          .evidence("messages sent, per record", messages / puts, ALL_SERVERS)
          .evidence("GridDataStream tasks", tasks, ALL_SERVERS);
    } else if (result.unjudged().isPresent()) {
      copiedOneByOne(facts, tasks, result);
    }
  }

  /** Entries that went to backups one by one, and were no puts of clients or jobs. */
  private static void copiedOneByOne(Facts facts, double tasks, Result result) {
    double copies = facts.messages(SINGLE_COPY);
    double others =
        facts.messages(SINGLE_PUT)
            + facts.sum(server -> server.growth(Pools.THIN + ".CompletedTaskCount"));
    if (copies > Math.max(COUNTED, SEVERAL * tasks)
        && others < HALF * copies
        && facts.jobs() < tasks) {
      result
          .found("counted")
          .with("rate", Value.rate(copies / facts.seconds()))
          .evidence("messages of one entry to a backup", copies, ALL_SERVERS)
          .evidence("GridDataStream tasks", tasks, ALL_SERVERS);
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
          .evidence("GridDataStream tasks", tasks, ALL_SERVERS)
          .evidence("entries added", added, "all caches")
          .evidence("CachePuts and CacheRemovals", changed, "all caches")
          .costs(1);
    }
  }

  /** Returns whether updates that go unseen for want of statistics are seen to be none. */
  private static boolean skips(Facts facts, Result result) {
    boolean statistics =
        result.unjudged().stream().anyMatch(reason -> reason.reason().equals("statistics"));
    return statistics
        && facts.servers().stream()
            .flatMap(server -> facts.dumps().getOrDefault(server.name(), List.of()).stream())
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(thread -> thread.frames().stream().anyMatch(at -> at.contains(SKIPPING)));
  }

  /** Returns whether changes of entries could go unseen. */
  private static boolean isObscure(Facts facts, Result result) {
    List<String> expiring =
        facts.caches().stream()
            .filter(cache -> expires(cache.getExpiryPolicyFactory()))
            .map(CacheConfiguration::getName)
            .toList();
    boolean evicting =
        facts.servers().stream()
            .flatMap(server -> server.regions().stream())
            .anyMatch(region -> region.getPageEvictionMode() != DataPageEvictionMode.DISABLED);
    result.requireStatistics(facts, cache -> true);
    if (evicting) {
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
