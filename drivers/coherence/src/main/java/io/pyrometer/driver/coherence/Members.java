package io.pyrometer.driver.coherence;

import com.tangosol.net.Coherence;
import com.tangosol.net.DistributedCacheService;
import com.tangosol.net.Service;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** What servers and clients of the cluster have in common: both are members of it. */
final class Members {
  /** Of Coherence's default cache configuration. */
  private static final String SERVICE = "PartitionedCache";

  private static final int START_SECONDS = 50;

  private Members() {}

  /**
   * Joins the cluster whose members are found at some addresses. Coherence is configured by system
   * properties, so that a JVM can be a member of one cluster alone.
   *
   * @param peers host:port of every server; the first one's port is the cluster's
   */
  static Coherence join(
      String name, List<String> peers, String host, boolean stores, Settings all) {
    String port = String.valueOf(Address.port(peers.get(0)));
    Map<String, String> properties = new TreeMap<>();
    properties.put("coherence.cluster", "pyrometer-" + port);
    properties.put("coherence.member", name);
    properties.put(
        "coherence.wka",
        peers.stream().map(Address::host).distinct().collect(Collectors.joining(",")));
    properties.put("coherence.clusterport", port);
    // Without these two, it listens on all interfaces.
    properties.put("coherence.discovery.address", host);
    properties.put("coherence.health.http.address", host);
    properties.put("coherence.localhost", host);
    properties.put("coherence.management", "none");
    properties.put("coherence.distributed.localstorage", String.valueOf(stores));
    properties.put("coherence.distributed.backupcount", all.text(CoherenceDriver.BACKUPS.name()));
    properties.put("coherence.distributed.partitions", all.text(CoherenceDriver.PARTITIONS.name()));
    properties.put("coherence.shutdownhook", "none");
    properties.put("coherence.log", "stderr");
    properties.put("coherence.log.level", "3");
    properties.forEach(System::setProperty);
    try {
      Coherence member = Coherence.clusterMember();
      return member.start().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The start of the Coherence member was interrupted.", e);
    } catch (java.util.concurrent.ExecutionException | CompletionException | TimeoutException e) {
      throw new GridException("The Coherence member did not start: " + e, e);
    }
  }

  static DistributedCacheService service(Coherence member) {
    Service service = member.getCluster().getService(SERVICE);
    if (service instanceof DistributedCacheService distributed) {
      return distributed;
    }
    throw new GridException("The Coherence service '%s' does not run.".formatted(SERVICE));
  }

  /** Whether so many members store data, and every partition has all its copies. */
  static boolean isComplete(Coherence member, int servers) {
    DistributedCacheService service = service(member);
    if (service.getOwnershipEnabledMembers().size() < servers) {
      return false;
    }
    int copies = Math.min(service.getBackupCount(), servers - 1);
    for (int partition = 0; partition < service.getPartitionCount(); partition++) {
      if (service.getPartitionOwner(partition) == null) {
        return false;
      }
      for (int copy = 1; copy <= copies; copy++) {
        if (service.getBackupOwner(partition, copy) == null) {
          return false;
        }
      }
    }
    return true;
  }

  static Map<String, String> configuration(Coherence member) {
    DistributedCacheService service = service(member);
    Map<String, String> facts = new TreeMap<>();
    facts.put("server.partitions", String.valueOf(service.getPartitionCount()));
    facts.put("cache.backups", String.valueOf(service.getBackupCount()));
    facts.put("cluster.version", com.tangosol.net.CacheFactory.VERSION);
    return facts;
  }
}
