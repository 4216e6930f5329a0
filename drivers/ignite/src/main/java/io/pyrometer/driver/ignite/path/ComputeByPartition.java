package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.driver.ignite.data.PartitionMaxima;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.PathDescription;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.lang.IgniteFuture;

/** Sends a job to every partition's primary node, which scans that partition. */
final class ComputeByPartition {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read(
                  "compute-affinity", "An affinity call for each partition, all at once.")
              .sendingClasses(),
          ComputeByPartition::open);

  private ComputeByPartition() {}

  private static AccessPath open(PathContext context, LoadThread lane) {
    IgniteCompute compute = context.ignite().compute();
    String cacheName = context.cacheName();
    String[] fields = context.aggregated();
    int partitions = context.ignite().affinity(cacheName).partitions();
    return new AggregatePath(
        "compute-affinity",
        context,
        highest -> ask(compute, cacheName, fields, partitions, highest));
  }

  private static void ask(
      IgniteCompute compute, String cacheName, String[] fields, int partitions, Maxima highest) {
    List<String> caches = List.of(cacheName);
    List<IgniteFuture<double[]>> answers =
        IntStream.range(0, partitions)
            .mapToObj(
                part ->
                    compute.affinityCallAsync(
                        caches, part, new PartitionMaxima(cacheName, fields, part)))
            .toList();
    answers.forEach(answer -> highest.merge(answer.get()));
  }
}
