package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.IgniteInterruptedException;
import org.jspecify.annotations.Nullable;

/** Leads writes to the lanes of the present generation, and changes generations. */
final class Pipeline<K, V> {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Topology<K> topology;
  private final WriterContext<K, V> context;
  private final KeyCheck keyCheck = new KeyCheck();
  private volatile Generation<K, V> current;
  private volatile @Nullable Generation<K, V> previous;
  private volatile boolean closed;

  Pipeline(Topology<K> topology, WriterContext<K, V> context) {
    this.topology = topology;
    this.context = context;
    this.current =
        new Generation<>(context, topology.placement(), CompletableFuture.completedFuture(null));
    current.start(null);
  }

  void startClock() {
    context.senders().every(context.settings().topologyPoll(), this::followTopology);
    long limit = Nanos.of(context.settings().writeTimeout());
    long stall = Nanos.of(context.settings().stallTimeout());
    long tick = Math.min(250_000_000, Math.max(1_000_000, Math.min(limit, stall) / 8));
    context.senders().every(Duration.ofNanos(tick), this::expire);
  }

  private void expire() {
    long now = System.nanoTime();
    Generation<K, V> old = previous;
    if (old != null) {
      old.expire(now);
    }
    current.expire(now);
  }

  WriteFuture offer(K key, @Nullable Object value, @Nullable GroupFuture group) {
    keyCheck.check(key);
    awaitTypes(key, value);
    int partition = topology.partition(key);
    int hash = PendingWrites.spread(key.hashCode());
    long bytes = context.bytesOf(key, value);
    WriteFuture future =
        current.lane(partition).offer(key, hash, partition, value, bytes, group, false, null);
    return future.isAcceptance()
        ? future
        : new Offer(key, hash, partition, value, bytes, group).untilTaken();
  }

  /** Takes a write if that needs no waiting. */
  Optional<CompletableFuture<Void>> tryOffer(K key, V value) {
    keyCheck.check(key);
    if (!isKnown(key) || !isKnown(value)) {
      return Optional.empty();
    }
    int partition = topology.partition(key);
    int hash = PendingWrites.spread(key.hashCode());
    long bytes = context.bytesOf(key, value);
    while (!closed) {
      Generation<K, V> generation = current;
      WriteFuture future =
          generation.lane(partition).offer(key, hash, partition, value, bytes, null, false, null);
      if (future.isAcceptance()) {
        return Optional.of(future);
      }
      if (future == WriteFuture.BUDGET_FULL) {
        generation.hurry();
      }
      if (future != WriteFuture.MOVED) {
        return Optional.empty();
      }
    }
    throw closed(key);
  }

  /** Whether a class needs no waiting; if it does, sees to it that it will not next time. */
  private boolean isKnown(Object object) {
    if (!context.types().isKnown(object)) {
      context.types().begin(object);
      return context.types().isKnown(object);
    }
    return true;
  }

  private void awaitTypes(K key, @Nullable Object value) {
    awaitType(key);
    if (value instanceof Operation<?> operation) {
      operation.value().ifPresent(this::awaitType);
    } else if (value != null) {
      awaitType(value);
    }
  }

  private void awaitType(Object object) {
    if (!context.types().isKnown(object)) {
      try {
        context
            .types()
            .await(object)
            .ifPresent(
                late -> {
                  throw late;
                });
      } catch (InterruptedException e) {
        throw interrupted("a write was interrupted before it was taken");
      }
    }
  }

  private static IllegalStateException closed(Object key) {
    return new IllegalStateException("the writer is closed; key " + key + " was not taken");
  }

  /** A write that found no room at first. */
  private final class Offer {
    private final K key;
    private final int hash;
    private final int partition;
    private final @Nullable Object value;
    private final long bytes;
    private final @Nullable GroupFuture group;
    private final long longestWait = Nanos.of(context.settings().backPressure().longestWait());
    private final long start = System.nanoTime();
    private boolean reserved;

    Offer(
        K key,
        int hash,
        int partition,
        @Nullable Object value,
        long bytes,
        @Nullable GroupFuture group) {
      this.key = key;
      this.hash = hash;
      this.partition = partition;
      this.value = value;
      this.bytes = bytes;
      this.group = group;
    }

    WriteFuture untilTaken() {
      Lane.@Nullable Turn turn = null;
      try {
        while (!closed) {
          Generation<K, V> generation = current;
          Lane<K, V> lane = generation.lane(partition);
          WriteFuture future =
              lane.offer(key, hash, partition, value, bytes, group, reserved, turn);
          turn = null;
          if (future.isAcceptance()) {
            reserved = false;
            return future;
          }
          if (future == WriteFuture.BUDGET_FULL) {
            reserved = awaitBudget();
          } else if (future == WriteFuture.LANE_FULL) {
            turn = awaitTurn(lane);
          }
        }
        throw closed(key);
      } catch (InterruptedException e) {
        throw interrupted("a write was interrupted before it was taken");
      } finally {
        if (reserved) {
          context.budget().release(1, bytes);
        }
        context.counters().blocked.record(System.nanoTime() - start);
      }
    }

