package io.pyrometer.ignite.writer;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.stream.StreamReceiver;

/** The ways of writing that are compared; each writes the version i to the i-th key. */
final class WritePaths {
  private static final int BATCH = 10_000;

  private WritePaths() {}

  static void run(
      String path,
      Ignite ignite,
      IgniteCache<Long, Object> cache,
      ClientCache<Long, Object> thin,
      Long[] keys) {
    String[] words = path.split(":");
    switch (words[0]) {
      case "put" -> put(cache, keys);
      case "putall" -> putAll(cache, keys, new HashMap<>());
      case "putall-sorted" -> putAll(cache, keys, new TreeMap<>());
      case "putall-async" -> putAllAsync(cache, keys);
      case "thin-putall" -> thinPutAll(thin, keys);
      case "streamer" -> streamer(ignite, cache, keys);
      case "writer" -> writer(tuned(IgniteWriter.to(cache), words), keys);
      case "thin-writer" -> writer(tuned(IgniteWriter.to(thin), words), keys);
      default -> throw new IllegalArgumentException("no such path: " + path);
    }
  }

  /** Words after the path's name: lanes, largest batch, senders. */
  private static IgniteWriter<Long, Object> tuned(
      IgniteWriterBuilder<Long, Object> builder, String[] words) {
    if (words.length > 1) {
      builder.lanes(Integer.parseInt(words[1]));
    }
    if (words.length > 2) {
      builder.batch(Math.min(64, Integer.parseInt(words[2])), Integer.parseInt(words[2]));
    }
    if (words.length > 3) {
      builder.senders(Integer.parseInt(words[3]));
    }
    if (words.length > 4) {
      builder.maxPendingEntries(Integer.parseInt(words[4]));
    }
    return builder.open();
  }

  private static void writer(IgniteWriter<Long, Object> writer, Long[] keys) {
    try (writer) {
      for (int i = 0; i < keys.length; i++) {
        writer.write(keys[i], new StockOrder(i));
      }
    }
    if (Boolean.getBoolean("stats")) {
      System.out.println(writer.stats());
    }
  }

  private static void put(IgniteCache<Long, Object> cache, Long[] keys) {
    for (int i = 0; i < keys.length; i++) {
      cache.put(keys[i], new StockOrder(i));
    }
  }

  private static void putAll(
      IgniteCache<Long, Object> cache, Long[] keys, Map<Long, Object> batch) {
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], new StockOrder(i));
      if ((i + 1) % BATCH == 0 || i == keys.length - 1) {
        cache.putAll(batch);
        batch.clear();
      }
    }
  }

  private static void thinPutAll(ClientCache<Long, Object> cache, Long[] keys) {
    Map<Long, Object> batch = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], new StockOrder(i));
      if ((i + 1) % BATCH == 0 || i == keys.length - 1) {
        cache.putAll(batch);
        batch.clear();
      }
    }
  }

  private static void putAllAsync(IgniteCache<Long, Object> cache, Long[] keys) {
    Map<Long, Object> batch = new HashMap<>();
    IgniteFuture<Void> inFlight = null;
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], new StockOrder(i));
      if ((i + 1) % BATCH == 0 || i == keys.length - 1) {
        if (inFlight != null) {
          inFlight.get();
        }
        inFlight = cache.putAllAsync(batch);
        batch = new HashMap<>();
      }
    }
    if (inFlight != null) {
      inFlight.get();
    }
  }

  private static void streamer(Ignite ignite, IgniteCache<Long, Object> cache, Long[] keys) {
    StreamReceiver<Long, Object> batched =
        (target, entries) -> {
          Map<Long, Object> batch = new HashMap<>();
          entries.forEach(entry -> batch.put(entry.getKey(), entry.getValue()));
          target.putAll(batch);
        };
    try (IgniteDataStreamer<Long, Object> streamer = ignite.dataStreamer(cache.getName())) {
      streamer.allowOverwrite(true);
      streamer.keepBinary(true);
      streamer.perNodeParallelOperations(1);
      streamer.receiver(batched);
      for (int i = 0; i < keys.length; i++) {
        streamer.addData(keys[i], new StockOrder(i));
      }
    }
  }

  /** Reads back a sample: the last version of each key must be there. */
  static void check(IgniteCache<Long, Object> cache, Long[] keys) {
    Map<Long, Long> last = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      last.put(keys[i], (long) i);
    }
    if (cache.size() != last.size()) {
      throw new IllegalStateException("size " + cache.size() + " instead of " + last.size());
    }
    Random random = new Random(7);
    for (int sample = 0; sample < 200; sample++) {
      Long key = keys[random.nextInt(keys.length)];
      long version = ((StockOrder) cache.get(key)).version();
      if (version != last.get(key)) {
        throw new IllegalStateException("key " + key + " has an old version");
      }
    }
  }
}
