package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Servers as a cluster: how they change, and how they differ. */
final class TopologyChecks {
  private static final long BLOCKED_MILLIS = 500;

  static final List<Check> ALL =
      List.of(
          ofCluster("rebalancing", Check.METRICS, TopologyChecks::rebalancing),
          ofCluster("partition-map-exchange", Check.METRICS, TopologyChecks::exchange),
          ofCluster("baseline", Check.METRICS, TopologyChecks::baseline),
          ofCluster("different-servers", Check.GENERAL, TopologyChecks::different),
          ofConfiguration("peer-class-loading", Check.GENERAL, TopologyChecks::peerClassLoading));

  private TopologyChecks() {}

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
                "A server joined or left, and data move; until they have, they have a copy less,"
                    + " and the move takes CPU time and network.")
            .action(
                Needs.NOTHING,
                "Wait for its end before you judge the cluster's speed; rebalanceThreadPoolSize"
                    + " shortens it.");
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
                "Find the node that comes and goes; keep thick clients connected, or use thin"
                    + " ones.");
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

  private static void peerClassLoading(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      if (server.configuration().getOrDefault("PeerClassLoadingEnabled", "false").equals("true")) {
        result
            .advice("Peer class loading is enabled.")
            .evidence("peerClassLoadingEnabled", true, server.name())
            .cause(
                "The first call of a task loads its classes over the network, and any client can"
                    + " run its code on the servers.")
            .action(Needs.SERVERS, "Put the classes on the servers' class path in production.")
            .change("peerClassLoadingEnabled", true, false);
        return;
      }
    }
  }
}
