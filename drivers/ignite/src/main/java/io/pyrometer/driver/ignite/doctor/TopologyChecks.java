package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.message.Value;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Servers as a cluster: how they change, and how they differ. */
final class TopologyChecks {
  private static final long BLOCKED_MILLIS = 500;

  /** Nodes join and leave, and caches are made, less often in a cluster that is left alone. */
  private static final double SECONDS_OF_CHANGE = 30;

  /** Intervals between samples in which a counter grew. */
  private static final int AGAIN = 3;

  private static final String BLOCKED = "operations blocked ≥ 500 ms";

  /** The check that judges also an inactive cluster. */
  static final String STATE = "cluster-state";

  /** Metric of a cache group, after its name: the copies of the partition that has fewest. */
  static final String COPIES = ".MinimumNumberOfPartitionCopies";

  private static final String HEAP = "sys.memory.heap.max";
  private static final double NO_CPU_FREE = 0.05;
  private static final double TAKEN = 0.25;

  static final List<Check> ALL =
      List.of(
          Check.of(STATE, TopologyChecks::state),
          Check.of("silent-server", TopologyChecks::silent),
          Check.of("lost-partitions", TopologyChecks::lost),
          Check.of("free-cpu", TopologyChecks::freeCpu),
          Check.of("rebalancing", servers(TopologyChecks::rebalancing)),
          Check.of("partition-map-exchange", servers(TopologyChecks::exchange)),
          Check.of("baseline", TopologyChecks::baseline),
          Check.of("different-servers", TopologyChecks::different),
          Check.of("peer-class-loading", servers(TopologyChecks::peerClassLoading)));

  private TopologyChecks() {}

  private static void state(Facts facts, Result result) {
    if (facts.isInactive()) {
      result.found().evidence("state", facts.around().state(), "cluster");
    } else if (facts.around().state().equals("ACTIVE_READ_ONLY")) {
      result.found("read-only").evidence("state", facts.around().state(), "cluster");
    }
  }

  private static void silent(Facts facts, Result result) {
    facts
        .around()
        .silent()
        .forEach(name -> result.found().of("servers", name).evidence("answers within 30 s", 0));
  }

  /** A partition of which no server has a copy that may be used. */
  private static void lost(Facts facts, Result result) {
    facts.caches().stream()
        .filter(
            cache -> {
              String copies = "cacheGroups." + Facts.group(cache) + COPIES;
              // A cache that was made or destroyed meanwhile has no copies for a moment.
              return facts.servers().stream()
                  .anyMatch(s -> s.values(copies).length > 1 && s.last(copies) == 0);
            })
        .forEach(cache -> result.found().of(cache).evidence("MinimumNumberOfPartitionCopies", 0));
  }

  private static void freeCpu(Facts facts, Result result) {
    if (facts.around().cpu().isEmpty()) {
      result.unjudged("other-machines");
      return;
    }
    HostCpu.Use use = facts.around().cpu().get();
    double taken = use.others() + use.stolen();
    if (use.free() < NO_CPU_FREE && taken > TAKEN) {
      result
          .found()
          .costs("taken", taken)
          .with("runnable", Value.count(Math.round(use.runnable())))
          .evidence("CPU time of other processes", use.others(), "this machine")
          .evidence("CPU time of other machines (steal)", use.stolen(), "this machine")
          .evidence("free CPU time", use.free(), "this machine")
          .evidence("threads that run or wait for a CPU, mean", use.runnable(), "this machine");
    }
  }

  private static void rebalancing(Facts facts, Server server, Result result) {
    double moving =
        server.lastSample().keySet().stream()
            .filter(metric -> metric.endsWith(".LocalNodeMovingPartitionsCount"))
            .mapToDouble(metric -> server.last(metric))
            .sum();
    if (moving > 0) {
      result.found().evidence("LocalNodeMovingPartitionsCount", moving);
    }
  }

