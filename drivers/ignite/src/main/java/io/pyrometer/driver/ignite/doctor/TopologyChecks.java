package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/** Servers as a cluster: where data are, what interrupts it, long transactions. */
final class TopologyChecks {
  private static final double SKEW = 0.1;

  /** Partitions on a server vary by chance; so many times as much has another cause. */
  private static final double BY_CHANCE = 3;

  /** With fewer partitions for each server they vary by a quarter or more. */
  private static final int FEW_PARTITIONS = 16;

  private static final double ENTRIES = 10_000;
  private static final double SKEW_OF_BYTES = 0.2;
  private static final double COMPARED_BYTES = 32 << 20;
  private static final long BLOCKED_MILLIS = 500;
  private static final double LONG_SECONDS = 10;
  private static final double STUCK_SECONDS = 3;

  static final List<Check> ALL =
      List.of(
          ofCluster("skewed-entries", Check.METRICS, TopologyChecks::skew),
          ofCluster("rebalancing", Check.METRICS, TopologyChecks::rebalancing),
          ofCluster("partition-map-exchange", Check.METRICS, TopologyChecks::exchange),
          ofCluster("baseline", Check.METRICS, TopologyChecks::baseline),
          ofCluster("different-servers", Check.GENERAL, TopologyChecks::different),
          ofCluster("skewed-memory", Check.METRICS, TopologyChecks::skewedMemory),
          ofCluster("long-transactions", Check.VIEWS, TopologyChecks::transactions),
          ofCluster("unordered-put-all", Check.GENERAL, TopologyChecks::unordered),
          ofConfiguration("transaction-timeout", Check.GENERAL, TopologyChecks::timeouts),
          ofConfiguration("peer-class-loading", Check.GENERAL, TopologyChecks::peerClassLoading));

  private TopologyChecks() {}

