package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.internal.IgniteNodeAttributes;
import org.apache.ignite.internal.util.typedef.internal.CU;

/** Transactions that hold their locks for long, or without a limit. */
final class TransactionChecks {
  private static final double LONG_SECONDS = 10;
  private static final double LOCKED_SECONDS = 5;

  /** Time of the application's own in the mean transaction. */
  private static final double USER_SECONDS = 0.5;

  private static final double STUCK_SECONDS = 3;

  /** A call of many entries may take seconds; a deadlock does not end while it is observed. */
  private static final double MOST_STUCK_SECONDS = 30;

  private static final double ROLLED_BACK = 0.05;
  private static final double ROLLBACKS = 20;

  /** Transactions that wait for locks of others, in the mean of the samples. */
  private static final double MOST_WAITING = 3;

  /** Metric of the node as a primary, with transactions that wait for their first lock. */
  static final String LOCKING = "tx.TransactionsHoldingLockNumber";

  static final String LOCKED_KEYS = "tx.LockedKeysNumber";

  /** Metric of the node that began them. */
  private static final String BEGUN = "tx.OwnerTransactionsNumber";

  /** A column that is added to those of the view: the node that began the transaction. */
  private static final String ORIGIN = "originatingNode";

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

  static final List<Check> ALL =
      List.of(
          Check.of("long-transactions", TransactionChecks::transactions),
          Check.of("contended-keys", servers(TransactionChecks::contended)),
          Check.of("unordered-put-all", TransactionChecks::unordered),
          Check.of("explicit-locks", TransactionChecks::explicitLocks),
          Check.of("rolled-back-transactions", TransactionChecks::rolledBack));

  static final List<Check> OF_DEFAULTS =
      List.of(Check.of("transaction-timeout", TransactionChecks::timeouts));

  private TransactionChecks() {}

  /** A row of the view, with the node that began the transaction as its operator knows it. */
  static Row withOrigin(Row transaction, Collection<ClusterNode> nodes) {
    String id = transaction.get("originatingNodeId");
    return transaction.with(
        ORIGIN,
        nodes.stream()
            .filter(node -> node.id().toString().equals(id))
            .findFirst()
            .map(node -> (node.isClient() ? "client " : "server ") + id + place(node))
            .orElse(id));
  }

  private static String place(ClusterNode node) {
    Object name = node.attribute(IgniteNodeAttributes.ATTR_IGNITE_INSTANCE_NAME);
    List<String> addresses =
        node.addresses().stream().filter(address -> !LOOPBACK.contains(address)).toList();
    return (name == null ? "" : " '" + name + "'")
        + " at "
        + String.join(", ", addresses.isEmpty() ? node.addresses() : addresses);
  }

  private static void transactions(Facts facts, Result result) {
    List<Row> held = lasting(facts, LONG_SECONDS, TransactionChecks::isOpen);
    if (!held.isEmpty()) {
      Row longest = held.get(0);
      result
          .found()
          .with("transactions", Value.count(held.size()))
          .with("longest", Value.seconds(seconds(longest)))
          .with("xid", Value.name(longest.get("xid")))
          .evidence("originating node of the longest", longest.get(ORIGIN), longest.server());
    } else {
      ofTheApplication(facts, result);
    }
  }

  /** Time that transactions spend between their operations, with locks held all the while. */
  private static void ofTheApplication(Facts facts, Result result) {
    List<Server> nodes = beginners(facts);
    double ended = growth(nodes, "tx.txCommits") + growth(nodes, "tx.txRollbacks");
    double user = growth(nodes, "tx.totalNodeUserTime") / 1e3;
    double all = user + growth(nodes, "tx.totalNodeSystemTime") / 1e3;
    double locking = facts.sum(server -> server.mean(LOCKING));
    if (ended >= ROLLBACKS && user / ended > USER_SECONDS && locking > 1) {
      result
          .found("application")
          .with("time", Value.seconds(user / ended))
          .with("share", Value.share(user / all))
          .evidence("totalNodeUserTime / transactions [s]", user / ended, "all nodes")
          .evidence("TransactionsHoldingLockNumber, mean", locking, "all servers")
          .costs(user / all);
    }
  }

  /** Nodes that begin transactions: thick clients, and servers for thin ones. */
  private static List<Server> beginners(Facts facts) {
    return Stream.concat(facts.servers().stream(), facts.around().clients().stream()).toList();
  }

  private static double growth(List<Server> nodes, String metric) {
    return nodes.stream().mapToDouble(node -> node.growth(metric)).sum();
  }

  /** Calls of one key that wait for its lock, which no transaction in the view holds. */
  private static void explicitLocks(Facts facts, Result result) {
    List<Row> waiting =
        lasting(facts, LOCKED_SECONDS, row -> row.get("implicitSingle").equals("true"));
    boolean others = !lasting(facts, STUCK_SECONDS, row -> isOpen(row) || ofOneCall(row)).isEmpty();
    if (!waiting.isEmpty() && !others) {
      Row longest = waiting.get(0);
      result
          .found()
          .with("writes", Value.count(waiting.size()))
          .with("longest", Value.seconds(seconds(longest)))
          .evidence("caches", caches(facts, waiting), "TRANSACTIONS")
          .evidence("node whose write waits longest", longest.get(ORIGIN), longest.server())
          .costs(1);
    }
  }

  private static boolean isOpen(Row transaction) {
    return !transaction.get("implicit").equals("true");
  }

