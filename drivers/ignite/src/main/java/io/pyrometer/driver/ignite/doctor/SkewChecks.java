package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.caches;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/** Data that are spread unevenly over the servers. */
final class SkewChecks {
  private static final double SKEW = 0.1;

  /** Partitions on a server vary by chance; so many times as much has another cause. */
  private static final double BY_CHANCE = 3;

  /** With fewer partitions for each server they vary by a quarter or more. */
  private static final int FEW_PARTITIONS = 16;

  private static final double ENTRIES = 10_000;
  private static final double SKEW_OF_BYTES = 0.2;
  private static final double COMPARED_MIB = 32;

  static final List<Check> ALL =
      List.of(
          Check.of("skewed-entries", caches(SkewChecks::skew)),
          Check.of("skewed-memory", SkewChecks::skewedMemory));

  private SkewChecks() {}

  private static void skew(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    String metric = "cache." + cache.getName() + CacheChecks.ENTRIES;
    if (facts.servers().stream().anyMatch(server -> server.values(metric).length == 0)) {
      result.unjudged("entries", "cache", Value.name(cache.getName()));
    } else if (ClientChecks.expires(cache.getExpiryPolicyFactory())) {
      result.unjudged("expiry", "caches", Value.names(List.of(cache.getName())));
    } else if (skewed(facts, cache)) {
      diagnoseSkew(facts, cache, result);
    }
  }

  /**
   * Check of the skew against chance: of P partitions that are placed at random on N servers, the
   * numbers on a server vary by √(N/P), the sample's standard deviation by the mean of a
   * multinomial distribution.
   */
  private static void diagnoseSkew(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    double[] entries = entries(facts, cache);
    AffinityFunction affinity =
        cache.getAffinity() == null ? new RendezvousAffinityFunction() : cache.getAffinity();
    int partitions = affinity.partitions();
    double byChance = Math.sqrt((double) entries.length / partitions);
    Check.Draft found;
    if (variation(entries) <= BY_CHANCE * byChance) {
      boolean few = partitions < FEW_PARTITIONS * entries.length;
      found =
          result
              .draft(few ? Severity.PROBLEM : Severity.ADVICE, "partitions")
              .with("partitions", Value.count(partitions))
              .with("variation", Value.share(byChance))
              .change(
                  "partitions",
                  partitions,
                  Math.min(
                      CacheConfiguration.MAX_PARTITIONS_COUNT, Math.max(1_024, 4 * partitions)));
    } else if (affinity instanceof RendezvousAffinityFunction) {
      found = result.found();
    } else {
      String function = affinity.getClass().getName();
      found = result.found("function").with("function", Value.name(function));
    }
    unequal(found.of(cache), facts, "OffHeapPrimaryEntriesCount", entries)
        .evidence("partitions", partitions);
  }

  /** A diagnosis of values of the servers of which one is larger. */
  private static Check.Draft unequal(Check.Draft draft, Facts facts, String what, double[] values) {
    double mean = DoubleStream.of(values).average().orElse(0);
    double most = DoubleStream.of(values).max().orElse(0);
    String ofServers =
        IntStream.range(0, values.length)
            .mapToObj(i -> Check.text("%s: %,.0f", facts.servers().get(i).name(), values[i]))
            .collect(Collectors.joining(", "));
    return draft
        .with("most", Value.ratio(most / mean))
        .evidence(what, ofServers)
        .costs(1 - mean / most);
  }

  /** Check of servers that hold all the same caches; one with more entries is another check's. */
  private static void skewedMemory(Facts facts, Result result) {
    if (facts.caches().stream().anyMatch(SkewChecks::onSomeServers)) {
      result.unjudged("node-filter");
      return;
    }
    double[] used =
        facts.servers().stream()
            .mapToDouble(
                server ->
                    server.regions().stream()
                        .map(region -> MemoryChecks.metrics(region) + ".TotalUsedSize")
                        .mapToDouble(metric -> server.last(metric) / (1 << 20))
                        .sum())
            .toArray();
    if (used.length > 1
        && DoubleStream.of(used).average().orElse(0) > COMPARED_MIB
        && variation(used) > SKEW_OF_BYTES
        && facts.caches().stream().noneMatch(cache -> skewed(facts, cache))) {
      unequal(result.found(), facts, "TotalUsedSize [MiB]", used);
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
        .mapToDouble(server -> server.last("cache." + cache.getName() + CacheChecks.ENTRIES))
        .toArray();
  }

  private static boolean skewed(Facts facts, CacheConfiguration<?, ?> cache) {
    double[] entries = entries(facts, cache);
    return entries.length > 1
        && cache.getCacheMode() != CacheMode.REPLICATED
        && !ClientChecks.expires(cache.getExpiryPolicyFactory())
        && DoubleStream.of(entries).average().orElse(0) > ENTRIES
        && variation(entries) > SKEW;
  }
}
