package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/**
 * Faults in numbers on one long-lived cluster, while writers write versions over 20,000 repeated
 * keys with one backup: server JVMs killed, servers stopped gracefully, thick clients cut off until
 * they have left the cluster, all connections of a thin client broken. After each fault the writer
 * is flushed and all keys are read back; a loss cannot hide behind later writes.
 */
final class FaultCampaign {
  private static final int KEYS = 20_000;
  private static final int SERVERS = 3;
  private static final int CLIENTS = 5;
  private static final int PARTITIONS = 1_024;
  private static final long CUT_MILLIS = 9_000;
  private static final long DELAY_MILLIS = 30_000;
  private static final Set<String> FAULTS =
      Set.of("kills", "overlaps", "stops", "plain-stops", "reconnects", "relays");

  private final TestCluster cluster;
  private final CacheWriteSynchronizationMode mode;
  private final CacheAtomicityMode atomicity;
  private final boolean loud;

  FaultCampaign(TestCluster cluster, CacheWriteSynchronizationMode mode, boolean loud) {
    this(cluster, mode, CacheAtomicityMode.ATOMIC, loud);
  }

  FaultCampaign(
      TestCluster cluster,
      CacheWriteSynchronizationMode mode,
      CacheAtomicityMode atomicity,
      boolean loud) {
    this.cluster = cluster;
    this.mode = mode;
    this.atomicity = atomicity;
    this.loud = loud;
  }

  /**
   * Runs what is asked for, one after the other, and prints what was done and what was lost; exits
   * with 1 if anything was, with 2 if it does not know what is asked for.
   *
   * @param args one list like {@code kills=100,stops=50,reconnects=50,relays=50,soak=600}, the soak
   *     in seconds; {@code plain-stops} for graceful stops under {@code putAll} without the writer;
   *     {@code overlaps} for kills of a second server while copies are incomplete; {@code
   *     mode=PRIMARY_SYNC} for another write synchronization than FULL_SYNC, {@code
   *     atomicity=TRANSACTIONAL} for transactional caches
   */
  public static void main(String[] args) {
    int exit = 2;
    try {
      exit = run(args.length == 0 ? "" : args[0]) ? 0 : 1;
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
    } catch (Exception e) {
      System.out.println("the campaign broke off: " + e);
    }
    Runtime.getRuntime().halt(exit); // Ignite's own threads may outlive a client that was cut off
  }

