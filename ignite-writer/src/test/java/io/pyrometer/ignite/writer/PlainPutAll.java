package io.pyrometer.ignite.writer;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.CacheException;
import org.apache.ignite.IgniteCache;

/**
 * Writes versions with {@code putAll} and without the writer, to tell what is lost by Ignite
 * itself. Each thread has keys of its own and one call at a time; a call that throws is made again.
 */
final class PlainPutAll {
  private static final int THREADS = 4;
  private static final int BATCH = 2_000;

  private final IgniteCache<Long, Object> cache;
  private final int keys;
  private final long[] acknowledged;
  private final AtomicLong version = new AtomicLong();
  private final AtomicLong acknowledgedCount = new AtomicLong();
  private final AtomicLong failedCalls = new AtomicLong();
  private final AtomicBoolean stop = new AtomicBoolean();
  private List<Thread> threads = List.of();

  PlainPutAll(IgniteCache<Long, Object> cache, int keys) {
    this.cache = cache;
    this.keys = keys;
    this.acknowledged = new long[keys];
  }

  void start() {
    stop.set(false);
    threads =
        IntStream.range(0, THREADS)
            .mapToObj(thread -> new Thread(() -> write(thread), "plain-put-all-" + thread))
            .toList();
    threads.forEach(Thread::start);
  }

  private void write(int thread) {
    Random random = new Random(version.get() + thread);
    while (!stop.get()) {
      Map<Long, Object> batch = new TreeMap<>();
      long next = version.incrementAndGet();
      while (batch.size() < BATCH) {
        long key = (long) random.nextInt(keys / THREADS) * THREADS + thread;
        batch.put(key, new StockOrder(next));
      }
      put(batch);
      batch.keySet().forEach(key -> acknowledged[key.intValue()] = next);
      acknowledgedCount.addAndGet(BATCH);
    }
  }

  private void put(Map<Long, Object> batch) {
    while (true) {
      try {
        cache.putAll(batch);
        return;
      } catch (CacheException failure) {
        failedCalls.incrementAndGet();
      }
    }
  }

  void awaitWritten(long more) throws InterruptedException {
    long goal = acknowledgedCount.get() + more;
    Eventually.holds("writes go on", () -> acknowledgedCount.get() >= goal);
  }

  void stop() throws InterruptedException {
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  long acknowledged() {
    return acknowledgedCount.get();
  }

  long failedCalls() {
    return failedCalls.get();
  }

  /** The keys that hold an older version than the last acknowledged one; once stopped. */
  List<Long> lost() {
    Map<Long, Object> there = cache.getAll(LongStream.range(0, keys).boxed().collect(toSet()));
    List<Long> lost = new ArrayList<>();
    for (long key = 0; key < keys; key++) {
      long read = there.get(key) instanceof StockOrder order ? order.version() : 0;
      if (read < acknowledged[(int) key]) {
        lost.add(key);
        acknowledged[(int) key] = read; // each loss counts once
      }
    }
    return lost;
  }
}
