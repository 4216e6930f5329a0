package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteInterruptedException;
import org.jspecify.annotations.Nullable;

/** Leads writes to the lanes of the current generation, and changes generations. */
final class Pipeline {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final long MAX_TICK = 250_000_000;

  private final Context context;
  private final Codec codec;
  private final FailureLog failures;
  private final Encoder encoder;
  private final Set<Wave> openWaves = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicBoolean resolving = new AtomicBoolean();
  private volatile Generation current;
  private volatile @Nullable Generation previous;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean closed;

  /** Starts the lanes and the clock. */
  <K, V> Pipeline(
      Settings settings,
      CachePort port,
      Workers workers,
      Optional<Consumer<? super FailedWrite<K, V>>> listener) {
    codec = new Codec(port::toBinary);
    failures = new FailureLog(codec);
    Budget budget = new Budget(settings.maxPendingEntries, settings.maxPendingBytes);
    WriteCounters counters = new WriteCounters();
    Completions<K, V> completions =
        new Completions<>(workers, budget, counters, codec, failures, listener);
    Doubts doubts = new Doubts(settings, port, workers, codec, completions);
    context = new Context(settings, port, workers, budget, completions, doubts, counters);
    encoder = new Encoder(context, codec, () -> closed);
    current = new Generation(context, port.placement(), CompletableFuture.completedFuture(null));
    current.start(null);
    workers.every(Nanos.of(settings.topologyPoll), () -> once(polling, this::followTopology));
    long shortest =
        Math.min(
            Math.min(Nanos.of(settings.writeTimeout), Nanos.of(settings.stallTimeout)),
            Math.max(1, Nanos.of(settings.inDoubtFor)));
    workers.every(Math.min(MAX_TICK, Math.max(1_000_000, shortest / 8)), this::tick);
  }

  /** Runs a task that may block on a worker, unless it still runs. */
  private void once(AtomicBoolean running, Runnable task) {
    if (running.compareAndSet(false, true)) {
      context
          .workers()
          .execute(
              () -> {
                try {
                  task.run();
                } finally {
                  running.set(false);
                }
              });
    }
  }

  private void tick() {
    long now = System.nanoTime();
    long limit = now - Nanos.of(context.settings().writeTimeout);
    Generation old = previous;
    if (old != null) {
      old.expire(limit);
    }
    current.expire(limit);
    if (context.doubts().any()) {
      once(resolving, () -> context.doubts().tick(limit));
    }
  }

  CompletableFuture<Void> offer(Object key, @Nullable Object value, @Nullable GroupFuture group) {
    failures.noteWriter();
    return new Offer(encoder.encode(key, value)).offer(group);
  }

  /** Accepts a write if that needs no waiting; otherwise null. */
  @Nullable CompletableFuture<Void> tryOffer(Object key, Object value) {
    failures.noteWriter();
    Encoder.@Nullable Entry entry = encoder.tryEncode(key, value);
    return entry == null ? null : new Offer(entry).tryOffer();
  }

  /** An encoded entry that a lane has not accepted yet. */
  private final class Offer {
    private final Encoder.Entry entry;

    Offer(Encoder.Entry entry) {
      this.entry = entry;
    }

    private Lane lane() {
      return current.lane(entry.partition());
    }

    private PendingWrite offerTo(Lane lane, @Nullable GroupFuture group, boolean room) {
      return lane.offer(
          entry.key(), entry.hash(), entry.partition(), entry.value(), entry.bytes(), group, room);
    }

    @Nullable CompletableFuture<Void> tryOffer() {
      while (!closed) {
        PendingWrite write = offerTo(lane(), null, false);
        if (write.isAccepted()) {
          return write;
        }
        if (write == PendingWrite.FULL) {
          hurry();
          return null;
        }
      }
      throw Encoder.closed(codec.decodeKey(entry.key()));
    }

    CompletableFuture<Void> offer(@Nullable GroupFuture group) {
      PendingWrite write = offerTo(lane(), group, false);
      return write.isAccepted() ? write : offerWhenThereIsRoom(group);
    }

    private CompletableFuture<Void> offerWhenThereIsRoom(@Nullable GroupFuture group) {
      long start = System.nanoTime();
      long longestWait = Nanos.of(context.settings().backPressure.longestWait());
      Budget.@Nullable Share reserved = null;
      try {
        while (!closed) {
          Lane lane = lane();
          PendingWrite write = offerTo(lane, group, reserved == lane.share());
          if (write.isAccepted()) {
            reserved = reserved == lane.share() ? null : reserved;
            return write;
          }
          if (reserved != null && reserved != lane.share()) {
            context.budget().release(reserved, 1, entry.bytes());
            reserved = null;
          }
          if (write == PendingWrite.FULL) {
            reserved = awaitRoom(lane.share(), start + longestWait);
          }
        }
        throw Encoder.closed(codec.decodeKey(entry.key()));
      } catch (InterruptedException e) {
        throw interrupted("a write was interrupted before it was accepted");
      } finally {
        if (reserved != null) {
          context.budget().release(reserved, 1, entry.bytes());
        }
        context.counters().blocked.record(System.nanoTime() - start);
      }
    }

