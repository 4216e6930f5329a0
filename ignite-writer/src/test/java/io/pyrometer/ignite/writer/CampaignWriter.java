package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;

/**
 * One writer of a campaign of faults, on a cache of its own with one backup. It writes versions
 * over repeated keys, and each of other keys once: those are removed by another client as soon as
 * their write is acknowledged, so that a key that comes back was written again.
 */
final class CampaignWriter {
  private static final int KEYS = 5_000;
  private static final Duration IN_DOUBT = Duration.ofSeconds(3); // servers' queues are short

  /** A kind of client and of cache. */
  record Kind(String client, CacheAtomicityMode atomicity, CacheWriteSynchronizationMode mode) {
    /** Every kind of cache with one of some modes, over one client. */
    static Stream<Kind> all(String client, List<CacheWriteSynchronizationMode> modes) {
      return Stream.of(CacheAtomicityMode.ATOMIC, CacheAtomicityMode.TRANSACTIONAL)
          .flatMap(atomicity -> modes.stream().map(mode -> new Kind(client, atomicity, mode)));
    }
  }

  /**
   * Outcome of the writes of one writer.
   *
   * @param lost keys that held an older version than the newest acknowledged one
   * @param stale keys whose last write was acknowledged and that held another
   * @param repeated keys that came back after they had been written, acknowledged and removed
   * @param open futures that were not complete after a flush
   * @param pending entries that the writer counted after its last flush
   * @param why the cause of the last failure, or empty
   */
  record Row(
      String fault,
      int times,
      Kind kind,
      long writes,
      long acknowledged,
      long failed,
      long lost,
      long stale,
      long repeated,
      long open,
      long pending,
      String why) {
    /**
     * Returns whether everything is as promised: with PRIMARY_SYNC a server may take writes with
     * it.
     */
    boolean isRight() {
      boolean serverLeft = fault.equals("kills") || fault.equals("stops");
      boolean mayLose = serverLeft && kind.mode == CacheWriteSynchronizationMode.PRIMARY_SYNC;
      return open == 0 && pending == 0 && (mayLose || lost + stale + repeated == 0);
    }
  }

  private final Kind kind;
  private final IgniteCache<Long, Object> cache;
  private final IgniteWriter<Long, Object> writer;
  private final VersionedWrites writes;
  private final long onceNanos;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Long> removed = new ArrayList<>();
  private List<Thread> threads = List.of();
  private VersionedWrites.Outcome outcome = new VersionedWrites.Outcome(0, 0, 0, 0, 0);
  private long once;
  private long onceAcknowledged;
  private long onceFailed;
  private long lost;
  private long stale;
  private long repeated;
  private volatile String why = "";

  /**
   * Creates the cache and opens the writer.
   *
   * @param judge the client that creates the cache, removes keys and reads them back
   * @param to begins a writer to a cache of a name
   * @param perSecond writes; a tenth as many of the keys that are written once
   */
  CampaignWriter(
      Kind kind,
      String fault,
      Ignite judge,
      Function<String, IgniteWriterBuilder<Long, Object>> to,
      int perSecond) {
    this.kind = kind;
    this.writes = new VersionedWrites(KEYS, Math.max(50, perSecond / 20), perSecond);
    this.onceNanos = 10_000_000_000L / perSecond;
    String name = String.join("-", fault, kind.client, kind.atomicity + "", kind.mode + "");
    cache =
        judge.getOrCreateCache(
            TestCluster.<Long, Object>cache(name)
                .setBackups(1)
                .setReadFromBackup(false) // which lags behind with PRIMARY_SYNC
                .setRebalanceMode(CacheRebalanceMode.SYNC)
                .setAtomicityMode(kind.atomicity)
                .setWriteSynchronizationMode(kind.mode));
    writer =
        to.apply(name)
            .inDoubtFor(IN_DOUBT)
            .onFailure(failed -> why = " " + Fault.chain(failed.cause()))
            .open();
  }

  String cacheName() {
    return cache.getName();
  }

  void start() {
    stopped.set(false);
    Thread removing = new Thread(this::writeOnce, "written-once");
    removing.start();
    threads = List.of(writes.start(writer), removing);
  }

  private void writeOnce() {
    while (!stopped.get()) {
      long key = - ++once;
      try {
        writer.write(key, "once").join();
        onceAcknowledged++;
        remove(key);
        removed.add(key);
      } catch (RuntimeException failed) {
        onceFailed++;
      }
      LockSupport.parkNanos(onceNanos);
    }
  }

  private void remove(long key) {
    while (true) {
      try {
        cache.remove(key);
        return;
      } catch (CacheException | IgniteException serverLeft) {
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  void awaitWritten(long more) throws InterruptedException {
    writes.awaitWritten(more);
  }

  void stop() {
    stopped.set(true);
    writes.stop();
  }

  /** Waits for its threads and for all writes, and compares the cache with what was promised. */
  void check() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    writer.flushAsync().handle((done, error) -> done).join();
    outcome = writes.outcome(cache);
    lost += outcome.lost();
    stale += outcome.stale();
    List<Long> back = List.copyOf(cache.getAll(new HashSet<>(removed)).keySet());
    repeated += back.size();
    back.forEach(this::remove);
    removed.clear();
  }

  Row row(String fault, int times) {
    long all = outcome.writes() + once;
    long acknowledged = outcome.acknowledged() + onceAcknowledged;
    long failed = outcome.failed() + onceFailed;
    return new Row(
        fault,
        times,
        kind,
        all,
        acknowledged,
        failed,
        lost,
        stale,
        repeated,
        all - acknowledged - failed,
        writer.stats().pendingEntries(),
        why);
  }

  /** Closes the writer and destroys its cache. */
  void close() {
    try {
      writer.close();
    } catch (WriteFailedException counted) {
      // its failures are in the row
    }
    cache.destroy();
  }
}