  private static boolean run(String list) throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : list.split(",")) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (equals < 0
          || !(FAULTS.contains(name) || Set.of("soak", "mode", "atomicity").contains(name))) {
        throw new IllegalArgumentException(
            "'"
                + option
                + "' is no fault with a number, such as kills=100, stops=50,"
                + " reconnects=50, relays=50 or soak=600 (seconds), nor mode=PRIMARY_SYNC or atomicity=TRANSACTIONAL");
      }
      options.put(name, option.substring(equals + 1));
    }
    CacheWriteSynchronizationMode mode =
        CacheWriteSynchronizationMode.valueOf(
            Optional.ofNullable(options.remove("mode")).orElse("FULL_SYNC"));
    CacheAtomicityMode atomicity =
        CacheAtomicityMode.valueOf(
            Optional.ofNullable(options.remove("atomicity")).orElse("ATOMIC"));
    boolean nothingLost = true;
    try (TestCluster cluster = TestCluster.start(SERVERS)) {
      FaultCampaign campaign = new FaultCampaign(cluster, mode, atomicity, true);
      for (Map.Entry<String, String> option : options.entrySet()) {
        int number = Integer.parseInt(option.getValue());
        if (option.getKey().equals("soak")) {
          nothingLost &= new Soak(cluster, mode).run(number);
        } else {
          VersionedWrites.Outcome outcome = campaign.run(option.getKey(), number);
          nothingLost &= outcome.lost() == 0 && outcome.stale() == 0;
        }
      }
    }
    return nothingLost;
  }

  /** Causes a fault so many times and reads everything back after each. */
  VersionedWrites.Outcome run(String fault, int times) throws Exception {
    long start = System.nanoTime();
    VersionedWrites.Outcome outcome =
        switch (fault) {
          case "overlaps" -> overlaps(times);
          case "kills" -> servers("kills", times, cluster::kill);
          case "stops" -> servers("stops", times, cluster::stop);
          case "plain-stops" -> plainStops(times);
          case "reconnects" -> reconnects(times);
          case "relays" -> relays(times);
          default -> throw new IllegalArgumentException("no such fault: " + fault);
        };
    say(
        "%s=%d in %s: %s; %d s",
        fault, times, mode, outcome, (System.nanoTime() - start) / 1_000_000_000);
    return outcome;
  }

  private void say(String format, Object... arguments) {
    if (loud) {
      System.out.printf(Locale.ROOT, format + "%n", arguments);
      System.out.flush();
    }
  }

  private IgniteCache<Long, Object> cache(Ignite thick, String name) {
    return thick.getOrCreateCache(
        new CacheConfiguration<Long, Object>(name)
            .setBackups(1)
            .setRebalanceMode(CacheRebalanceMode.SYNC)
            .setAtomicityMode(atomicity)
            .setWriteSynchronizationMode(mode));
  }

  /** Writes go on while a fault happens. */
  private interface During {
    void fault() throws Exception;
  }

  /** Stops writing after a fault, and compares the cache with what was acknowledged so far. */
  private static VersionedWrites.Outcome readBack(
      VersionedWrites writes,
      IgniteWriter<Long, Object> writer,
      IgniteCache<Long, Object> cache,
      During during)
      throws Exception {
    Thread writing = writes.start(writer);
    try {
      during.fault();
    } finally {
      writes.stop(writing);
    }
    writer.flushAsync().handle((done, error) -> done).join();
    return writes.outcome(cache);
  }

  /** Sums up lost and stale keys over all faults; what was written counts once, as last seen. */
  private static VersionedWrites.Outcome sum(
      VersionedWrites.Outcome before, VersionedWrites.Outcome now) {
    return new VersionedWrites.Outcome(
        now.writes(),
        now.acknowledged(),
        now.failed(),
        before.lost() + now.lost(),
        before.stale() + now.stale());
  }

  private interface End {
    void of(int node) throws IOException, InterruptedException;
  }

  private VersionedWrites.Outcome servers(String fault, int times, End end) throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    VersionedWrites.Outcome total = VersionedWrites.Outcome.NOTHING;
    try (Ignite thick = cluster.thick("client-" + fault, new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache = cache(thick, fault);
      try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
        for (int time = 0; time < times; time++) {
          int node = time % cluster.nodes();
          During fall =
              () -> {
                writes.awaitWritten(20_000);
                end.of(node);
              };
          During comeBack =
              () -> {
                writes.awaitWritten(20_000);
                writes.slow(true);
                cluster.restart(node);
                Eventually.holds("rebalanced", () -> isRebalanced(thick, fault));
                writes.slow(false);
                writes.awaitWritten(20_000);
              };
          VersionedWrites.Outcome fallen = readBack(writes, writer, cache, fall);
          sayHarmed(writes, thick, cache);
          VersionedWrites.Outcome now = readBack(writes, writer, cache, comeBack);
          total = sum(sum(total, fallen), now);
          say("  %s %d: %s", fault, time + 1, total);
          sayHarmed(writes, thick, cache);
        }
        say("  %s", writer.stats());
      }
      cache.destroy();
    }
    return total;
  }

  private void sayHarmed(VersionedWrites writes, Ignite thick, IgniteCache<Long, Object> cache) {
    Map<Long, String> harmed = writes.harmed(cache);
    harmed.forEach((key, what) -> say("    key %d: %s", key, what));
    if (!harmed.isEmpty()) {
      ServerCopies.versions(thick, cache.getName(), harmed.keySet())
          .forEach(line -> say("    %s", line));
    }
  }

  /**
   * Graceful stops while plain {@code putAll} calls are under way, all keys read back after each.
   */
  private VersionedWrites.Outcome plainStops(int times) throws Exception {
    long lost = 0;
    try (Ignite thick = cluster.thick("client-plain-stops", new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache = cache(thick, "plain-stops");
      PlainPutAll writes = new PlainPutAll(cache, KEYS);
      for (int time = 0; time < times; time++) {
        int node = time % cluster.nodes();
        writes.start();
        writes.awaitWritten(10_000);
        cluster.stop(node);
        writes.stop(); // at once: later writes would hide a loss
        List<Long> keys = writes.lost();
        lost += keys.size();
        say("  plain-stops %d: %d keys lost, %d in all", time + 1, keys.size(), lost);
        cluster.restart(node);
        Eventually.holds("rebalanced", () -> isRebalanced(thick, "plain-stops"));
      }
      cache.destroy();
      return new VersionedWrites.Outcome(
          writes.acknowledged(), writes.acknowledged(), writes.failedCalls(), lost, lost);
    }
  }

  /**
   * Whether another node may die: every node has primary partitions again, which the client sees,
   * and no copy is still on its way. Primary partitions alone are no sign of it: Ignite hands them
   * over as soon as their new owners are complete, while backups elsewhere may not be.
   */
  private boolean isRebalanced(Ignite thick, String cache) {
    long primaries =
        IntStream.range(0, PARTITIONS)
            .mapToObj(p -> thick.<Long>affinity(cache).mapPartitionToNode(p))
            .map(node -> node == null ? new UUID(0, 0) : node.id())
            .distinct()
            .count();
    return primaries == cluster.nodes()
        && ServerCopies.of(thick, cache).stream().allMatch(copies -> copies.moving == 0);
  }

  /** What {@link #overlaps} saw at the second kills, over all of them. */
  record Overlap(long singleCopies, long lostInSingleCopies) {}

  private Overlap overlap = new Overlap(0, 0);

  Overlap overlap() {
    return overlap;
  }

  /**
   * Kills a second server while the copies that the first kill made necessary are still on their
   * way: rebalancing is delayed until then. Keys of partitions whose only complete copy is on the
   * second server are counted apart; the others must not be lost.
   */
  private VersionedWrites.Outcome overlaps(int times) throws Exception {
    VersionedWrites.Outcome total = VersionedWrites.Outcome.NOTHING;
    try (Ignite thick = cluster.thick("client-overlaps", new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache = delayedCache(thick, "overlaps");
      Affinity<Long> affinity = thick.affinity("overlaps");
      try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
        for (int time = 0; time < times; time++) {
          int first = time % cluster.nodes();
          int second = (time + 1) % cluster.nodes();
          cache.clear(); // of what the time before has lost
          VersionedWrites writes = new VersionedWrites(KEYS);
          readBack(
              writes,
              writer,
              cache,
              () -> {
                writes.awaitWritten(20_000);
                writes.slow(true); // or else all keys would be written again
                writer.flush();
                cluster.kill(first);
                writes.awaitWritten(2_000);
              });
          Collection<ServerCopies> copies = ServerCopies.of(thick, "overlaps");
          BitSet single = new BitSet();
          BitSet elsewhere = new BitSet();
          for (ServerCopies of : copies) {
            (of.node.equals("server-" + second) ? single : elsewhere).or(of.complete);
          }
          single.andNot(elsewhere);
          cluster.kill(second);
          VersionedWrites.Outcome safe =
              writes.outcome(cache, key -> !single.get(affinity.partition(key)));
          VersionedWrites.Outcome alone =
              writes.outcome(cache, key -> single.get(affinity.partition(key)));
          overlap =
              new Overlap(
                  overlap.singleCopies() + single.cardinality(),
                  overlap.lostInSingleCopies() + alone.lost());
          total = sum(total, safe);
          say(
              "  overlaps %d: at the second kill %d of %d partitions had their only complete copy"
                  + " on the server killed, %d copies were on their way; lost keys of those %d, of"
                  + " all others %d",
              time + 1,
              single.cardinality(),
              PARTITIONS,
              copies.stream().mapToInt(of -> of.moving).sum(),
              alone.lost(),
              safe.lost());
          if (time + 1 < times) {
            cluster.restart(first);
            cluster.restart(second);
            Eventually.holds("rebalanced", () -> isRebalanced(thick, "overlaps"));
          }
        }
      }
      cache.destroy();
    }
    return total;
  }

  @SuppressWarnings("deprecation") // the only way to have copies incomplete for a known time
  private IgniteCache<Long, Object> delayedCache(Ignite thick, String name) {
    return thick.getOrCreateCache(
        new CacheConfiguration<Long, Object>(name)
            .setBackups(1)
            .setRebalanceMode(CacheRebalanceMode.ASYNC)
            .setRebalanceDelay(DELAY_MILLIS)
            .setWriteSynchronizationMode(mode));
  }

  /** Several clients at once, each with a cache of its own, because each is away for so long. */
  private VersionedWrites.Outcome reconnects(int times) throws Exception {
    int clients = Math.min(CLIENTS, times);
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      List<Callable<VersionedWrites.Outcome>> all = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int number = client;
        int share = times / clients + (client < times % clients ? 1 : 0);
        all.add(() -> reconnects(number, share));
      }
      VersionedWrites.Outcome total = VersionedWrites.Outcome.NOTHING;
      for (Future<VersionedWrites.Outcome> one : pool.invokeAll(all)) {
        total = total.plus(one.get());
      }
      return total;
    } finally {
      pool.shutdownNow();
    }
  }

  private VersionedWrites.Outcome reconnects(int client, int times) throws Exception {
    CutDiscovery discovery = new CutDiscovery();
    VersionedWrites writes = new VersionedWrites(KEYS);
    VersionedWrites.Outcome total = VersionedWrites.Outcome.NOTHING;
    try (Ignite thick = cluster.thick("client-reconnects-" + client, discovery)) {
      IgniteCache<Long, Object> cache = cache(thick, "reconnects-" + client);
      try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
        for (int time = 0; time < times; time++) {
          During away =
              () -> {
                writes.awaitWritten(20_000);
                UUID before = thick.cluster().localNode().id();
                long start = System.nanoTime();
                discovery.cut();
                Thread.sleep(CUT_MILLIS);
                discovery.heal();
                Eventually.holds("joined again", () -> hasJoinedAgain(thick, before));
                say("  away for %d ms", (System.nanoTime() - start) / 1_000_000);
                writes.awaitWritten(20_000);
              };
          total = sum(total, readBack(writes, writer, cache, away));
        }
        say("  client %d: %s %s", client, total, writer.stats());
      }
      cache.destroy();
    }
    return total;
  }

  /** A client that has left the cluster has a new id when it has joined again. */
  private static boolean hasJoinedAgain(Ignite thick, UUID before) {
    try {
      return !thick.cluster().localNode().id().equals(before);
    } catch (RuntimeException disconnected) {
      return false;
    }
  }

  private VersionedWrites.Outcome relays(int times) throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    VersionedWrites.Outcome total = VersionedWrites.Outcome.NOTHING;
    List<Relay> relays = new ArrayList<>();
    for (int node = 0; node < cluster.nodes(); node++) {
      relays.add(new Relay(cluster.thinPort(node)));
    }
    String[] addresses =
        relays.stream().map(relay -> "127.0.0.1:" + relay.port()).toArray(String[]::new);
    try (Ignite thick = cluster.thick("client-relays", new TcpDiscoverySpi());
        IgniteClient thin =
            Ignition.startClient(
                TestCluster.thinConfiguration()
                    .setAddresses(addresses)
                    .setPartitionAwarenessEnabled(false)
                    .setClusterDiscoveryEnabled(false)
                    .setReconnectThrottlingPeriod(0))) { // or all would wait for Ignite's pauses
      IgniteCache<Long, Object> cache = cache(thick, "relays");
      IgniteWriter<Long, Object> writer =
          IgniteWriter.to(thin.<Long, Object>cache("relays"))
              .inDoubtFor(Duration.ofSeconds(2)) // by then servers have worked off their queues
              .open();
      for (int time = 0; time < times; time++) {
        During broken =
            () -> {
              writes.awaitWritten(10_000);
              for (Relay relay : relays) {
                relay.breakClients(false);
              }
              writes.awaitWritten(10_000);
            };
        total = sum(total, readBack(writes, writer, cache, broken));
        say("  relays %d: %s", time + 1, total);
      }
      say("  %s", writer.stats());
      writer.close();
      cache.destroy();
    } finally {
      for (Relay relay : relays) {
        relay.close();
      }
    }
    return total;
  }
}
