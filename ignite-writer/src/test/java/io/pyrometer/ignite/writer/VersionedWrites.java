package io.pyrometer.ignite.writer;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.ignite.IgniteCache;

/**
 * Writes versions over repeated keys until told to stop, noting what was acknowledged. It may be
 * started again, and goes on with newer versions.
 */
final class VersionedWrites {
  /**
   * Outcome of the writes.
   *
   * @param lost keys whose value is older than the newest version that was acknowledged
   * @param stale keys whose last write was acknowledged and that hold another version
   */
  record Outcome(long writes, long acknowledged, long failed, long lost, long stale) {}

  private final int keys;
  private final int burst;
  private final int perSecond;
  private final long[] last;
  private final AtomicLongArray acknowledged;
  private final AtomicLong acknowledgedCount = new AtomicLong();
  private final AtomicLong failedCount = new AtomicLong();
  private final AtomicBoolean stop = new AtomicBoolean();
  private volatile long written;

  /** Writes as fast as it can. */
  VersionedWrites(int keys) {
    this(keys, Integer.MAX_VALUE, 1);
  }

  /** Pauses after each burst, so that it writes at most so many a second. */
  VersionedWrites(int keys, int burst, int perSecond) {
    this.keys = keys;
    this.burst = burst;
    this.perSecond = perSecond;
    this.last = new long[keys];
    this.acknowledged = new AtomicLongArray(keys);
  }

  Thread start(IgniteWriter<Long, Object> writer) {
    stop.set(false);
    Thread thread = new Thread(() -> run(writer), "versioned-writes");
    thread.start();
    return thread;
  }

  private void run(IgniteWriter<Long, Object> writer) {
    Random random = new Random(written);
    for (long version = written + 1; !stop.get(); version++) {
      int key = random.nextInt(keys);
      long promised = version;
      last[key] = version;
      writer
          .write((long) key, new StockOrder(version))
          .whenComplete(
              (done, error) -> {
                if (error == null) {
                  acknowledged.accumulateAndGet(key, promised, Math::max);
                  acknowledgedCount.incrementAndGet();
                } else {
                  failedCount.incrementAndGet();
                }
              });
      written = version;
      if (version % burst == 0) {
        LockSupport.parkNanos(1_000_000_000L * burst / perSecond);
      }
    }
  }

  void awaitWritten(long more) throws InterruptedException {
    long goal = written + more;
    Eventually.holds("writes go on", () -> written >= goal);
  }

  void stop() {
    stop.set(true);
  }

  void stop(Thread thread) throws InterruptedException {
    stop();
    thread.join();
  }

  /** After a flush without failures: each key's last version is there, and all was promised. */
  void checkAllThere(IgniteCache<Long, Object> cache) {
    Outcome outcome = outcome(cache);
    assertThat(outcome.failed()).as("%s", outcome).isZero();
    assertThat(outcome.acknowledged()).as("%s", outcome).isEqualTo(outcome.writes());
    assertThat(outcome.lost()).as("%s", outcome).isZero();
    assertThat(outcome.stale()).as("%s", outcome).isZero();
  }

  /** Compares the cache with what was acknowledged, after a flush; a loss counts once. */
  Outcome outcome(IgniteCache<Long, Object> cache) {
    Map<Long, Object> there = cache.getAll(LongStream.range(0, keys).boxed().collect(toSet()));
    long lost = 0;
    long stale = 0;
    for (int key = 0; key < keys; key++) {
      long version = there.get((long) key) instanceof StockOrder order ? order.version() : 0;
      long promised = acknowledged.get(key);
      if (version < promised) {
        lost++;
        acknowledged.set(key, version);
      }
      stale += promised == last[key] && version != promised ? 1 : 0;
    }
    return new Outcome(written, acknowledgedCount.get(), failedCount.get(), lost, stale);
  }
}
