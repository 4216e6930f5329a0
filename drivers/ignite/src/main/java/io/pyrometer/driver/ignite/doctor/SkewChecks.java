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
    String metric = "cache." + cache.getName() + ".OffHeapPrimaryEntriesCount";
    if (facts.servers().stream().anyMatch(server -> server.last(metric).isEmpty())) {
      result.unjudged("entries", "cache", Value.name(cache.getName()));
      return;
    }
    if (ClientChecks.expires(cache.getExpiryPolicyFactory())) {
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
    double mean = DoubleStream.of(entries).average().orElse(0);
    double most = DoubleStream.of(entries).max().orElse(0);
    int partitions =
        cache.getAffinity() == null
            ? RendezvousAffinityFunction.DFLT_PARTITION_COUNT
            : cache.getAffinity().partitions();
    double byChance = Math.sqrt((double) entries.length / partitions);
    boolean ofKeys = variation(entries) > BY_CHANCE * byChance;
    int enough = Math.min(CacheConfiguration.MAX_PARTITIONS_COUNT, Math.max(1_024, 4 * partitions));
    boolean own =
        cache.getAffinity() != null && !(cache.getAffinity() instanceof RendezvousAffinityFunction);
    Check.Draft found =
        ofKeys
            ? own
                ? result
                    .found("function")
                    .with("function", Value.name(cache.getAffinity().getClass().getName()))
                : result.found()
            : result
                .draft(
                    partitions < FEW_PARTITIONS * entries.length
                        ? Severity.PROBLEM
                        : Severity.ADVICE,
                    "partitions")
                .with("partitions", Value.count(partitions))
                .with("variation", Value.share(byChance))
                .change("partitions", partitions, enough);
    found
        .of(cache)
        .with("most", Value.ratio(most / mean))
        .evidence("OffHeapPrimaryEntriesCount", ofServers(facts, entries))
        .evidence("partitions", partitions)
        .costs(1 - mean / most);
  }

  private static String ofServers(Facts facts, double[] values) {
    return IntStream.range(0, values.length)
        .mapToObj(i -> Check.text("%s: %,.0f", facts.servers().get(i).name(), values[i]))
        .collect(Collectors.joining(", "));
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
                        .mapToDouble(metric -> server.last(metric).orElse(0) / (1 << 20))
                        .sum())
            .toArray();
    double mean = DoubleStream.of(used).average().orElse(0);
    double most = DoubleStream.of(used).max().orElse(0);
    if (used.length > 1
        && mean > COMPARED_MIB
        && variation(used) > SKEW_OF_BYTES
        && facts.caches().stream().noneMatch(cache -> skewed(facts, cache))) {
      result
          .found()
          .with("most", Value.ratio(most / mean))
          .evidence("TotalUsedSize [MiB]", ofServers(facts, used), "data regions")
          .costs(1 - mean / most);
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
        && !ClientChecks.expires(cache.getExpiryPolicyFactory())
        && DoubleStream.of(entries).average().orElse(0) > ENTRIES
        && variation(entries) > SKEW;
  }
}
