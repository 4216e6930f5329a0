package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.PrimaryMaxima;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.PathDescription;
import org.apache.ignite.IgniteCompute;

/**
 * Sends the work to the data: each server scans the entries whose primary copy it holds, without
 * making objects of them, and only its highest values travel.
 */
final class Compute {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read(
                  "compute", "A job on every server scans the server's own primary partitions.")
              .sendingClasses(),
          Compute::open);

  private Compute() {}

  private static AccessPath open(PathContext context, LoadThread lane) {
    IgniteCompute servers =
        context.ignite().compute(context.ignite().cluster().forDataNodes(context.cacheName()));
    PrimaryMaxima job = new PrimaryMaxima(context.cacheName(), context.aggregated());
    return new AggregatePath(
        "compute", context, highest -> servers.broadcast(job).forEach(highest::merge));
  }
}
