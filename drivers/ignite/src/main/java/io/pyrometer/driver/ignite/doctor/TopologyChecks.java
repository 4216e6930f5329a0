package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.configuration.CacheConfiguration;

/** Servers as a cluster: how they change, and how they differ. */
final class TopologyChecks {
  /** The check that judges also an inactive cluster. */
  static final String STATE = "cluster-state";

  /** Metric of a cache group, after its name: the copies of the partition that has fewest. */
  static final String COPIES = ".MinimumNumberOfPartitionCopies";

  /** Nodes join and leave, and caches are made, less often in a cluster that is left alone. */
  private static final double SECONDS_OF_CHANGE = 30;

  static final List<Check> ALL =
      List.of(
          Check.of(STATE, TopologyChecks::state),
          Check.of("silent-server", TopologyChecks::silent),
          Check.of("lost-partitions", Check.caches(TopologyChecks::lost)),
          Check.of("free-cpu", TopologyChecks::freeCpu),
          Check.of("rebalancing", servers(TopologyChecks::rebalancing)),
          Check.of("partition-map-exchange", servers(TopologyChecks::exchange)),
          Check.of("baseline", TopologyChecks::baseline),
          Check.of("different-servers", TopologyChecks::different),
          Check.of("peer-class-loading", servers(TopologyChecks::peerClassLoading)));

  private TopologyChecks() {}

  private static void state(Look look) {
    String state = look.around().state();
    boolean readOnly = state.equals("ACTIVE_READ_ONLY");
    if (look.facts.isInactive() || readOnly) {
      look.found(readOnly ? "read-only" : "").evidence("state", state, "cluster");
    }
  }

  private static void silent(Look look) {
    for (String name : look.around().silent()) {
      look.found().of("servers", name).evidence("answers within 30 s", 0);
    }
  }

  /** A partition of which no server has a copy that may be used. */
  private static void lost(Look look, CacheConfiguration<?, ?> cache) {
    String copies = "cacheGroups." + Facts.group(cache) + COPIES;
    // A cache that was made or destroyed meanwhile has no copies for a moment.
    if (look.anyServer(each -> each.values(copies).length > 1 && each.last(copies) == 0)) {
      look.found().evidence("MinimumNumberOfPartitionCopies", 0);
    }
  }

  private static void freeCpu(Look look) {
    look.around()
        .cpu()
        .ifPresentOrElse(use -> freeCpu(look, use), () -> look.unjudged("other-machines"));
  }

  private static void freeCpu(Look look, HostCpu.Use use) {
    double taken = use.others() + use.stolen();
    if (use.free() < 0.05 && taken > 0.25) {
      look.found()
          .costs("taken", taken)
          .count("runnable", use.runnable())
          .evidence("CPU time of other processes", use.others(), "this machine")
          .evidence("CPU time of other machines (steal)", use.stolen(), "this machine")
          .evidence("free CPU time", use.free(), "this machine")
          .evidence("threads that run or wait for a CPU, mean", use.runnable(), "this machine");
    }
  }

  private static void rebalancing(Look look, Server server) {
    double moving =
        server.lastSample().keySet().stream()
            .filter(metric -> metric.endsWith(".LocalNodeMovingPartitionsCount"))
            .mapToDouble(metric -> server.last(metric))
            .sum();
    if (moving > 0) {
      look.found().evidence("LocalNodeMovingPartitionsCount", moving);
    }
  }

  private static void exchange(Look look, Server server) {
    String metric = "pme.CacheOperationsBlockedDurationHistogram";
    double blocked = server.growthFrom(metric, 500);
    double ofNodes = server.growth("io.discovery.CurrentTopologyVersion");
    boolean nodes = ofNodes > Math.max(2, look.seconds() / SECONDS_OF_CHANGE);
    if (nodes || isGrowing(look, server.values(Observation.CACHE_EXCHANGES))) {
      double changes = nodes ? ofNodes : server.growth(Observation.CACHE_EXCHANGES);
      look.found(nodes ? "" : "caches")
          .count("changes", changes)
          .seconds("observed", look.seconds())
          .evidence(nodes ? "CurrentTopologyVersion" : "exchanges for caches", changes, "cluster")
          .evidence("operations blocked ≥ 500 ms", blocked);
    } else if (blocked > 0) {
      look.found("blocked").evidence("operations blocked ≥ 500 ms", blocked);
    }
  }

  /** Returns whether a counter grew again and again, not once as when an application starts. */
  private static boolean isGrowing(Look look, double[] values) {
    long times = IntStream.range(1, values.length).filter(i -> values[i] > values[i - 1]).count();
    double some = Math.max(6, look.seconds() / SECONDS_OF_CHANGE);
    return times >= 3 && values[values.length - 1] - values[0] >= some;
  }

  private static void baseline(Look look) {
    Server any = look.servers().get(0);
    double online = any.last("cluster.TotalServerNodes");
    double holding = any.last("cluster.ActiveBaselineNodes", online);
    if (holding < online && look.anyServer(Server::persistent)) {
      look.found()
          .count("outside", online - holding)
          .count("servers", online)
          .evidence("ActiveBaselineNodes", holding)
          .evidence("TotalServerNodes", online);
    }
  }

  /** Some collectors change the greatest heap that they tell by a few percent. */
  private static void different(Look look) {
    DoubleSummaryStatistics heaps =
        look.servers().stream().mapToDouble(Server::maxHeap).summaryStatistics();
    if (heaps.getMin() < 0.8 * heaps.getMax()
        || look.servers().stream().map(TopologyChecks::settings).distinct().count() > 1) {
      look.found()
          .evidence(
              "heap, regions, JVM options and Java",
              look.servers().stream()
                  .map(
                      server -> {
                        double mebibytes = server.maxHeap() / (1 << 20);
                        String heap = Check.text("%s: %,.0f MiB, ", server.name(), mebibytes);
                        return heap + settings(server);
                      })
                  .collect(Collectors.joining("; ")));
    }
  }

  /** Regions of a server, options that choose a collector or compilers, and the version of Java. */
  private static String settings(Server server) {
    String regions =
        server.regions().stream()
            .map(region -> region.getName() + " of " + (region.getMaxSize() >> 20) + " MiB")
            .collect(Collectors.joining(", "));
    String options =
        Arrays.stream(server.jvmFlags().split(" ", -1))
            .filter(flag -> flag.matches("-XX:\\+Use\\w*GC|-Xint|-Xcomp|-XX:TieredStopAtLevel=.*"))
            .sorted()
            .collect(Collectors.joining(" "));
    Object java = server.attributes().getOrDefault("java.version", "?");
    return "%s, %s, Java %s".formatted(regions, options, java);
  }

  private static void peerClassLoading(Look look, Server server) {
    if ("true".equals(server.configuration().get("PeerClassLoadingEnabled"))) {
      look.found();
    }
  }
}