  private static void skew(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      String metric = "cache." + cache.getName() + ".OffHeapPrimaryEntriesCount";
      if (facts.servers().stream().anyMatch(server -> server.last(metric).isEmpty())) {
        result.notMade("a server does not count the entries of cache '" + cache.getName() + "'");
        continue;
      }
      if (skewed(facts, cache)) {
        diagnoseSkew(facts, cache, result);
      }
    }
  }

  /**
   * Of P partitions that are placed at random on N servers, the numbers on a server vary by √(N/P),
   * the sample's standard deviation by the mean of a multinomial distribution.
   */
  private static void diagnoseSkew(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    double[] entries = entries(facts, cache);
    double mean = DoubleStream.of(entries).average().orElse(0);
    double most = DoubleStream.of(entries).max().orElse(0);
    int partitions =
        cache.getAffinity() == null
            ? RendezvousAffinityFunction.DFLT_PARTITION_COUNT
            : cache.getAffinity().partitions();
    double byChance = Math.sqrt((double) entries.length / partitions);
    boolean ofKeys = variation(entries) > BY_CHANCE * byChance;
    String symptom = "The entries of cache '%s' are spread unevenly over the servers.";
    Check.Draft found =
        ofKeys || partitions < FEW_PARTITIONS * entries.length
            ? result.problem(symptom, cache.getName())
            : result.advice(symptom, cache.getName());
    found
        .evidence(
            "OffHeapPrimaryEntriesCount",
            IntStream.range(0, entries.length)
                .mapToObj(i -> Check.text("%s: %,.0f", facts.servers().get(i).name(), entries[i]))
                .collect(Collectors.joining(", ")),
            cache.getName())
        .evidence("partitions", partitions, cache.getName())
        .impact(1 - mean / most, "the server with the most has %.2f times the mean", most / mean);
    if (ofKeys) {
      found
          .cause(
              "Many keys share an affinity key, or the affinity function does not place partitions evenly.")
          .action(Needs.CACHE, "Use an affinity key with many values.");
    } else {
      found
          .cause(
              Check.text(
                  "%,d partitions, placed at random on %d servers, vary by %.0f %%.",
                  partitions, entries.length, 100 * byChance))
          .action(
              Needs.CACHE,
              Check.text(
                  "Use %,d partitions.",
                  Math.min(
                      CacheConfiguration.MAX_PARTITIONS_COUNT, Math.max(1_024, 4 * partitions))));
    }
  }

  /** Of servers that hold all the same caches; one with more entries is another check's. */
  private static void skewedMemory(Facts facts, Result result) {
    if (facts.caches().stream().anyMatch(TopologyChecks::onSomeServers)) {
      result.notMade("a cache has a node filter");
      return;
    }
    double[] used =
        facts.servers().stream()
            .mapToDouble(
                server ->
                    server.regions().stream()
                        .mapToDouble(
                            region ->
                                server
                                    .last(MemoryChecks.metrics(region) + ".TotalUsedSize")
                                    .orElse(0))
                        .sum())
            .toArray();
    double mean = DoubleStream.of(used).average().orElse(0);
    double most = DoubleStream.of(used).max().orElse(0);
    if (used.length > 1
        && mean > COMPARED_BYTES
        && variation(used) > SKEW_OF_BYTES
        && facts.caches().stream().noneMatch(cache -> skewed(facts, cache))) {
      result
          .problem("The bytes of the data are spread unevenly over the servers.")
          .evidence(
              "TotalUsedSize [MiB]",
              IntStream.range(0, used.length)
                  .mapToObj(
                      i ->
                          Check.text(
                              "%s: %,.0f", facts.servers().get(i).name(), used[i] / (1 << 20)))
                  .collect(Collectors.joining(", ")),
              "data regions")
          .impact(1 - mean / most, "the server with the most has %.2f times the mean", most / mean)
          .cause("The number of entries does not vary: a few partitions have much larger values.")
          .action(
              Needs.CLIENTS,
              "Divide large values, or give them keys (affinity keys) of different partitions.");
    }
  }

  private static boolean onSomeServers(CacheConfiguration<?, ?> cache) {
    return cache.getNodeFilter() != null
        && !(cache.getNodeFilter() instanceof CacheConfiguration.IgniteAllNodesPredicate);
  }

  private static double variation(double[] values) {
    double mean = DoubleStream.of(values).average().orElse(0);
    return Math.sqrt(
            DoubleStream.of(values).map(n -> (n - mean) * (n - mean)).sum()
                / Math.max(1, values.length - 1))
        / mean;
  }

  private static double[] entries(Facts facts, CacheConfiguration<?, ?> cache) {
    return facts.servers().stream()
        .mapToDouble(
            server ->
                server.last("cache." + cache.getName() + ".OffHeapPrimaryEntriesCount").orElse(0))
        .toArray();
  }

  private static boolean skewed(Facts facts, CacheConfiguration<?, ?> cache) {
    double[] entries = entries(facts, cache);
    return entries.length > 1
        && cache.getCacheMode() != CacheMode.REPLICATED
        && DoubleStream.of(entries).average().orElse(0) > ENTRIES
        && variation(entries) > SKEW;
  }

  private static void rebalancing(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      double moving =
          server.samples().get(server.samples().size() - 1).entrySet().stream()
              .filter(metric -> metric.getKey().endsWith(".LocalNodeMovingPartitionsCount"))
              .mapToDouble(metric -> ((Number) metric.getValue()).doubleValue())
              .sum();
      if (moving > 0) {
        result
            .problem("%s is still receiving partitions.", server.name())
            .evidence("LocalNodeMovingPartitionsCount", moving, server.name())
            .cause(
                "A server joined or left, and data move; until they have, they have a copy less, and the move takes CPU time and network.")
            .action(
                Needs.NOTHING,
                "Wait for its end before you judge the cluster's speed; rebalanceThreadPoolSize shortens it.");
      }
    }
  }

  private static void exchange(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      String histogram = "pme.CacheOperationsBlockedDurationHistogram";
      double now = server.growthFrom(histogram, BLOCKED_MILLIS);
      double changes = server.growth("io.discovery.CurrentTopologyVersion");
      if (changes > 2) {
        result
            .problem("The topology changed %.0f times in %.0f s.", changes, facts.seconds())
            .evidence("CurrentTopologyVersion", changes, server.name())
            .evidence("operations blocked ≥ 500 ms", now, server.name())
            .cause("Nodes join and leave, and operations wait while they do.")
            .action(
                Needs.CLIENTS,
                "Find the node that comes and goes; keep thick clients connected, or use thin ones.");
        return;
      }
      if (now > 0) {
        result
            .risk("Operations waited 0.5 s or longer for an exchange of the partition map.")
            .evidence("operations blocked ≥ 500 ms", now, server.name())
            .cause("Caches are created or destroyed while others are used, or a node left.")
            .action(Needs.CLIENTS, "Create caches when the application is deployed, not in use.");
        return;
      }
    }
  }

  private static void baseline(Facts facts, Result result) {
    Server any = facts.servers().get(0);
    double online = any.last("cluster.TotalServerNodes").orElse(0);
    double holding = any.last("cluster.ActiveBaselineNodes").orElse(online);
    if (holding < online && facts.servers().stream().anyMatch(Server::persistent)) {
      result
          .problem("%.0f of %.0f servers store no data.", online - holding, online)
          .evidence("ActiveBaselineNodes", holding, "cluster")
          .evidence("TotalServerNodes", online, "cluster")
          .cause(
              "With persistence a new server holds data only once it is in the baseline topology.")
          .action(
              Needs.NOTHING,
              "Add it: control.sh --baseline add, or enable baseline auto-adjustment.");
    }
  }

  /** Some collectors change the greatest heap that they tell by a few percent. */
  private static void different(Facts facts, Result result) {
    double[] heaps =
        facts.servers().stream()
            .mapToDouble(server -> server.greatest("sys.memory.heap.max"))
            .sorted()
            .toArray();
    boolean heap = heaps[0] < 0.8 * heaps[heaps.length - 1];
    if (heap
        || distinct(facts, TopologyChecks::regions)
        || distinct(facts, TopologyChecks::collector)) {
      result
          .risk("The servers are configured differently.")
          .evidence(
              "heap, regions and collector",
              facts.servers().stream()
                  .map(
                      server ->
                          Check.text(
                              "%s: %,.0f MiB, %s, %s",
                              server.name(),
                              server.greatest("sys.memory.heap.max") / (1 << 20),
                              regions(server),
                              collector(server)))
                  .collect(Collectors.joining("; ")),
              "cluster")
          .cause("Data and load are spread evenly, so the smallest server is the limit of all.")
          .action(Needs.SERVERS, "Configure all servers alike.");
    }
  }

  private static boolean distinct(Facts facts, Function<Server, String> property) {
    return facts.servers().stream().map(property).distinct().count() > 1;
  }

  private static String regions(Server server) {
    return server.regions().stream()
        .map(region -> region.getName() + " of " + (region.getMaxSize() >> 20) + " MiB")
        .collect(Collectors.joining(", "));
  }

  private static String collector(Server server) {
    return Arrays.stream(server.jvmFlags().split(" ", -1))
        .filter(flag -> flag.startsWith("-XX:+Use") && flag.endsWith("GC"))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static void transactions(Facts facts, Result result) {
    List<Row> held =
        byId(facts.view(Observation.TRANSACTIONS)).stream()
            .filter(row -> seconds(row) > LONG_SECONDS && !ofOneCall(row))
            .sorted((a, b) -> Double.compare(seconds(b), seconds(a)))
            .toList();
    if (!held.isEmpty()) {
      Row longest = held.get(0);
      result
          .problem(
              "%d %s for more than %.0f s.",
              held.size(),
              held.size() == 1 ? "transaction has been open" : "transactions have been open",
              LONG_SECONDS)
          .evidence("duration of the longest [s]", seconds(longest), longest.server())
          .evidence("its originating node", longest.get("originatingNodeId"), longest.server())
          .cause("It holds its locks, and the next change of the topology waits for its end.")
          .action(
              Needs.CLIENTS,
              "End it (control.sh --kill transaction %s), and give transactions a timeout.",
              longest.get("xid"))
          .change("defaultTxTimeout", 0, 30_000);
    }
  }

  /** Calls that change several keys of a transactional cache are transactions of their own. */
  private static boolean ofOneCall(Row transaction) {
    return transaction.get("implicit").equals("true")
        && !transaction.get("implicitSingle").equals("true");
  }

  private static void unordered(Facts facts, Result result) {
    List<Row> stuck =
        byId(facts.view(Observation.TRANSACTIONS)).stream()
            .filter(row -> ofOneCall(row) && seconds(row) > STUCK_SECONDS)
            .sorted((a, b) -> Double.compare(seconds(b), seconds(a)))
            .toList();
    if (stuck.size() > 1) {
      result
          .problem("%d calls of putAll or removeAll wait for each other's locks.", stuck.size())
          .evidence("implicit transactions that lasted > 3 s", stuck.size(), "cluster")
          .evidence("duration of the longest [s]", seconds(stuck.get(0)), stuck.get(0).server())
          .impact(1, "none of them has ended in %.0f s", seconds(stuck.get(stuck.size() - 1)))
          .cause("They lock the same keys in different orders, as the maps' own orders are.")
          .action(
              Needs.CLIENTS,
              "Pass sorted maps and sets (TreeMap, TreeSet); end these calls with control.sh --tx --kill, and set a transaction timeout.")
          .change("defaultTxTimeout", 0, 30_000);
    }
  }

  /** The last sight of each. */
  private static Collection<Row> byId(List<Row> transactions) {
    return transactions.stream()
        .collect(Collectors.toMap(row -> row.get("xid"), row -> row, (earlier, later) -> later))
        .values();
  }

  private static double seconds(Row transaction) {
    String millis = transaction.get("duration");
    return millis.matches("\\d+") ? Double.parseDouble(millis) / 1e3 : 0;
  }

  private static void timeouts(Facts facts, Result result) {
    boolean transactional =
        facts.caches().stream()
            .anyMatch(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL);
    for (Server server : facts.servers()) {
      String property = "TransactionConfiguration.TxTimeoutOnPartitionMapExchange";
      if (transactional && server.configuration().getOrDefault(property, "0").equals("0")) {
        result
            .advice(
                "A transaction that is left open stops the cluster at the next change of the topology.")
            .evidence("txTimeoutOnPartitionMapExchange", 0, server.name())
            .cause("The exchange of partition maps waits for open transactions, without a limit.")
            .action(Needs.SERVERS, "Set a limit.")
            .change("txTimeoutOnPartitionMapExchange", 0, 30_000);
        return;
      }
    }
  }

  private static void peerClassLoading(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      if (server.configuration().getOrDefault("PeerClassLoadingEnabled", "false").equals("true")) {
        result
            .advice("Peer class loading is enabled.")
            .evidence("peerClassLoadingEnabled", true, server.name())
            .cause(
                "The first call of a task loads its classes over the network, and any client can run its code on the servers.")
            .action(Needs.SERVERS, "Put the classes on the servers' class path in production.")
            .change("peerClassLoadingEnabled", true, false);
        return;
      }
    }
  }
}
