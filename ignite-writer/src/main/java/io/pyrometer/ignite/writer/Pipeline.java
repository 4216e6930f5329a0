package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
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
  private final Workshop<K, V> shop;
  private volatile Generation<K, V> current;
  private volatile CompletableFuture<Void> drained = CompletableFuture.completedFuture(null);
  private @Nullable Generation<K, V> previous;
  private volatile boolean closed;

  Pipeline(Topology<K> topology, Workshop<K, V> shop) {
    this.topology = topology;
    this.shop = shop;
    this.current = new Generation<>(shop, topology.placement(), drained);
    current.startAfterPredecessor();
  }

  void watchTopology() {
    shop.senders().every(shop.settings().topologyPoll(), this::followTopology);
  }

  CompletableFuture<Void> offer(K key, @Nullable V value, @Nullable Group group) {
    int partition = topology.partition(key);
    int hash = PendingWrites.spread(key.hashCode());
    Ack ack = current.lane(partition).offer(key, hash, partition, value, group);
    return isAcceptance(ack) ? ack : offerAgain(partition, key, hash, value, group);
  }

  private static boolean isAcceptance(Ack ack) {
    return ack != Ack.FULL && ack != Ack.MOVED;
  }

  private Ack offerAgain(int partition, K key, int hash, @Nullable V value, @Nullable Group group) {
    long deadline = deadline(shop.settings().writeTimeout());
    while (!closed) {
      long seen = shop.room().changes();
      Generation<K, V> generation = current;
      Ack ack = generation.lane(partition).offer(key, hash, partition, value, group);
      if (isAcceptance(ack)) {
        return ack;
      }
      if (ack == Ack.FULL) {
        generation.hurry();
        awaitRoom(seen, deadline);
      }
    }
    throw new IllegalStateException("the writer is closed; key " + key + " was not taken");
  }

  private void awaitRoom(long seen, long deadline) {
    refuseOwnThreads("write when there is no room");
    try {
      if (!shop.room().awaitChange(seen, deadline)) {
        throw new WriteTimeoutException(
            "there was no room for a write", shop.settings().writeTimeout());
      }
    } catch (InterruptedException e) {
      throw interrupted("a write was interrupted before it was taken");
    }
  }

  private void refuseOwnThreads(String what) {
    if (shop.senders().isCaller()) {
      throw new IllegalStateException(
          "a writer's own thread cannot " + what + "; use the futures' Async methods");
    }
  }

  private static long deadline(Duration wait) {
    return System.nanoTime() + Math.min(wait.toNanos(), Long.MAX_VALUE / 2);
  }

  private static IgniteInterruptedException interrupted(String sentence) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(sentence);
  }

  CompletableFuture<Void> flushAsync() {
    return current.flushed().thenRun(this::reportFailures);
  }

  private void reportFailures() {
    shop.failures()
        .take()
        .ifPresent(
            failures -> {
              throw failures;
            });
  }

  void flush(Duration timeout) {
    refuseOwnThreads("wait for a flush");
    CompletableFuture<Void> flushed = flushAsync();
    try {
      flushed.get(Math.min(timeout.toNanos(), Long.MAX_VALUE / 2), TimeUnit.NANOSECONDS);
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

  @SuppressWarnings("FutureReturnValueIgnored")
  private synchronized void moveTo(Placement placement) {
    if (closed) {
      return;
    }
    CompletableFuture<Void> oldDrained = new CompletableFuture<>();
    Generation<K, V> old = current;
    Generation<K, V> next = new Generation<>(shop, placement, oldDrained);
    next.startAfterPredecessor();
    previous = old;
    current = next;
    shop.tally().moved();
    old.seal().thenRun(() -> oldDrained.complete(null));
    shop.room().signal();
  }

  /** Takes no more writes, sends what there is, and gives up what the timeout left behind. */
  void close() {
    refuseOwnThreads("close it");
    if (!sealForEver()) {
      return;
    }
    boolean interrupted = awaitDrained(deadline(shop.settings().closeTimeout()));
    if (!drained.isDone()) {
      giveUp();
    }
    shop.senders().close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    reportFailures();
  }

  private synchronized boolean sealForEver() {
    if (closed) {
      return false;
    }
    closed = true;
    drained = current.seal();
    shop.room().signal();
    return true;
  }

  private boolean awaitDrained(long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        drained.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException | ExecutionException e) {
        return interrupted;
      }
    }
  }

  private synchronized void giveUp() {
    shop.givenUp().set(true);
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "the writer was closed before the write was acknowledged", closeTimeout());
    if (previous != null) {
      previous.abandon(cause);
    }
    current.abandon(cause);
  }

  private Duration closeTimeout() {
    return shop.settings().closeTimeout();
  }

  WriterStats stats() {
    return shop.tally().read(shop.room());
  }
}
