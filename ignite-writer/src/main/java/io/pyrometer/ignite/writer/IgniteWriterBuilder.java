package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;

/** The settings of an {@link IgniteWriter}; each has a default that suits most caches. */
public final class IgniteWriterBuilder<K, V> {
  /** Lanes for each primary node, if nothing else is said. */
  public static final int NODE_LANES = 2;

  /** Lanes of a thin client that does not know the primary nodes, if nothing else is said. */
  public static final int ANY_LANES = 4;

  /** Entries of a full batch, if nothing else is said. */
  public static final int BATCH_ENTRIES = 4_000;

  /** Entries that may wait, if nothing else is said. */
  public static final int PENDING_ENTRIES = 100_000;

  /** How long a batch may wait for later writes of its keys, if nothing else is said. */
  public static final Duration MERGE_WAIT = Duration.ofMillis(100);

  private final Function<Settings, CachePort> target;
  private final Settings settings;
  private boolean withoutOrder;
  private Optional<Consumer<? super FailedWrite<K, V>>> failureListener = Optional.empty();

  /**
   * Begins a writer.
   *
   * @param target the cache, given the settings that it depends on
   */
  IgniteWriterBuilder(Function<Settings, CachePort> target, int lanesPerNode) {
    this.target = target;
    this.settings = new Settings(lanesPerNode);
  }

  /**
   * Sets how many batches may be in flight together: for each primary node (2 by default), with a
   * thin client that is not partition-aware in all (4), since it does not tell where keys live.
   */
  public IgniteWriterBuilder<K, V> lanes(int lanes) {
    settings.lanesPerNode = (int) atLeastOne(lanes, "lanes");
    return this;
  }

  /** Sets the entries of a full batch, which is sent at once (4 000). */
  public IgniteWriterBuilder<K, V> batchEntries(int most) {
    settings.batchEntries = (int) atLeastOne(most, "batch entries");
    return this;
  }

  /** Sets the bytes of a batch (4 MiB); a single entry may be larger. */
  public IgniteWriterBuilder<K, V> batchBytes(long most) {
    settings.batchBytes = atLeastOne(most, "batch bytes");
    return this;
  }

  /**
   * Sets how long the first write of a batch waits for more until the batch is full (1 ms). Writes
   * also wait for the batch of their lane that is in flight, but not for more while a caller
   * flushes or waits for room.
   */
  public IgniteWriterBuilder<K, V> linger(Duration longest) {
    settings.linger = notNegative(longest, "linger");
    return this;
  }

  /**
   * Sets how long at most a batch waits for later writes of its keys (100 ms), while at least a
   * tenth of what was sent last had been merged: then waiting saves sending. It waits no longer
   * than twice the time that the last call took. Zero for never.
   */
  public IgniteWriterBuilder<K, V> mergeWait(Duration duration) {
    settings.mergeWait = notNegative(duration, "mergeWait");
    return this;
  }

  /**
   * Sets how many entries may wait to be sent or acknowledged, merged writes counting as one (100
   * 000). Of several nodes, each may have half of them, so that one that does not answer does not
   * stop writes to the others.
   */
  public IgniteWriterBuilder<K, V> maxPendingEntries(long entries) {
    settings.maxPendingEntries = atLeastOne(entries, "max pending entries");
    return this;
  }

  /**
   * Sets the bytes that these entries may take (64 MiB; 16 GiB at most). A write that was merged
   * with others counts 96 bytes for what its caller may derive from its future. One entry larger
   * than the bound is taken when nothing else waits.
   */
  public IgniteWriterBuilder<K, V> maxPendingBytes(long bytes) {
    settings.maxPendingBytes = atLeastOne(bytes, "max pending bytes");
    return this;
  }

  /**
   * Sets how long {@link IgniteWriter#write} waits for room, for the registration of a new class
   * with the cluster, or for a disconnected client (1 minute). Zero to fail at once; {@code
   * ChronoUnit.FOREVER.getDuration()} for no limit. Threads of Ignite and of the writer never wait.
   */
  public IgniteWriterBuilder<K, V> maxWait(Duration longest) {
    settings.maxWait = notNegative(longest, "max wait");
    return this;
  }

