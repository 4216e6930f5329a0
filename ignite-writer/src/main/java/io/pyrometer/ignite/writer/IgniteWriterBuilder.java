package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToLongBiFunction;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.configuration.ClientConfiguration;

/** The settings of an {@link IgniteWriter}; each has a default that suits most caches. */
public final class IgniteWriterBuilder<K, V> {
  /** Lanes for each primary node, if nothing else is said. */
  public static final int NODE_LANES = 2;

  /** Lanes of a thin client that does not know the primary nodes, if nothing else is said. */
  public static final int ANY_LANES = 4;

  /** Entries of the smallest batch that is worth sending at once, if nothing else is said. */
  public static final int SMALLEST_BATCH = 64;

  /** Entries of the largest batch, if nothing else is said. */
  public static final int LARGEST_BATCH = 4_000;

  /** Entries that may wait, if nothing else is said. */
  public static final int PENDING_ENTRIES = 100_000;

  /** How long a batch may wait for later writes of its keys, if nothing else is said. */
  public static final Duration MERGE_WAIT = Duration.ofMillis(100);

  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final long KEYS_IN_DOUBT = 1_000_000;

  private final CachePort<K, V> port;
  private final Topology<K> topology;
  private final CacheWriteSynchronizationMode synchronization;
  private final Optional<Boolean> clientRepeatsWrites;
  private int lanesPerNode;
  private int smallestBatch = SMALLEST_BATCH;
  private int largestBatch = LARGEST_BATCH;
  private long batchBytes = 4L << 20;
  private Duration linger = Duration.ofMillis(1);
  private Duration mergeWait = MERGE_WAIT;
  private long mostPendingEntries = PENDING_ENTRIES;
  private long mostPendingBytes = 64L << 20;
  private ToLongBiFunction<? super K, ? super V> sizeOf = SizeEstimate.standard();
  private BackPressure backPressure = BackPressure.waitAtMost(Duration.ofMinutes(1));
  private Duration writeTimeout = Duration.ofMinutes(2);
  private Duration stallTimeout = Duration.ofSeconds(10);
  private Duration closeTimeout = Duration.ofMinutes(1);
  private Duration topologyPoll = Duration.ofMillis(250);
  private int senders = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));
  private Duration firstPause = Duration.ofMillis(20);
  private Duration longestPause = Duration.ofSeconds(1);
  private Duration inDoubtFor = FOREVER;
  private boolean fullAsyncAllowed;
  private boolean clientRetriesAllowed;
  private boolean invokeAllowed;
  private Optional<String> jmxName = Optional.empty();
  private Consumer<? super FailedWrite<K, V>> failureListener = failure -> {};

  IgniteWriterBuilder(CachePort<K, V> port, Topology<K> topology, int lanesPerNode) {
    this(port, topology, lanesPerNode, CacheWriteSynchronizationMode.FULL_SYNC, Optional.of(false));
  }

  private IgniteWriterBuilder(
      CachePort<K, V> port,
      Topology<K> topology,
      int lanesPerNode,
      CacheWriteSynchronizationMode synchronization,
      Optional<Boolean> clientRepeatsWrites) {
    this.port = port;
    this.topology = topology;
    this.lanesPerNode = lanesPerNode;
    this.synchronization = synchronization;
    this.clientRepeatsWrites = clientRepeatsWrites;
  }

  static <K, V> IgniteWriterBuilder<K, V> thick(IgniteCache<K, V> cache) {
    ThickPort<K, V> port = new ThickPort<>(cache);
    return new IgniteWriterBuilder<>(
        port, ThickTopology.of(cache), NODE_LANES, port.synchronization(), Optional.of(false));
  }

  static <K, V> IgniteWriterBuilder<K, V> thin(
      ClientCache<K, V> cache, Optional<ClientConfiguration> configuration) {
    Optional<PrimaryChannels> primaries = PrimaryChannels.of(cache);
    ThinPort<K, V> port = new ThinPort<>(cache, primaries);
    return new IgniteWriterBuilder<>(
        port,
        new HashTopology<>(() -> primaries.flatMap(PrimaryChannels::placement)),
        primaries.isPresent() ? NODE_LANES : ANY_LANES,
        port.synchronization(),
        configuration.map(ThinRetries::repeatWrites));
  }

  /**
   * Sets how many batches may be in flight together: for each primary node (2 by default), with a
   * thin client that is not partition-aware in all (4), since it does not tell where keys live.
   */
  public IgniteWriterBuilder<K, V> lanes(int lanes) {
    lanesPerNode = atLeastOne(lanes, "lanes");
    return this;
  }

  /**
   * Sets the bounds between which the size of a batch in entries adapts (64 and 4 000): it grows
   * while writes queue up and shrinks when they trickle. Behind a batch in flight the writes of one
   * more wait, and more of them only while repeated keys are merged.
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

  /** Sets the estimated bytes of a batch (4 MiB); a single entry may be larger. */
  public IgniteWriterBuilder<K, V> batchBytes(long most) {
    if (most < 1) {
      throw new IllegalArgumentException("batch bytes must be at least 1, not " + most);
    }
    batchBytes = most;
    return this;
  }

  /** Sets how long a batch smaller than wished waits for more writes (1 ms). */
  public IgniteWriterBuilder<K, V> linger(Duration longest) {
    linger = notNegative(longest, "linger");
    return this;
  }

  /**
   * Sets how long at most a batch waits for later writes of its keys (100 ms), while at least a
   * tenth of what waits was merged of late: then waiting saves sending. It also waits no longer
   * than twice the time that the last call took, and not at all while a caller flushes or waits for
   * room. Zero for never.
   */
  public IgniteWriterBuilder<K, V> mergeWait(Duration duration) {
    mergeWait = notNegative(duration, "mergeWait");
    return this;
  }

  /**
   * Sets how many entries may wait to be sent or acknowledged, merged writes counting as one (100
   * 000).
   */
  public IgniteWriterBuilder<K, V> maxPendingEntries(long entries) {
    if (entries < 1) {
      throw new IllegalArgumentException("max pending entries must be at least 1, not " + entries);
    }
    mostPendingEntries = entries;
    return this;
  }

  /**
   * Sets the bytes that these entries may take by estimate (64 MiB), before they are marshalled. A
   * write that was merged with others counts 96 bytes for what its caller may derive from its
   * future. One entry larger than the bound is taken when nothing else waits.
   */
  public IgniteWriterBuilder<K, V> maxPendingBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("max pending bytes must be at least 1, not " + bytes);
    }
    mostPendingBytes = bytes;
    return this;
  }

  /**
   * Sets the estimate of an entry's bytes. The standard one knows strings, numbers, arrays and
   * binary objects, and walks other objects through their fields.
   */
  public IgniteWriterBuilder<K, V> sizeOf(ToLongBiFunction<? super K, ? super V> estimate) {
    sizeOf = Objects.requireNonNull(estimate, "estimate");
    return this;
  }

  /** Sets what a write does while there is no room for it (waits for at most 1 minute). */
  public IgniteWriterBuilder<K, V> backPressure(BackPressure mode) {
    backPressure = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Sets the time from when a write is taken until it is acknowledged (2 minutes). A write that is
   * older fails; if it was sent and nobody knows what became of it, its key is in doubt. A merged
   * write counts from the first of those that it was merged with.
   */
  public IgniteWriterBuilder<K, V> writeTimeout(Duration longest) {
    writeTimeout = positive(longest, "write timeout");
    return this;
  }

  /**
   * Sets how long one of the writer's threads may be held up by a call to Ignite or by a caller's
   * stage, and the registration of a new class may take (10 seconds). After that the log names what
   * hangs, the batch fails and its keys are in doubt until the call ends, and another thread takes
   * its place.
   */
  public IgniteWriterBuilder<K, V> stallTimeout(Duration longest) {
    stallTimeout = positive(longest, "stall timeout");
    return this;
  }

  /** Sets how long {@link IgniteWriter#close()} may wait for acknowledgements (1 minute). */
  public IgniteWriterBuilder<K, V> closeTimeout(Duration longest) {
    closeTimeout = notNegative(longest, "close timeout");
    return this;
  }

  /** Sets how often the writer looks whether partitions have moved (250 ms). */
  public IgniteWriterBuilder<K, V> topologyPoll(Duration period) {
    topologyPoll = positive(period, "topology poll");
    return this;
  }

  /** Sets how many threads marshal and send batches (half the processors, 2 to 4). */
  public IgniteWriterBuilder<K, V> senders(int threads) {
    senders = atLeastOne(threads, "senders");
    return this;
  }

  /**
   * Sets the pauses before a call is repeated after a fault that may pass (a changed topology, a
   * client that reconnects): the first (20 ms) doubles up to the longest (1 s). Calls are repeated
   * until the write timeout, and never when their outcome is unknown.
   */
  public IgniteWriterBuilder<K, V> retryPauses(Duration first, Duration longest) {
    firstPause = notNegative(first, "first pause");
    longestPause = notNegative(longest, "longest pause");
    return this;
  }

  /**
   * Sets the time after which a write in doubt is taken to have no effect any more, so that its key
   * may be written again (never by default). Choose it longer than any server can hold a request in
   * its queues. Without it {@link IgniteWriter#releaseKeysInDoubt} ends a doubt.
   */
  public IgniteWriterBuilder<K, V> inDoubtFor(Duration longest) {
    inDoubtFor = positive(longest, "time in doubt");
    return this;
  }

  /**
   * Lets the writer write to a cache with {@link CacheWriteSynchronizationMode#FULL_ASYNC}. There
   * it guarantees nothing: Ignite acknowledges what it has merely sent, and applies later batches
   * before earlier ones.
   */
  public IgniteWriterBuilder<K, V> allowFullAsync() {
    fullAsyncAllowed = true;
    return this;
  }

  /**
   * Lets the writer work with a thin client that repeats writes by itself when their connection
   * breaks. Then an acknowledged write may later be overwritten by an older one.
   */
  public IgniteWriterBuilder<K, V> allowClientRetries() {
    clientRetriesAllowed = true;
    return this;
  }

  /** Allows {@link IgniteWriter#invoke}. */
  public IgniteWriterBuilder<K, V> allowInvoke() {
    invokeAllowed = true;
    return this;
  }

  /**
   * Registers a {@link WriterMXBean} with the platform's MBean server while the writer is open, as
   * {@code io.pyrometer.ignite.writer:type=IgniteWriter,name=NAME}.
   */
  public IgniteWriterBuilder<K, V> jmx(String name) {
    jmxName = Optional.of(name);
    return this;
  }

  /**
   * Sets who is told of each write that failed, with its value, before the next flush tells of it:
   * on a thread of the writer, so it must not wait. For a log or a dead-letter store.
   */
  public IgniteWriterBuilder<K, V> onFailure(Consumer<? super FailedWrite<K, V>> listener) {
    failureListener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Opens the writer and starts its threads.
   *
   * @throws IllegalStateException if the cache or the client cannot keep what the writer promises
   *     and that was not allowed by name
   */
  public IgniteWriter<K, V> open() {
    checkPromises();
    Settings<K, V> settings =
        new Settings<>(
            lanesPerNode,
            smallestBatch,
            largestBatch,
            batchBytes,
            linger,
            mergeWait,
            mostPendingEntries,
            mostPendingBytes,
            sizeOf,
            backPressure,
            writeTimeout,
            stallTimeout,
            closeTimeout,
            topologyPoll,
            senders,
            firstPause,
            longestPause,
            inDoubtFor,
            invokeAllowed,
            failureListener);
    Senders threads = new Senders(senders, stallTimeout);
    try {
      Pipeline<K, V> pipeline = new Pipeline<>(topology, context(settings, threads));
      pipeline.startClock();
      return new IgniteWriter<>(pipeline, jmxName);
    } catch (RuntimeException | Error e) {
      threads.close();
      throw e;
    }
  }

  private void checkPromises() {
    if (synchronization == CacheWriteSynchronizationMode.FULL_ASYNC && !fullAsyncAllowed) {
      throw new IllegalStateException(
          "cache "
              + port.name()
              + " has write synchronization FULL_ASYNC, in which Ignite applies a key's writes in"
              + " any order and acknowledges them before that; use PRIMARY_SYNC or FULL_SYNC, or"
              + " allowFullAsync() to do without both");
    }
    if (clientRetriesAllowed) {
      return;
    }
    if (clientRepeatsWrites.isEmpty()) {
      LOG.log(
          Logger.Level.WARNING,
          "the configuration of cache {0}''s thin client could not be read; give it to"
              + " IgniteWriter.to(cache, configuration), which checks that the client does not"
              + " repeat writes by itself",
          port.name());
    } else if (clientRepeatsWrites.get()) {
      throw new IllegalStateException(
          "the thin client of cache "
              + port.name()
              + " repeats writes by itself when their connection breaks, so that an acknowledged"
              + " write may later be overwritten by an older one; configure it with"
              + " setRetryPolicy(new ClientRetryReadPolicy()), or use allowClientRetries() to do"
              + " without that promise");
    }
  }

  private WriterContext<K, V> context(Settings<K, V> settings, Senders threads) {
    return new WriterContext<>(
        settings,
        port,
        new PendingBudget(mostPendingEntries, mostPendingBytes),
        threads,
        new TypeRegistry(port::register, stallTimeout),
        new KeysInDoubt(Math.max(KEYS_IN_DOUBT, mostPendingEntries), Nanos.of(inDoubtFor)),
        new WriteCounters(),
        new Failures<>(failureListener),
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

  private static Duration positive(Duration duration, String what) {
    if (duration.isZero()) {
      throw new IllegalArgumentException(what + " must be longer than nothing");
    }
    return notNegative(duration, what);
  }
}
