package io.pyrometer.ignite.writer;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.apache.ignite.IgniteCache;

/** Writes growing versions to random keys until it is told to stop, and notes what is promised. */
final class VersionedWrites {
  private final int keys;
  private final long[] last;
  private final AtomicLongArray acknowledged;
  private final AtomicBoolean stop = new AtomicBoolean();
  private volatile long written;

  VersionedWrites(int keys) {
    this.keys = keys;
    this.last = new long[keys];
    this.acknowledged = new AtomicLongArray(keys);
  }

  Thread start(IgniteWriter<Long, Object> writer) {
    Thread thread = new Thread(() -> run(writer), "versioned-writes");
    thread.start();
    return thread;
  }

  private void run(IgniteWriter<Long, Object> writer) {
    Random random = new Random(5);
    for (long version = 1; !stop.get(); version++) {
      int key = random.nextInt(keys);
      long promised = version;
      last[key] = version;
      writer
          .write((long) key, new StockOrder(version))
          .thenRun(() -> acknowledged.accumulateAndGet(key, promised, Math::max));
      written = version;
    }
  }

  void awaitWritten(long more) throws InterruptedException {
    long goal = written + more;
    Eventually.holds("writes go on", () -> written >= goal);
  }

  void stop(Thread thread) throws InterruptedException {
    stop.set(true);
    thread.join();
  }

  /** After a flush without failures: each key's last version is there, and all was promised. */
  void checkAllThere(IgniteCache<Long, Object> cache) {
    Map<Long, Object> there = cache.getAll(LongStream.range(0, keys).boxed().collect(toSet()));
    for (int key = 0; key < keys; key++) {
      if (last[key] > 0) {
        StockOrder order = (StockOrder) there.get((long) key);
        assertThat(order.version()).as("version of key %s", key).isEqualTo(last[key]);
        assertThat(acknowledged.get(key)).as("acknowledged of %s", key).isEqualTo(last[key]);
      }
    }
  }
}