  /**
   * Sets the time from when a write is taken until it is acknowledged (2 minutes). A write that is
   * older fails; if it was sent and nobody knows what became of it, its key is in doubt. A merged
   * write counts from the first of those that it was merged with.
   */
  public IgniteWriterBuilder<K, V> writeTimeout(Duration longest) {
    settings.writeTimeout = notNegative(longest, "write timeout");
    if (longest.isZero()) {
      throw new IllegalArgumentException("write timeout must be longer than nothing");
    }
    return this;
  }

  /**
   * Sets the time after which a request that a server received, and has not answered, is assumed to
   * have no more effect (10 seconds). Until then later writes of its keys wait. Choose it longer
   * than a server can hold a request in its queues. Zero repeats writes in doubt at once: for
   * values with a version that servers or readers compare, or where an older value in the place of
   * a newer one does no harm.
   */
  public IgniteWriterBuilder<K, V> inDoubtFor(Duration longest) {
    settings.inDoubtFor = notNegative(longest, "time in doubt");
    return this;
  }

  /**
   * Sends each write at most once. By default a write is sent again if the cluster changed during
   * its call, or if its outcome is unknown and the cache does not have its value: another client
   * that removed the entry meanwhile would see it come back. With this setting such a write fails,
   * and may have been applied.
   */
  public IgniteWriterBuilder<K, V> neverRepeat() {
    settings.repeats = false;
    return this;
  }

  /**
   * Does without the order of writes, where it cannot be kept: in a cache with {@link
   * CacheWriteSynchronizationMode#FULL_ASYNC}, where Ignite acknowledges what it has merely sent
   * and applies later batches before earlier ones, and over a thin client that repeats writes by
   * itself when their connection breaks, so that an acknowledged write may later be overwritten by
   * an older one.
   */
  public IgniteWriterBuilder<K, V> allowWithoutOrder() {
    withoutOrder = true;
    return this;
  }

  /**
   * Sets the listener that is told of each failed write, with its value, for a log or a dead-letter
   * store. It has a thread of its own and may block; failures that wait for it count as pending.
   */
  public IgniteWriterBuilder<K, V> onFailure(Consumer<? super FailedWrite<K, V>> listener) {
    failureListener = Optional.of(listener);
    return this;
  }

  /** Sets how often the writer looks whether partitions have moved. */
  IgniteWriterBuilder<K, V> topologyPoll(Duration period) {
    settings.topologyPoll = period;
    return this;
  }

  /**
   * Opens the writer and starts its threads.
   *
   * @throws IllegalStateException if the cache or the client cannot keep the order of writes and
   *     that was not allowed
   */
  public IgniteWriter<K, V> open() {
    Settings own = settings.clone();
    CachePort port = target.apply(own);
    if (!withoutOrder) {
      requireOrder(port);
    }
    Workers workers = new Workers();
    try {
      return new IgniteWriter<>(own, port, workers, failureListener);
    } catch (RuntimeException | Error e) {
      workers.close();
      throw e;
    }
  }

  private static void requireOrder(CachePort port) {
    if (port.synchronization() == CacheWriteSynchronizationMode.FULL_ASYNC) {
      throw new IllegalStateException(
          "cache "
              + port.name()
              + " has write synchronization FULL_ASYNC, in which Ignite applies the writes of a"
              + " key in any order and acknowledges them before that; use PRIMARY_SYNC or"
              + " FULL_SYNC, or allowWithoutOrder() to do without both guarantees");
    }
    if (port.clientRepeatsWrites().orElse(true)) {
      throw new IllegalStateException(
          (port.clientRepeatsWrites().isPresent()
                  ? "the thin client repeats writes by itself"
                  : "the configuration of the thin client cannot be read, for instance because the"
                      + " cache is wrapped, and the client may repeat writes by itself")
              + " when their connection breaks, so that an acknowledged write may later be"
              + " overwritten by an older one; configure the client with setRetryPolicy(new"
              + " ClientRetryReadPolicy()) and give its own cache, or use allowWithoutOrder() to"
              + " do without that guarantee");
    }
  }

  private static long atLeastOne(long number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + number);
    }
    return number;
  }

  private static Duration notNegative(Duration duration, String what) {
    if (Objects.requireNonNull(duration, what).isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative, as is " + duration);
    }
    return duration;
  }
}
