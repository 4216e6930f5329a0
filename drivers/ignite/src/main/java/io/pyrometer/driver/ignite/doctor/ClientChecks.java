package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import java.util.Optional;
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

  /** Of pools that renew their connections, and of short programs, there are fewer. */
  private static final double CONNECTIONS_A_SECOND = 10;

  private static final double REQUESTS_OF_A_CONNECTION = 20;
  private static final double MESSAGES_PER_RECORD = 0.3;

  /** Buffers of records from which a streamer is judged. */
  private static final double STREAMED = 50;

  private static final double STORED_PER_TASK = 0.05;
  private static final String CONNECTOR = "client.connector.";
  private static final String SESSIONS_OF_THIN = CONNECTOR + "thin.ActiveSessions";
  private static final String MIXED =
      "reads and writes are mixed, and servers do not count their messages apart";

  static final List<Check> ALL =
      List.of(
          ofCluster("short-lived-connections", Check.METRICS, ClientChecks::connections),
          ofCluster(
              "partition-awareness", Check.METRICS, ofLastingConnections(ClientChecks::awareness)),
          ofCluster(
              "thin-clients-of-one-server",
              Check.METRICS,
              ofLastingConnections(ClientChecks::oneServer)),
          ofCluster("outbound-queues", Check.METRICS, ClientChecks::outbound),
          ofCluster("single-gets", Check.GENERAL, ClientChecks::singleGets),
          ofCluster("small-writes", Check.GENERAL, ClientChecks::smallWrites),
          ofCluster("streamer-receiver", Check.GENERAL, ClientChecks::streamer),
          ofCluster("skipped-keys", Check.STREAMING, ClientChecks::skippedKeys),
          ofCluster(
              "marshalling",
              Check.BINARY,
              (facts, result) ->
                  result.notMade(
                      "a running cluster gives no profile of its CPU time: 'doctor RUN' judges profiled trials")));

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
          .problem("Clients open a new connection for every few requests.")
          .evidence("AcceptedSessions [1/s]", made.perSecond, "all servers")
          .evidence("requests of a connection", made.requests, "all servers")
          .impact(
              1 / (1 + made.requests),
              "%,.0f connections were accepted, for %.1f requests each",
              made.accepted,
              made.requests)
          .cause(
              "The application starts a client (or opens a JDBC connection) for each of its requests: the connection costs more than they do, and a new client does not know which server has a key.")
          .action(
              Needs.CLIENTS,
              "Start one client for the whole application, which all its threads use; for JDBC and ODBC use a pool of connections.");
    }
  }

  /** What such connections show of clients is true of their first requests alone. */
  private static BiConsumer<Facts, Result> ofLastingConnections(BiConsumer<Facts, Result> look) {
    return (facts, result) -> {
      if (Connections.of(facts).shortLived()) {
        result.notMade("clients open a new connection for every few requests");
      } else {
        look.accept(facts, result);
      }
    };
  }

  private static void awareness(Facts facts, Result result) {
    if (facts.sum(server -> server.last(SESSIONS_OF_THIN).orElse(0)) > 0) {
      facts
          .uncounted(cache -> cache.getCacheMode() != CacheMode.REPLICATED)
          .ifPresent(result::notMade);
    }
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
    double all = facts.sum(server -> server.last(SESSIONS_OF_THIN).orElse(0));
    facts.servers().stream()
        .filter(server -> facts.servers().size() > 1 && all >= SESSIONS)
        .filter(server -> server.last(SESSIONS_OF_THIN).orElse(0) == all)
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
    facts.uncounted(cache -> true).ifPresent(result::notMade);
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
    if (gets <= OPERATIONS_A_SECOND * facts.seconds()) {
      return;
    }
    if (gets <= 4 * puts) {
      result.notMade(MIXED);
    } else if (thick || single > 0.8 * gets) {
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

  /**
   * A put to an atomic cache with a backup costs its servers three messages, and one of a thin
   * client two; a batch costs about as many whatever its size. Transactions and streamers have
   * other messages.
   */
  private static void smallWrites(Facts facts, Result result) {
    boolean others =
        facts.buffers() > STREAMED
            || facts.caches().stream()
                .anyMatch(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL);
    double records = facts.records();
    double messages = facts.sum(server -> server.growth("io.communication.ReceivedMessagesCount"));
    facts.uncounted(cache -> true).ifPresent(result::notMade);
    if (records <= OPERATIONS_A_SECOND * facts.seconds()) {
      return;
    }
    if (others) {
      result.notMade("messages of transactions and data streamers hide those of single writes");
    } else if (records <= facts.gets()) {
      result.notMade(MIXED);
    } else if (messages > records) {
      result
          .advice("Records are written one by one, or in small batches.")
          .evidence("records written [1/s]", records / facts.seconds(), "all servers")
          .evidence("messages received by servers, per record", messages / records, "all servers")
          .cause("The messages of a write cost more than the write.")
          .action(
              Needs.CLIENTS,
              "Write batches of 100 records and more: putAll of a sorted map, or a data streamer.")
          .comparison("path", "put", "put-all");
    }
  }

  private static void streamer(Facts facts, Result result) {
    double tasks = facts.buffers();
    if (tasks <= STREAMED) {
      return;
    }
    facts.uncounted(cache -> true).ifPresent(result::notMade);
    boolean backups = facts.caches().stream().anyMatch(cache -> facts.backups(cache) > 0);
    double puts = facts.records();
    double messages = facts.sum(server -> server.growth("io.communication.SentMessagesCount"));
    if (puts > COUNTED && backups && messages > MESSAGES_PER_RECORD * puts) {
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

  /** A write of a streamer without overwrite counts as no put, and adds an entry or nothing. */
  private static void skippedKeys(Facts facts, Result result) {
    double tasks = facts.buffers();
    if (tasks <= STREAMED) {
      return;
    }
    Optional<String> obscure = obscure(facts);
    if (obscure.isPresent()) {
      result.notMade(obscure.get());
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
          .problem("Data streamers send records, and the servers store none of them.")
          .evidence("GridDataStream tasks", tasks, "all servers")
          .evidence("entries added", added, "all caches")
          .evidence("CachePuts and CacheRemovals", changed, "all caches")
          .impact(1, "%,.0f buffers of records changed %,.0f entries", tasks, added + changed)
          .cause(
              "With allowOverwrite=false, the default, records of keys that exist are skipped; a receiver of your own may also store nothing.")
          .action(
              Needs.CLIENTS,
              "Where later values must replace earlier ones: streamer.allowOverwrite(true), and the receiver DataStreamerCacheUpdaters.batchedSorted().")
          .change("allowOverwrite", false, true);
    }
  }

  /** Why changes of entries could go unseen. */
  private static Optional<String> obscure(Facts facts) {
    Optional<String> uncounted = facts.uncounted(cache -> true);
    if (uncounted.isPresent()) {
      return uncounted;
    }
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      if (expires(cache.getExpiryPolicyFactory())) {
        return Optional.of("entries of cache '" + cache.getName() + "' may expire");
      }
    }
    boolean evicting =
        facts.servers().stream()
            .flatMap(server -> server.regions().stream())
            .anyMatch(region -> region.getPageEvictionMode() != DataPageEvictionMode.DISABLED);
    return evicting ? Optional.of("a region evicts pages of entries") : Optional.empty();
  }

  /** By default the policy is one of eternal entries. */
  private static boolean expires(@Nullable Factory<? extends ExpiryPolicy> factory) {
    if (factory == null) {
      return false;
    }
    Duration created = factory.create().getExpiryForCreation();
    return created == null || !created.isEternal();
  }
}