  /**
   * Transactions, the longest first. A call is several transactions of servers, which all say that
   * they are explicit, so that those of callers whose own view is known are taken from it: of thick
   * clients, and of servers to which thin clients are connected.
   */
  private static List<Row> lasting(Facts facts, double seconds, Predicate<Row> which) {
    List<Row> all =
        Stream.concat(
                facts.view(Observation.CLIENT_TRANSACTIONS).stream(),
                byId(facts.view(Observation.TRANSACTIONS)).stream())
            .toList();
    Set<String> known =
        all.stream()
            .filter(TransactionChecks::isOfCaller)
            .map(row -> row.get("originatingNodeId"))
            .collect(Collectors.toSet());
    return all.stream()
        .filter(row -> isOfCaller(row) || !known.contains(row.get("originatingNodeId")))
        .filter(row -> seconds(row) > seconds)
        .filter(which)
        .sorted(Comparator.comparingDouble(row -> -seconds(row)))
        .toList();
  }

  private static void rolledBack(Facts facts, Result result) {
    List<Server> nodes = beginners(facts);
    double back = growth(nodes, "tx.txRollbacks");
    double all = back + growth(nodes, "tx.txCommits");
    if (back >= ROLLBACKS && back > ROLLED_BACK * all) {
      Server most =
          Collections.max(nodes, Comparator.comparingDouble(node -> node.growth("tx.txRollbacks")));
      result
          .found("counted")
          .with("rolledBack", Value.share(back / all))
          .with("transactions", Value.count(Math.round(all)))
          .evidence("txRollbacks", back, "all nodes")
          .evidence("node with most of them", most.name(), "all nodes")
          .costs(back / all);
    }
  }

  private static double sample(Facts facts, String metric, int number) {
    return facts.sum(
        server -> {
          double[] values = server.values(metric);
          return number < values.length ? values[number] : 0;
        });
  }

  /**
   * A transaction that holds locks has a key of its own for each: the others wait. Those that a
   * server began for thin clients may hold keys of other servers.
   */
  private static void contended(Facts facts, Server server, Result result) {
    double[] locking = server.values(LOCKING);
    double[] keys = server.values(LOCKED_KEYS);
    double[] begun = server.values(BEGUN);
    int samples = Math.min(locking.length, keys.length);
    double[] waiting =
        IntStream.range(0, samples)
            .mapToDouble(
                i -> {
                  double elsewhere = sample(facts, LOCKED_KEYS, i) - keys[i];
                  double ofOthers = i < begun.length ? Math.min(begun[i], elsewhere) : 0;
                  return Math.max(0, locking[i] - keys[i] - ofOthers);
                })
            .toArray();
    double mean = DoubleStream.of(waiting).average().orElse(0);
    long often = DoubleStream.of(waiting).filter(each -> each > 1).count();
    if (mean > MOST_WAITING && 2 * often > samples) {
      List<Row> seen =
          byId(facts.view(Observation.TRANSACTIONS)).stream()
              .filter(row -> row.get("implicit").equals("false"))
              .toList();
      result
          .found()
          .costs("share", mean / server.mean(LOCKING))
          .evidence("transactions, mean", server.mean(LOCKING), server.name())
          .evidence("keys that they have locked, mean", server.mean(LOCKED_KEYS), server.name())
          .evidence("caches of those seen", caches(facts, seen), "TRANSACTIONS")
          .evidence(
              "their originating nodes",
              list(seen.stream().map(row -> row.get(ORIGIN))),
              "TRANSACTIONS");
    }
  }

  /** The view has the identifiers of caches, which Ignite makes of their names. */
  private static String caches(Facts facts, List<Row> transactions) {
    Set<String> ids =
        transactions.stream()
            .flatMap(row -> Stream.of(row.get("cacheIds").split("[^-\\d]+", -1)))
            .collect(Collectors.toSet());
    return list(
        facts.caches().stream()
            .map(CacheConfiguration::getName)
            .filter(name -> ids.contains(String.valueOf(CU.cacheId(name)))));
  }

  private static String list(Stream<String> names) {
    String all = names.distinct().sorted().collect(Collectors.joining(", "));
    return all.isEmpty() ? "none seen" : all;
  }

  /** Calls that change several keys of a transactional cache are transactions of their own. */
  private static boolean ofOneCall(Row transaction) {
    return transaction.get("implicit").equals("true")
        && !transaction.get("implicitSingle").equals("true");
  }

  private static void unordered(Facts facts, Result result) {
    double observed = Math.max(STUCK_SECONDS, Math.min(MOST_STUCK_SECONDS, facts.seconds()));
    List<Row> stuck = lasting(facts, observed, TransactionChecks::ofOneCall);
    if (stuck.size() > 1) {
      result
          .found()
          .with("calls", Value.count(stuck.size()))
          .with("shortest", Value.seconds(seconds(stuck.get(stuck.size() - 1))))
          .evidence("duration of the longest [s]", seconds(stuck.get(0)), stuck.get(0).server())
          .evidence("originating node", stuck.get(0).get(ORIGIN), stuck.get(0).server())
          .costs(1);
    }
  }

  private static boolean isOfCaller(Row transaction) {
    return transaction.get("near").equals("true");
  }

  /** The last sight of each. */
  private static Collection<Row> byId(List<Row> transactions) {
    return transactions.stream()
        .collect(Collectors.toMap(row -> row.get("xid"), row -> row, (earlier, later) -> later))
        .values();
  }

  private static double seconds(Row transaction) {
    return transaction.amount("duration") / 1e3;
  }

  private static void timeouts(Facts facts, Result result) {
    String property = "TransactionConfiguration.TxTimeoutOnPartitionMapExchange";
    facts.servers().stream()
        .filter(server -> server.configuration().getOrDefault(property, "0").equals("0"))
        .limit(facts.hasTransactions() ? 1 : 0)
        .forEach(
            server -> result.found().evidence("txTimeoutOnPartitionMapExchange", 0, server.name()));
  }
}
