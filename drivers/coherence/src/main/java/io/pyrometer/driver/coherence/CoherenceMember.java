package io.pyrometer.driver.coherence;

import com.tangosol.internal.net.service.grid.PartitionedCacheDependencies;
import com.tangosol.net.CacheFactory;
import com.tangosol.net.Coherence;
import com.tangosol.net.DistributedCacheService;
import com.tangosol.net.NamedMap;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.chaos.Promise;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.JvmServer;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A member of the cluster: that of a server stores data, that of an agent none. Every trial has a
 * map of its own.
 */
record CoherenceMember(Coherence member) implements GridSession, ChaosGrid {
  /** Service of Coherence's default cache configuration. */
  private static final String SERVICE = "PartitionedCache";

  private static final int START_SECONDS = 50;

  static GridSession join(Command.OpenSession spec) {
    String host = Address.facing(spec.peers().get(0));
    return new CoherenceMember(
        join(
            "agent-" + spec.index(),
            spec.peers(),
            host,
            false,
            spec.workFolder(),
            spec.settings()));
  }

  static RunningServer start(Command.StartServer spec) {
    String host = Address.host(spec.peers().get(spec.index()));
    Coherence member =
        join("node-" + spec.index(), spec.peers(), host, true, spec.workFolder(), spec.settings());
    return new JvmServer(
        Optional.empty(),
        () -> configuration(member),
        () -> storing(member),
        servers -> isComplete(member, servers),
        member::close);
  }

  /**
   * Joins the cluster whose members are found at some addresses. Coherence is configured by system
   * properties, so a JVM can be a member of one cluster alone.
   *
   * @param peers host:port of every server; the first one's port is the cluster's
   * @param workFolder where what is persisted goes
   */
  private static Coherence join(
      String name,
      List<String> peers,
      String host,
      boolean stores,
      String workFolder,
      Settings all) {
    String port = String.valueOf(Address.port(peers.get(0)));
    String hosts = peers.stream().map(Address::host).distinct().collect(Collectors.joining(","));
    Map.ofEntries(
            Map.entry("cluster", "pyrometer-" + port),
            Map.entry("member", name),
            Map.entry("wka", hosts),
            Map.entry("clusterport", port),
            // Without these two, it listens on all interfaces.
            Map.entry("discovery.address", host),
            Map.entry("health.http.address", host),
            Map.entry("localhost", host),
            Map.entry("management", "none"),
            Map.entry("distributed.localstorage", String.valueOf(stores)),
            Map.entry("distributed.backupcount", all.get(CoherenceDriver.BACKUPS).toString()),
            Map.entry("distributed.partitions", all.get(CoherenceDriver.PARTITIONS).toString()),
            Map.entry("distributed.persistence.base.dir", workFolder + "/persistence"),
            Map.entry("distributed.asyncbackup", all.get(CoherenceDriver.ASYNC_BACKUP).toString()),
            Map.entry("distributed.persistence.mode", all.get(CoherenceDriver.PERSISTENCE)),
            Map.entry("profile", all.get(CoherenceDriver.PROFILE)),
            Map.entry("shutdownhook", "none"),
            Map.entry("log", "stderr"),
            Map.entry("log.level", "3"))
        .forEach((property, value) -> System.setProperty("coherence." + property, value));
    all.properties().forEach(System::setProperty);
    try {
      return Coherence.clusterMember().start().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The start of the Coherence member was interrupted.", e);
    } catch (ExecutionException | CompletionException | TimeoutException e) {
      throw GridException.of(
          "The Coherence member did not start: %s.",
          GridException.withProperties(GridException.cause(e), all), e);
    }
  }

  private static DistributedCacheService service(Coherence member) {
    if (member.getCluster().getService(SERVICE) instanceof DistributedCacheService distributed) {
      return distributed;
    }
    throw GridException.of("The Coherence service '%s' does not run.", SERVICE);
  }

  private static int storing(Coherence member) {
    return service(member).getOwnershipEnabledMembers().size();
  }

  /** Returns whether so many members store data, and every partition has all its copies. */
  static boolean isComplete(Coherence member, int servers) {
    if (storing(member) < servers) {
      return false;
    }
    DistributedCacheService service = service(member);
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
    if (service.getDependencies() instanceof PartitionedCacheDependencies partitioned) {
      facts.put("server.async-backup", String.valueOf(partitioned.isAsyncBackupEnabled()));
      facts.put(
          "server.persistence-mode", partitioned.getPersistenceDependencies().getPersistenceMode());
      facts.put("server.threads-max", String.valueOf(partitioned.getWorkerThreadCountMax()));
    }
    facts.put("server.partitions", String.valueOf(service.getPartitionCount()));
    facts.put("cache.backups", String.valueOf(service.getBackupCount()));
    facts.put("cluster.version", CacheFactory.VERSION);
    return facts;
  }

  @Override
  public OptionalInt servers() {
    return OptionalInt.of(storing(member));
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    NamedMap<Long, byte[]> map = member.getSession().getMap(trial.cacheName());
    if (creator) {
      map.truncate();
    }
    return new CoherenceTrial(member, map, trial, records);
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    NamedMap<Long, Long> map = member.getSession().getMap(trial.cacheName());
    map.truncate();
    return new CoherenceChaos(
        member,
        map,
        Promise.ofPrimaryCopies(trial, new CoherenceDriver().describe().data(trial.settings())));
  }

  @Override
  public void close() {
    member.close();
  }
}
