package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
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
  private static final double STUCK_SECONDS = 3;

  /** Transactions that were rolled back, or ended, from which they are judged. */
  private static final double ENOUGH = 20;

  /** Metric of the node as a primary, with transactions that wait for their first lock. */
  static final String LOCKING = "tx.TransactionsHoldingLockNumber";

  static final String LOCKED_KEYS = "tx.LockedKeysNumber";
  private static final String COMMITS = "tx.txCommits";
  private static final String ROLLBACKS = "tx.txRollbacks";

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

  private static void transactions(Look look) {
    List<Row> held = lasting(look, 10, TransactionChecks::isOpen);
    if (held.isEmpty()) {
      ofTheApplication(look);
      return;
    }
    Row longest = held.get(0);
    look.found()
        .count("transactions", held.size())
        .seconds("longest", longest.seconds())
        .name("xid", longest.get("xid"))
        .evidence("originating node of the longest", longest.get(ORIGIN), longest.server());
  }

  /** Time that transactions spend between their operations, with locks held all the while. */
  private static void ofTheApplication(Look look) {
    double ended = growth(look, COMMITS) + growth(look, ROLLBACKS);
    double user = growth(look, "tx.totalNodeUserTime") / 1e3;
    double all = user + growth(look, "tx.totalNodeSystemTime") / 1e3;
    double locking = look.sum(server -> server.mean(LOCKING));
    if (ended >= ENOUGH && user / ended > 0.5 && locking > 1) {
      look.found("application")
          .seconds("time", user / ended)
          .costs("share", user / all)
          .evidence("totalNodeUserTime / transactions [s]", user / ended, "all nodes")
          .evidence("TransactionsHoldingLockNumber, mean", locking);
    }
  }

  /** Nodes that begin transactions: thick clients, and servers for thin ones. */
  private static Stream<Server> beginners(Look look) {
    return Stream.concat(look.servers().stream(), look.around().clients().stream());
  }

  private static double growth(Look look, String metric) {
    return beginners(look).mapToDouble(node -> node.growth(metric)).sum();
  }

  /** Calls of one key that wait for its lock, which no transaction in the view holds. */
  private static void explicitLocks(Look look) {
    List<Row> waiting = lasting(look, 5, row -> row.is("implicitSingle"));
    boolean others = !lasting(look, STUCK_SECONDS, row -> isOpen(row) || ofOneCall(row)).isEmpty();
    if (!waiting.isEmpty() && !others) {
      Row longest = waiting.get(0);
      look.found()
          .count("writes", waiting.size())
          .seconds("longest", longest.seconds())
          .evidence("caches", caches(look, waiting), "TRANSACTIONS")
          .evidence("node whose write waits longest", longest.get(ORIGIN), longest.server())
          .costs(1);
    }
  }

  private static boolean isOpen(Row transaction) {
    return !transaction.is("implicit");
  }

  /** Calls that change several keys of a transactional cache are transactions of their own. */
  private static boolean ofOneCall(Row transaction) {
    return transaction.is("implicit") && !transaction.is("implicitSingle");
  }

  /**
   * Transactions, the longest first. A call is several transactions of servers, which all say that
   * they are explicit, so that those of callers whose own view is known are taken from it: of thick
   * clients, and of servers to which thin clients are connected.
   */
  private static List<Row> lasting(Look look, double seconds, Predicate<Row> which) {
    List<Row> all =
        Stream.concat(look.view(Observation.CLIENT_TRANSACTIONS).stream(), byId(look)).toList();
    Set<String> known =
        all.stream()
            .filter(row -> row.is("near"))
            .map(row -> row.get("originatingNodeId"))
            .collect(Collectors.toSet());
    return all.stream()
        .filter(row -> row.is("near") || !known.contains(row.get("originatingNodeId")))
        .filter(row -> row.seconds() > seconds)
        .filter(which)
        .sorted(Comparator.comparingDouble(Row::seconds).reversed())
        .toList();
  }

  /** The last sight of each transaction of servers. */
  private static Stream<Row> byId(Look look) {
    return look.view(Observation.TRANSACTIONS).stream()
        .collect(Collectors.toMap(row -> row.get("xid"), row -> row, (earlier, later) -> later))
        .values()
        .stream();
  }

  private static void rolledBack(Look look) {
    double back = growth(look, ROLLBACKS);
    double all = back + growth(look, COMMITS);
    if (back >= ENOUGH && back > 0.05 * all) {
      Comparator<Server> byRollbacks = Comparator.comparingDouble(node -> node.growth(ROLLBACKS));
      Server most = Collections.max(beginners(look).toList(), byRollbacks);
      look.found("counted")
          .costs("rolledBack", back / all)
          .count("transactions", all)
          .evidence("txRollbacks", back, "all nodes")
          .evidence("node with most of them", most.name(), "all nodes");
    }
  }

  /**
   * A transaction that holds locks has a key of its own for each: the others wait. Those that a
   * server began for thin clients may hold keys of other servers.
   */
  private static void contended(Look look, Server server) {
    double[] locking = server.values(LOCKING);
    double[] keys = server.values(LOCKED_KEYS);
    double[] begun = server.values("tx.OwnerTransactionsNumber");
    int samples = Math.min(locking.length, keys.length);
    double[] waiting =
        IntStream.range(0, samples)
            .mapToDouble(
                i -> {
                  double elsewhere = look.sum(each -> at(each.values(LOCKED_KEYS), i)) - keys[i];
                  return Math.max(0, locking[i] - keys[i] - Math.min(at(begun, i), elsewhere));
                })
            .toArray();
    long often = DoubleStream.of(waiting).filter(each -> each > 1).count();
    double mean = DoubleStream.of(waiting).average().orElse(0);
    if (mean > 3 && 2 * often > samples) {
      List<Row> seen = byId(look).filter(row -> row.get("implicit").equals("false")).toList();
      String origins = list(seen.stream().map(row -> row.get(ORIGIN)));
      look.found()
          .costs("share", mean / server.mean(LOCKING))
          .evidence("transactions, mean", server.mean(LOCKING))
          .evidence("keys that they have locked, mean", server.mean(LOCKED_KEYS))
          .evidence("caches of those seen", caches(look, seen), "TRANSACTIONS")
          .evidence("their originating nodes", origins, "TRANSACTIONS");
    }
  }

  private static double at(double[] values, int sample) {
    return sample < values.length ? values[sample] : 0;
  }

  /** The view has the identifiers of caches, which Ignite makes of their names. */
  private static String caches(Look look, List<Row> transactions) {
    Set<String> ids =
        transactions.stream()
            .flatMap(row -> Stream.of(row.get("cacheIds").split("[^-\\d]+", -1)))
            .collect(Collectors.toSet());
    return list(
        look.caches().stream()
            .map(CacheConfiguration::getName)
            .filter(name -> ids.contains(String.valueOf(CU.cacheId(name)))));
  }

  private static String list(Stream<String> names) {
    String all = names.distinct().sorted().collect(Collectors.joining(", "));
    return all.isEmpty() ? "none seen" : all;
  }

  /** A call of many entries may take seconds; a deadlock does not end while it is observed. */
  private static void unordered(Look look) {
    double observed = Math.max(STUCK_SECONDS, Math.min(30, look.seconds()));
    List<Row> stuck = lasting(look, observed, TransactionChecks::ofOneCall);
    if (stuck.size() > 1) {
      Row longest = stuck.get(0);
      look.found()
          .count("calls", stuck.size())
          .seconds("shortest", stuck.get(stuck.size() - 1).seconds())
          .evidence("duration of the longest [s]", longest.seconds(), longest.server())
          .evidence("originating node", longest.get(ORIGIN), longest.server())
          .costs(1);
    }
  }

  private static void timeouts(Look look) {
    String property = "TransactionConfiguration.TxTimeoutOnPartitionMapExchange";
    look.servers().stream()
        .filter(server -> server.configuration().getOrDefault(property, "0").equals("0"))
        .limit(look.transactional().isEmpty() ? 0 : 1)
        .forEach(
            server -> look.found().evidence("txTimeoutOnPartitionMapExchange", 0, server.name()));
  }
}
