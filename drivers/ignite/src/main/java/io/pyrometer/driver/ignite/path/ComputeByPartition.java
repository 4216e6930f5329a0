package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.driver.ignite.data.HighestOfPartition;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.lang.IgniteFuture;

/** Sends a job to every partition's primary node, which scans that partition. */
final class ComputeByPartition {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "compute-affinity", "An affinity call for each partition, all at once."),
          ComputeByPartition::open);

  private ComputeByPartition() {}

  private static AccessPath open(Surroundings surroundings, LoadThread lane) {
    surroundings.requireOurServers();
    IgniteCompute compute = surroundings.ignite().compute();
    String cacheName = surroundings.cacheName();
    String[] fields = surroundings.aggregated();
    int partitions = surroundings.ignite().affinity(cacheName).partitions();
    return new WholeSet(
        "compute-affinity",
        surroundings,
        highest -> ask(compute, cacheName, fields, partitions, highest));
  }

  private static void ask(
      IgniteCompute compute, String cacheName, String[] fields, int partitions, Highest highest) {
    List<String> caches = List.of(cacheName);
    List<IgniteFuture<double[]>> answers =
        IntStream.range(0, partitions)
            .mapToObj(
                part ->
                    compute.affinityCallAsync(
                        caches, part, new HighestOfPartition(cacheName, fields, part)))
            .toList();
    answers.forEach(answer -> highest.merge(answer.get()));
  }
}