    private Budget.@Nullable Share awaitRoom(Budget.Share share, long deadline)
        throws InterruptedException {
      Duration longest = context.settings().backPressure.longestWait();
      if (longest.isZero()) {
        throw new WriterFullException(Duration.ZERO);
      }
      Workers.refuseOwnThreads("write when there is no room");
      boolean granted =
          context.budget().await(share, entry.bytes(), deadline, Pipeline.this::hurry);
      if (!granted && !closed) {
        throw new WriterFullException(longest);
      }
      return granted ? share : null;
    }
  }

  private void hurry() {
    Generation old = previous;
    if (old != null) {
      old.hurry();
    }
    current.hurry();
  }

  private static IgniteInterruptedException interrupted(String message) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(message);
  }

  /** Completes when every write accepted before is settled. */
  private synchronized CompletableFuture<Void> settled() {
    Generation old = previous;
    List<Wave> closedNow = new ArrayList<>(current.closeWaves());
    if (old != null) {
      closedNow.addAll(old.closeWaves());
    }
    closedNow.forEach(this::track);
    return CompletableFuture.allOf(
        openWaves.stream().map(wave -> wave.done).toArray(CompletableFuture<?>[]::new));
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void track(Wave wave) {
    openWaves.add(wave);
    wave.done.thenRun(() -> openWaves.remove(wave));
    wave.close();
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  CompletableFuture<Void> flushAsync() {
    FailureLog.Reader reader = failures.reader();
    GuardedFuture<Void> flushed = new GuardedFuture<>();
    settled().thenRun(() -> flushed.complete(null));
    return flushed.thenRun(() -> failures.report(reader));
  }

  void flush(Duration timeout) {
    Workers.refuseOwnThreads("wait for a flush");
    CompletableFuture<Void> flushed = flushAsync();
    try {
      flushed.get(Nanos.of(timeout), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      flushed.cancel(false);
      throw interrupted("a flush was interrupted; the writes continue");
    } catch (TimeoutException e) {
      flushed.cancel(false);
      throw new WriteTimeoutException("not all writes were acknowledged", timeout);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WriteFailedException failed
          ? failed
          : new IllegalStateException("a flush failed", e.getCause());
    }
  }

  /** Moves to a new generation if partitions have moved and the last move is over. */
  private void followTopology() {
    try {
      context.port().poll();
      if (current.hasStarted()) {
        Placement placement = context.port().placement();
        if (!current.matches(placement)) {
          moveTo(placement);
        }
      }
    } catch (RuntimeException e) {
      LOG.log(Logger.Level.DEBUG, "the topology could not be read; it is read again soon", e);
    }
  }

  private synchronized void moveTo(Placement placement) {
    if (closed) {
      return;
    }
    Generation old = current;
    Generation next = new Generation(context, placement, old.drained());
    next.start(old);
    previous = old;
    current = next;
    context.counters().moved();
    old.seal();
    old.closeWaves().forEach(this::track);
  }

  /** Accepts no more writes, waits for those accepted, and fails those left after the timeout. */
  void close(Duration timeout) {
    Workers.refuseOwnThreads("close the writer");
    long deadline = Nanos.deadline(Nanos.of(timeout));
    if (!sealForEver()) {
      if (await(ended, deadline)) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    try {
      end(timeout, deadline);
    } finally {
      ended.complete(null);
    }
    failures.report(failures.reader());
  }

  private void end(Duration timeout, long deadline) {
    CompletableFuture<Void> settled = settled();
    boolean interrupted = await(settled, deadline);
    if (!settled.isDone()) {
      giveUp(timeout);
    }
    interrupted |= await(context.completions().allTold(), deadline);
    context.workers().close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean sealForEver() {
    if (closed) {
      return false;
    }
    closed = true;
    current.seal();
    context.budget().close();
    return true;
  }

  private static boolean await(CompletableFuture<Void> future, long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException | ExecutionException e) {
        return interrupted;
      }
    }
  }

  /** Completes every future on this thread: no other can be relied on. */
  private synchronized void giveUp(Duration timeout) {
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "the writer was closed, and a write was not acknowledged", timeout);
    PendingWrite.Failure failure = new PendingWrite.Failure(cause, false, true);
    Generation old = previous;
    if (old != null) {
      old.abandon(failure);
    }
    current.abandon(failure);
    context.doubts().abandon(failure);
    context.completions().publishAll();
  }

  Set<Object> keysInDoubt() {
    return context.doubts().keys().stream().map(codec::decodeKey).collect(Collectors.toSet());
  }

  void release(Collection<?> keys) {
    context.doubts().release(keys.stream().map(codec::encodeKey).toList());
  }

  void releaseAll() {
    context.doubts().releaseAll();
  }

  WriterStats stats() {
    return context.counters().read(context.budget(), context.doubts());
  }

  Context context() {
    return context;
  }
}
