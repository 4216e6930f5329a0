package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.HighestOfOwn;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import org.apache.ignite.IgniteCompute;

/**
 * Sends the work to the data: each server scans the entries whose primary copy it holds, without
 * making objects of them, and only its highest values travel.
 */
final class Compute {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "compute", "A job on every server scans the server's own primary partitions."),
          Compute::open);

  private Compute() {}

  private static AccessPath open(Surroundings surroundings, LoadThread lane) {
    surroundings.requireOurServers();
    IgniteCompute servers =
        surroundings
            .ignite()
            .compute(surroundings.ignite().cluster().forDataNodes(surroundings.cacheName()));
    HighestOfOwn job = new HighestOfOwn(surroundings.cacheName(), surroundings.aggregated());
    return new WholeSet(
        "compute", surroundings, highest -> servers.broadcast(job).forEach(highest::merge));
  }
}
