package io.pyrometer.driver.ignite;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import io.pyrometer.driver.ignite.PlantedFault.Site;
import io.pyrometer.driver.ignite.StockNode.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;

/** A cluster of stock servers with a fault, and the application that uses it. */
@SuppressWarnings("try") // to close it is to wait
final class PlantedCluster implements AutoCloseable {
  private final PlantedFault fault;
  private final Path folder;
  private final List<StockNode> servers = new CopyOnWriteArrayList<>();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private PlantedCluster(PlantedFault fault, Path folder) {
    this.fault = fault;
    this.folder = folder;
  }

  /** Returns when the application has begun. */
  static PlantedCluster start(PlantedFault fault, Path folder) throws Exception {
    Files.createDirectories(folder);
    PlantedCluster cluster = new PlantedCluster(fault, folder);
    try {
      cluster.startServers();
      cluster.startApplication();
      return cluster;
    } catch (Exception | Error failed) {
      cluster.close();
      throw failed;
    }
  }

  private void startServers() throws Exception {
    Place one = Place.HERE;
    Place last = Place.HERE;
    if (fault.servers().site() == Site.LINK) {
      NetworkLink link = NetworkLink.make();
      opened.push(link);
      one = link.here();
      last = link.there();
    }
    int count = fault.servers().count();
    servers.add(start(0, Optional.empty(), one));
    ExecutorService starts = Executors.newFixedThreadPool(count);
    List<Future<StockNode>> others = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int index = i;
      Place place = i == count - 1 ? last : one;
      others.add(starts.submit(() -> start(index, Optional.of(first()), place)));
    }
    starts.shutdown();
    for (Future<StockNode> other : others) {
      servers.add(other.get());
    }
  }

  private StockNode start(int index, Optional<StockNode> first, Place place)
      throws IOException, InterruptedException {
    Servers all = fault.servers();
    String flags = all.flags() + " " + (index == all.count() - 1 ? all.lastFlags() : "");
    return StockNode.start(
        folder.resolve("server-" + index), all.properties(), flags, first, place);
  }

  private void startApplication() throws Exception {
    Ignite client =
        Ignition.start(
            first()
                .client("application-" + fault.name())
                .setPeerClassLoadingEnabled(fault.name().equals("peer-class-loading")));
    opened.push(client);
    if (fault != ClusterFaults.NEVER_ACTIVATED) {
      client.cluster().state(ClusterState.ACTIVE);
      client.createCache(
          fault
              .cache()
              .apply(new CacheConfiguration<Object, Object>(PlantedFault.CACHE).setBackups(1)));
    }
    opened.push(
        fault.ownJvm().isPresent()
            ? ApplicationProcess.start(fault, first(), folder)
            : Application.start(fault, client, servers));
  }

  StockNode first() {
    return servers.get(0);
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty() && !(opened.peek() instanceof NetworkLink)) {
      opened.pop().close();
    }
    servers.forEach(StockNode::close);
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
