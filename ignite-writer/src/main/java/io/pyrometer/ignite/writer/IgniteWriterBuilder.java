package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The settings of an {@link IgniteWriter}; each has a default that suits most caches. */
public final class IgniteWriterBuilder<K, V> {
  /** The default of {@link #lanes} for each of several primary nodes. */
  public static final int NODE_LANES = 2;

  /** The default of {@link #batchEntries}. */
  public static final int BATCH_ENTRIES = 4_000;

  /** The default of {@link #maxPendingBytes}. */
  public static final long PENDING_BYTES = 64L << 20;

  private final Function<Settings, CachePort> target;
  private final Settings settings = new Settings();

  IgniteWriterBuilder(Function<Settings, CachePort> target) {
    this.target = target;
  }

  /**
   * Sets how many batches may be in flight together for each primary node (2; 4 if there is one).
   * For a thin client that is not partition-aware, all keys are of one node.
   */
  public IgniteWriterBuilder<K, V> lanes(int lanes) {
    settings.lanes = (int) atLeastOne(lanes, "lanes");
    return this;
  }

  /**
   * Sets the entries of a full batch, which is sent at once (4 000). A batch has at most 4 MiB,
   * counted as by {@link #maxPendingBytes}; a single entry may be larger.
   */
  public IgniteWriterBuilder<K, V> batchEntries(int most) {
    settings.batchEntries = (int) atLeastOne(most, "batch entries");
    return this;
  }

  /**
   * Sets how long the first write of a batch waits for more until the batch is full (1 ms). Writes
   * also wait for the batch of their lane that is in flight, but not for more while a caller
   * flushes or waits for room.
   *
   * <p>While at least a tenth of what was sent last had been merged, waiting saves sending: a batch
   * then waits for twice the time that the last call took, at most 100 ms. With zero it never does.
   */
  public IgniteWriterBuilder<K, V> linger(Duration longest) {
    settings.lingerNanos = notNegative(longest, "linger");
    return this;
  }

  /**
   * Sets the bytes of entries that wait to be sent or acknowledged (64 MiB; 16 GiB at most): those
   * of encoded keys and values, 200 for each entry, and 96 for each write that was merged into one,
   * for what its caller may derive from its future. Each primary node has an equal part of them, so
   * that one that does not answer does not stop writes to the others. Each writing thread may
   * exceed its part by one entry.
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
    settings.maxWaitNanos = notNegative(longest, "max wait");
    return this;
  }

  /**
   * Sets the time from when a write is taken until it is acknowledged (2 minutes). A write that is
   * older fails; if it was sent and nobody knows what became of it, its key is in doubt. A merged
   * write counts from the first of those that it was merged with.
   */
  public IgniteWriterBuilder<K, V> writeTimeout(Duration longest) {
    settings.writeTimeoutNanos =
        atLeastOne(notNegative(longest, "write timeout"), "nanoseconds of the write timeout");
    return this;
  }

  /**
   * Sets the time after which a request that a server received, and has not answered, is assumed to
   * have no more effect (10 seconds); until then later writes of its keys wait. Choose it longer
   * than a server can hold a request in its queues. Zero repeats writes in doubt at once: for
   * values with a version that servers or readers compare.
   */
  public IgniteWriterBuilder<K, V> inDoubtFor(Duration longest) {
    settings.inDoubtNanos = notNegative(longest, "time in doubt");
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
   * Sets the listener that is told of each failed write, with its value, for a log or a dead-letter
   * store. It has a thread of its own and may block; failures that wait for it count as pending.
   */
  @SuppressWarnings("unchecked") // the writer has keys and values of these types alone
  public IgniteWriterBuilder<K, V> onFailure(Consumer<? super FailedWrite<K, V>> listener) {
    settings.failureListener =
        Optional.of((Consumer<FailedWrite<Object, Object>>) (Consumer<?>) listener);
    return this;
  }

  /** Sets what tests alone need. */
  IgniteWriterBuilder<K, V> with(Consumer<Settings> change) {
    change.accept(settings);
    return this;
  }

  /**
   * Opens the writer and starts its threads.
   *
   * @throws IllegalStateException if the cache or the client cannot keep the order of writes: a
   *     cache with FULL_ASYNC, in which Ignite acknowledges what it has merely sent and applies
   *     later batches before earlier ones, or a thin client that repeats writes by itself when
   *     their connection breaks, so that an acknowledged write may be overwritten by an older one
   */
  public IgniteWriter<K, V> open() {
    Settings own = settings.clone();
    CachePort port = target.apply(own);
    Workers workers = new Workers(own.stageThreads);
    try {
      return new IgniteWriter<>(own, port, workers);
    } catch (RuntimeException | Error e) {
      workers.close();
      throw e;
    }
  }

  private static long atLeastOne(long number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + number);
    }
    return number;
  }

  private static long notNegative(Duration duration, String what) {
    if (Objects.requireNonNull(duration, what).isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative, as is " + duration);
    }
    return Settings.nanos(duration);
  }
}