    private boolean awaitBudget() throws InterruptedException {
      refuseToWait();
      boolean granted = context.budget().await(bytes, start + longestWait, Pipeline.this::hurry);
      if (!granted && !closed) {
        throw new WriterFullException(context.settings().backPressure().longestWait());
      }
      return granted;
    }

    private Lane.Turn awaitTurn(Lane<K, V> lane) throws InterruptedException {
      refuseToWait();
      Lane.Turn turn = lane.queue();
      boolean given = false;
      try {
        given = turn.await(start + longestWait);
      } finally {
        if (!given) {
          lane.leave(turn);
        }
      }
      if (!given) {
        throw new WriterFullException(context.settings().backPressure().longestWait());
      }
      return turn;
    }

    private void refuseToWait() {
      if (longestWait == 0) {
        throw new WriterFullException(Duration.ZERO);
      }
      Senders.refuseOwnThreads("write when there is no room");
    }
  }

  private void hurry() {
    Generation<K, V> old = previous;
    if (old != null) {
      old.hurry();
    }
    current.hurry();
  }

  private static IgniteInterruptedException interrupted(String sentence) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(sentence);
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  CompletableFuture<Void> flushAsync() {
    GuardedFuture<Void> flushed = new GuardedFuture<>();
    settledAll().thenRun(() -> flushed.complete(null));
    return flushed.thenRun(this::reportFailures);
  }

  private void reportFailures() {
    context
        .failures()
        .take()
        .ifPresent(
            failures -> {
              throw failures;
            });
  }

  void flush(Duration timeout) {
    Senders.refuseOwnThreads("wait for a flush");
    CompletableFuture<Void> flushed = flushAsync();
    try {
      flushed.get(Nanos.of(timeout), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      flushed.cancel(false);
      throw interrupted("a flush was interrupted; the writes go on");
    } catch (TimeoutException e) {
      flushed.cancel(false);
      throw new WriteTimeoutException("not all writes were acknowledged", timeout);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WriteFailedException failed
          ? failed
          : new IllegalStateException("a flush failed in an unknown way", e.getCause());
    }
  }

  /** Moves to a new generation if partitions moved and the last move is over. */
  void followTopology() {
    try {
      if (current.hasStarted()) {
        Placement placement = topology.placement();
        if (!current.matches(placement)) {
          moveTo(placement);
        }
      }
    } catch (RuntimeException e) {
      LOG.log(Logger.Level.DEBUG, "the topology could not be read; it is asked again soon", e);
    }
  }

  private synchronized void moveTo(Placement placement) {
    if (closed) {
      return;
    }
    Generation<K, V> old = current;
    Generation<K, V> next = new Generation<>(context, placement, old.drained());
    next.start(old);
    previous = old;
    current = next;
    context.counters().moved();
    old.seal();
  }

  /** Takes no more writes, sends what there is, and gives up what the timeout leaves behind. */
  void close(Duration timeout) {
    Senders.refuseOwnThreads("close it");
    if (!sealForEver()) {
      return;
    }
    CompletableFuture<Void> settled = CompletableFuture.allOf(current.drained(), settledAll());
    boolean interrupted = awaitSettled(settled, Nanos.deadline(Nanos.of(timeout)));
    if (!settled.isDone()) {
      giveUp(timeout);
    }
    context.senders().close();
    context.port().close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    reportFailures();
  }

  private CompletableFuture<Void> settledAll() {
    Generation<K, V> old = previous;
    CompletableFuture<Void> before =
        old == null ? CompletableFuture.completedFuture(null) : old.flushed();
    return CompletableFuture.allOf(before, current.flushed());
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

  private static boolean awaitSettled(CompletableFuture<Void> settled, long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        settled.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException | ExecutionException e) {
        return interrupted;
      }
    }
  }

  private synchronized void giveUp(Duration timeout) {
    context.givenUp().set(true);
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "the writer was closed before the write was acknowledged", timeout);
    Generation<K, V> old = previous;
    if (old != null) {
      old.abandon(cause);
    }
    current.abandon(cause);
  }

  Set<Object> keysInDoubt() {
    return context.keysInDoubt().keys();
  }

  void release(Collection<? extends K> keys) {
    keys.forEach(context.keysInDoubt()::release);
  }

  void releaseAll() {
    context.keysInDoubt().releaseAll();
  }

  WriterStats stats() {
    return context.counters().read(context.budget(), context.keysInDoubt());
  }

  WriterContext<K, V> context() {
    return context;
  }
}