  private static void exchange(Facts facts, Server server, Result result) {
    String histogram = "pme.CacheOperationsBlockedDurationHistogram";
    double now = server.growthFrom(histogram, BLOCKED_MILLIS);
    double changes = server.growth("io.discovery.CurrentTopologyVersion");
    double some = Math.max(2, facts.seconds() / SECONDS_OF_CHANGE);
    if (changes > some) {
      result
          .found()
          .with("changes", Value.count(Math.round(changes)))
          .with("observed", Value.seconds(facts.seconds()))
          .evidence("CurrentTopologyVersion", changes, "cluster")
          .evidence(BLOCKED, now, server.name());
    } else if (again(facts, server.values(Observation.CACHE_EXCHANGES))) {
      double ofCaches = server.growth(Observation.CACHE_EXCHANGES);
      result
          .found("caches")
          .with("changes", Value.count(Math.round(ofCaches)))
          .with("observed", Value.seconds(facts.seconds()))
          .evidence("exchanges for caches", ofCaches, "cluster")
          .evidence(BLOCKED, now, server.name());
    } else if (now > 0) {
      result.found("blocked").evidence(BLOCKED, now, server.name());
    }
  }

  /** Returns whether a counter grew again and again, not once as when an application starts. */
  private static boolean again(Facts facts, double[] values) {
    long times = IntStream.range(1, values.length).filter(i -> values[i] > values[i - 1]).count();
    double some = Math.max(2 * AGAIN, facts.seconds() / SECONDS_OF_CHANGE);
    return times >= AGAIN && values[values.length - 1] - values[0] >= some;
  }

  private static void baseline(Facts facts, Result result) {
    Server any = facts.servers().get(0);
    double online = any.last("cluster.TotalServerNodes");
    double holding = any.last("cluster.ActiveBaselineNodes", online);
    if (holding < online && facts.servers().stream().anyMatch(Server::persistent)) {
      result
          .found()
          .with("outside", Value.count(Math.round(online - holding)))
          .with("servers", Value.count(Math.round(online)))
          .evidence("ActiveBaselineNodes", holding)
          .evidence("TotalServerNodes", online);
    }
  }

  /** Some collectors change the greatest heap that they tell by a few percent. */
  private static void different(Facts facts, Result result) {
    List<Double> heaps =
        facts.servers().stream().map(server -> server.greatest(HEAP)).sorted().toList();
    List<Function<Server, String>> properties =
        List.of(TopologyChecks::regions, TopologyChecks::options, TopologyChecks::java);
    if (heaps.get(0) < 0.8 * heaps.get(heaps.size() - 1)
        || properties.stream()
            .anyMatch(each -> facts.servers().stream().map(each).distinct().count() > 1)) {
      String each = "%s: %,.0f MiB, %s, %s, Java %s";
      result
          .found()
          .evidence(
              "heap, regions, JVM options and Java",
              facts.servers().stream()
                  .map(
                      server ->
                          Check.text(
                              each,
                              server.name(),
                              server.greatest(HEAP) / (1 << 20),
                              regions(server),
                              options(server),
                              java(server)))
                  .collect(Collectors.joining("; ")));
    }
  }

  private static String regions(Server server) {
    return server.regions().stream()
        .map(region -> region.getName() + " of " + (region.getMaxSize() >> 20) + " MiB")
        .collect(Collectors.joining(", "));
  }

  private static String java(Server server) {
    return String.valueOf(server.attributes().getOrDefault("java.version", "?"));
  }

  /** Options that choose a collector or compilers. */
  private static String options(Server server) {
    return Arrays.stream(server.jvmFlags().split(" ", -1))
        .filter(flag -> flag.matches("-XX:\\+Use\\w*GC|-Xint|-Xcomp|-XX:TieredStopAtLevel=.*"))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static void peerClassLoading(Facts facts, Server server, Result result) {
    if (server.configuration().getOrDefault("PeerClassLoadingEnabled", "false").equals("true")) {
      result.found();
    }
  }
}
