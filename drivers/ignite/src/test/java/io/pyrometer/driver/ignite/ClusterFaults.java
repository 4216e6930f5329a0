package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.persistent;
import static io.pyrometer.driver.ignite.PlantedFault.value;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import io.pyrometer.driver.ignite.PlantedFault.Site;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.cluster.ClusterState;

/** Faults of the cluster as a whole, of its network and of its machine. */
final class ClusterFaults {
  private static final Servers PERSISTENT = Servers.of(persistent(256, "", ""));

  private ClusterFaults() {}

  static final PlantedFault NEVER_ACTIVATED =
      PlantedFault.of("cluster-state", "a persistent cluster that was never activated")
          .servers(PERSISTENT)
          .load(
              (application, step) -> {
                TimeUnit.MILLISECONDS.sleep(100);
                application.client().getOrCreateCache(CACHE);
              })
          .threads(1);

  static final List<PlantedFault> ALL =
      List.of(
          NEVER_ACTIVATED,
          PlantedFault.of("cluster-state", "a cluster that was left read-only")
              .setup(
                  application -> {
                    application.fill(1_000, value(100));
                    application.client().cluster().state(ClusterState.ACTIVE_READ_ONLY);
                  })
              .load(
                  (application, step) -> {
                    TimeUnit.MILLISECONDS.sleep(10);
                    application.cache().put(key(), value(100));
                  }),
          PlantedFault.of("lost-partitions", "a server that came back, and partitions stay lost")
              .servers(PERSISTENT)
              .cache(cache -> cache.setBackups(0))
              .setup(
                  application -> {
                    application.fill(20_000, value(100));
                    application.restartLast();
                  })
              .load(
                  (application, step) -> {
                    TimeUnit.MILLISECONDS.sleep(5);
                    application.cache().get(key());
                  }),
          PlantedFault.of("baseline", "a persistent server that joined after the activation")
              .servers(PERSISTENT)
              .setup(
                  application -> {
                    application.fill(20_000, value(100));
                    application.addServer();
                  }),
          PlantedFault.of("silent-server", "a server whose communication port is filtered")
              .servers(Servers.STOCK.last("", Site.LINK))
              .setup(
                  application -> {
                    ClusterNode last =
                        application.client().cluster().forServers().forYoungest().node();
                    application
                        .last()
                        .run(
                            "ip rule add ipproto tcp blackhole sport "
                                + last.attribute("TcpCommunicationSpi.comm.tcp.port"));
                  })
              .load((application, step) -> application.cache().put(key(), value(100))),
          PlantedFault.of(
                  "uneven-load", "one server stopped for part of each second, as by a quota")
              .setup(application -> application.last().runSometimes())
              .load(ServerFaults::manyAtOnce),
          PlantedFault.of("pauses", "one server stopped for 1.2 s again and again")
              .load(
                  (application, step) -> {
                    application.last().signal("-STOP");
                    TimeUnit.MILLISECONDS.sleep(1_200);
                    application.last().signal("-CONT");
                    TimeUnit.MILLISECONDS.sleep(1_000);
                  })
              .threads(1),
          PlantedFault.of("memory-of-hosts", "three servers with default sizes of heap and region")
              .servers(Servers.of("").count(3).flags("-Xms128m")),
          PlantedFault.of("free-cpu", "eight other processes that use all CPUs")
              .setup(application -> application.burn(8)));
}
