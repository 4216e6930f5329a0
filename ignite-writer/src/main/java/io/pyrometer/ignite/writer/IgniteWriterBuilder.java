package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.ToLongBiFunction;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.client.ClientCache;

/** The settings of an {@link IgniteWriter}; each has a default that suits most caches. */
public final class IgniteWriterBuilder<K, V> {
  /** Lanes for each primary node of a thick cache, if nothing else is said. */
  public static final int THICK_LANES = 2;

  /** Lanes of a thin client, if nothing else is said. */
  public static final int THIN_LANES = 4;

  /** Entries of the smallest batch that is worth sending at once, if nothing else is said. */
  public static final int SMALLEST_BATCH = 64;

  /** Entries of the largest batch, if nothing else is said. */
  public static final int LARGEST_BATCH = 4_000;

  /** Entries that may wait, if nothing else is said. */
  public static final int PENDING_ENTRIES = 100_000;

  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final CachePort<K, V> port;
  private final Topology<K> topology;
  private int lanesPerNode;
  private int smallestBatch = SMALLEST_BATCH;
  private int largestBatch = LARGEST_BATCH;
  private Duration linger = Duration.ofMillis(1);
  private long mostPendingEntries = PENDING_ENTRIES;
  private long mostPendingBytes = 64L << 20;
  private ToLongBiFunction<? super K, ? super V> sizeOf = SizeEstimate.standard();
  private Duration writeTimeout = FOR_EVER;
  private Duration closeTimeout = Duration.ofMinutes(1);
  private Duration topologyPoll = Duration.ofMillis(250);
  private int senders = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));
  private Retries retries = Retries.DEFAULT;
  private BiConsumer<Object, Throwable> failureListener = (key, cause) -> {};

  IgniteWriterBuilder(CachePort<K, V> port, Topology<K> topology, int lanesPerNode) {
    this.port = port;
    this.topology = topology;
    this.lanesPerNode = lanesPerNode;
  }

  static <K, V> IgniteWriterBuilder<K, V> thick(IgniteCache<K, V> cache) {
    return new IgniteWriterBuilder<>(new ThickPort<>(cache), ThickTopology.of(cache), THICK_LANES);
  }

  static <K, V> IgniteWriterBuilder<K, V> thin(ClientCache<K, V> cache) {
    return new IgniteWriterBuilder<>(new ThinPort<>(cache), new HashTopology<>(), THIN_LANES);
  }

  /**
   * Batches that may be in flight together: with a thick cache for each primary node (2 by
   * default), with a thin client in all (4), since it does not tell where keys live.
   */
  public IgniteWriterBuilder<K, V> lanes(int lanes) {
    lanesPerNode = atLeastOne(lanes, "lanes");
    return this;
  }

  /**
   * The size of a batch in entries adapts between these (64 and 4 000): it grows while writes queue
   * up and shrinks when they trickle. Behind a batch in flight the writes of one more wait, and
   * more of them only while repeated keys are merged.
   */
  public IgniteWriterBuilder<K, V> batch(int smallest, int largest) {
    smallestBatch = atLeastOne(smallest, "smallest batch");
    largestBatch = atLeastOne(largest, "largest batch");
    if (smallest > largest) {
      throw new IllegalArgumentException(
          "the smallest batch (" + smallest + ") is larger than the largest (" + largest + ")");
    }
    return this;
  }

  /** How long a batch smaller than wished waits for more writes (1 ms). */
  public IgniteWriterBuilder<K, V> linger(Duration longest) {
    linger = notNegative(longest, "linger");
    return this;
  }

  /** Entries that may wait to be sent or acknowledged, merged writes counting as one (100 000). */
  public IgniteWriterBuilder<K, V> maxPendingEntries(long entries) {
    if (entries < 1) {
      throw new IllegalArgumentException("max pending entries must be at least 1, not " + entries);
    }
    mostPendingEntries = entries;
    return this;
  }

  /**
   * Bytes that these entries may take by estimate (64 MiB), before they are marshalled. A write
   * that was merged with others counts 96 bytes for what its caller may derive from its future. One
   * entry larger than the bound is taken when nothing else waits.
   */
  public IgniteWriterBuilder<K, V> maxPendingBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("max pending bytes must be at least 1, not " + bytes);
    }
    mostPendingBytes = bytes;
    return this;
  }

  /** The estimate of an entry's bytes, where the standard one does not know a class (256 bytes). */
  public IgniteWriterBuilder<K, V> sizeOf(ToLongBiFunction<? super K, ? super V> estimate) {
    sizeOf = Objects.requireNonNull(estimate, "estimate");
    return this;
  }

  /** How long a write may wait for room (for ever by default). */
  public IgniteWriterBuilder<K, V> writeTimeout(Duration longest) {
    writeTimeout = notNegative(longest, "write timeout");
    return this;
  }

  /** How long closing may wait for acknowledgements (1 minute). */
  public IgniteWriterBuilder<K, V> closeTimeout(Duration longest) {
    closeTimeout = notNegative(longest, "close timeout");
    return this;
  }

  /** How often the writer looks whether partitions have moved (250 ms). */
  public IgniteWriterBuilder<K, V> topologyPoll(Duration period) {
    if (period.isZero()) {
      throw new IllegalArgumentException("the topology poll must take some time");
    }
    topologyPoll = notNegative(period, "topology poll");
    return this;
  }

  /** Threads that marshal and send batches (half the processors, 2 to 4). */
  public IgniteWriterBuilder<K, V> senders(int threads) {
    senders = atLeastOne(threads, "senders");
    return this;
  }

  /**
   * How a fault that may pass (a changed topology, a broken connection) is met, in addition to what
   * Ignite does itself: at most so many repetitions of a call (12), after a pause (20 ms) that
   * doubles up to the longest (1 s).
   */
  public IgniteWriterBuilder<K, V> retries(int most, Duration firstPause, Duration longestPause) {
    if (most < 0) {
      throw new IllegalArgumentException("retries must not be negative, as is " + most);
    }
    notNegative(firstPause, "first pause");
    retries = new Retries(most, firstPause, notNegative(longestPause, "longest pause"));
    return this;
  }

  /** Told of each failed key and its cause, on a thread of the writer; must not wait. */
  public IgniteWriterBuilder<K, V> onFailure(BiConsumer<Object, Throwable> listener) {
    failureListener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Opens the writer and starts its threads. */
  public IgniteWriter<K, V> open() {
    Settings<K, V> settings =
        new Settings<>(
            lanesPerNode,
            smallestBatch,
            largestBatch,
            linger,
            mostPendingEntries,
            mostPendingBytes,
            sizeOf,
            writeTimeout,
            closeTimeout,
            topologyPoll,
            senders,
            retries,
            failureListener);
    Pipeline<K, V> pipeline = new Pipeline<>(topology, workshop(settings));
    pipeline.watchTopology();
    return new IgniteWriter<>(pipeline);
  }

  private Workshop<K, V> workshop(Settings<K, V> settings) {
    return new Workshop<>(
        settings,
        port,
        new Room(mostPendingEntries, mostPendingBytes),
        new Senders(senders),
        new Tally(),
        new Failures(failureListener),
        new AtomicBoolean());
  }

  private static int atLeastOne(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + number);
    }
    return number;
  }

  private static Duration notNegative(Duration duration, String what) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative, as is " + duration);
    }
    return duration;
  }
}
