package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/**
 * Faults in numbers on one long-lived cluster: server JVMs killed, servers stopped gracefully, a
 * thick client cut off until it has left the cluster, all connections of thin clients broken. Every
 * fault meets writers to caches of each atomicity and write synchronization at once, over each kind
 * of client that it concerns. After it the writers are flushed and all keys are read back, so that
 * a loss cannot hide behind later writes; and again when the server has come back.
 */
final class FaultCampaign {
  private final TestCluster cluster;
  private final int perSecond;
  private final List<CacheWriteSynchronizationMode> modes;

  /**
   * @param perSecond writes of each writer
   * @param modes of the caches, each with every atomicity
   */
  FaultCampaign(TestCluster cluster, int perSecond, CacheWriteSynchronizationMode... modes) {
    this.cluster = cluster;
    this.perSecond = perSecond;
    this.modes = List.of(modes);
  }

  /** Causes a fault so many times; what became of the writes of each writer. */
  List<CampaignWriter.Row> run(String fault, int times) throws Exception {
    return switch (fault) {
      case "kills" -> servers("kills", times, cluster::kill);
      case "stops" -> servers("stops", times, cluster::stop);
      case "reconnects" -> reconnects(times);
      case "relays" -> relays(times);
      default -> throw new IllegalArgumentException("no such fault: " + fault);
    };
  }

  /** Writes go on while a fault happens. */
  private interface During {
    void fault() throws Exception;
  }

  private interface End {
    void of(int node) throws IOException, InterruptedException;
  }

  /** The writers that a fault meets, and the client that judges them. */
  private final class Fleet implements AutoCloseable {
    private final String fault;
    private final Ignite judge = cluster.thick("judge", new TcpDiscoverySpi());
    private final List<CampaignWriter> writers = new ArrayList<>();

    Fleet(String fault) {
      this.fault = fault;
    }

    void add(String client, Function<String, IgniteWriterBuilder<Long, Object>> to) {
      CampaignWriter.Kind.all(client, modes)
          .forEach(kind -> writers.add(new CampaignWriter(kind, fault, judge, to, perSecond)));
    }

    void add(Ignite thick) {
      add("thick", name -> IgniteWriter.to(thick.<Long, Object>cache(name)));
    }

    void add(String client, IgniteClient thin) {
      add(client, name -> IgniteWriter.to(thin.<Long, Object>cache(name)));
    }

    void awaitWritten() throws InterruptedException {
      for (CampaignWriter writer : writers) {
        writer.awaitWritten(perSecond / 5);
      }
    }

    /** Writes while a fault happens, then stops at once and reads everything back. */
    void meet(During during) throws Exception {
      writers.forEach(CampaignWriter::start);
      try {
        awaitWritten();
        during.fault();
      } finally {
        writers.forEach(CampaignWriter::stop);
      }
      for (CampaignWriter writer : writers) {
        writer.check();
      }
    }

    /**
     * Returns whether another node may die: every partition has all its copies, none of which is on
     * its way. Primary partitions alone are no sign of it: Ignite hands them over as soon as their
     * new owners are complete, while backups elsewhere may not be.
     */
    boolean isRebalanced() {
      return writers.stream()
          .allMatch(writer -> ServerCopies.areComplete(judge, writer.cacheName(), cluster.nodes()));
    }

    List<CampaignWriter.Row> rows(int times) {
      return writers.stream().map(writer -> writer.row(fault, times)).toList();
    }

    @Override
    public void close() {
      writers.forEach(CampaignWriter::close);
      judge.close();
    }
  }

  private List<CampaignWriter.Row> servers(String fault, int times, End end) throws Exception {
    try (Ignite thick = cluster.thick();
        IgniteClient thin = cluster.thin();
        Fleet fleet = new Fleet(fault)) {
      fleet.add(thick);
      fleet.add("thin", thin);
      for (int time = 0; time < times; time++) {
        int node = time % cluster.nodes();
        fleet.meet(() -> end.of(node));
        fleet.meet(
            () -> {
              cluster.restart(node);
              Eventually.holds("rebalanced", fleet::isRebalanced);
              fleet.awaitWritten();
            });
      }
      return fleet.rows(times);
    }
  }

  private List<CampaignWriter.Row> reconnects(int times) throws Exception {
    CutDiscovery discovery = new CutDiscovery();
    try (Ignite thick = cluster.thick("client", discovery);
        Fleet fleet = new Fleet("reconnects")) {
      fleet.add(thick);
      for (int time = 0; time < times; time++) {
        fleet.meet(
            () -> {
              UUID before = thick.cluster().localNode().id();
              discovery.cut();
              Eventually.holds("left", () -> fleet.judge.cluster().node(before) == null);
              discovery.heal();
              Eventually.holds("joined again", () -> hasJoinedAgain(thick, before));
              fleet.awaitWritten();
            });
      }
      return fleet.rows(times);
    }
  }

  /** A client that has left the cluster has a new id when it has joined again. */
  private static boolean hasJoinedAgain(Ignite thick, UUID before) {
    try {
      return !thick.cluster().localNode().id().equals(before);
    } catch (RuntimeException disconnected) {
      return false;
    }
  }

  private List<CampaignWriter.Row> relays(int times) throws Exception {
    List<Relay> relays = new ArrayList<>();
    for (int node = 0; node < cluster.nodes(); node++) {
      relays.add(new Relay(cluster.thinPort(node)));
    }
    try (IgniteClient aware = Ignition.startClient(through(relays));
        IgniteClient unaware =
            Ignition.startClient(through(relays).setPartitionAwarenessEnabled(false));
        Fleet fleet = new Fleet("relays")) {
      fleet.add("thin", aware);
      fleet.add("thin, unaware", unaware);
      for (int time = 0; time < times; time++) {
        fleet.meet(
            () -> {
              for (Relay relay : relays) {
                relay.breakClients(false);
              }
              fleet.awaitWritten();
            });
      }
      return fleet.rows(times);
    } finally {
      for (Relay relay : relays) {
        relay.close();
      }
    }
  }

  private static ClientConfiguration through(List<Relay> relays) {
    return TestCluster.thinConfiguration()
        .setAddresses(
            relays.stream().map(relay -> "127.0.0.1:" + relay.port()).toArray(String[]::new))
        .setClusterDiscoveryEnabled(false)
        .setReconnectThrottlingPeriod(0); // or all would wait for Ignite's pauses
  }
}
