package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of some partitions' writes to the cache: writes that wait, and at most one batch in
 * flight. A lane sends when enough writes wait ({@link BatchSize}), when they have lingered, or
 * when it was told to hurry.
 *
 * <p>A new lane may be held, gathering only, until the lanes its partitions come from are drained.
 * A sealed lane takes no more writes, sends what it has, and then is drained.
 */
final class Lane<K, V> {
  private enum State {
    HELD,
    IDLE,
    BUSY
  }

  /** Somebody waits until so many entries have been acknowledged or have failed. */
  private record Waiter(long entries, CompletableFuture<Void> flushed) {}

  private final Workshop<K, V> shop;
  private final BatchSize sizes;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final PendingWrites<K, V> waiting = new PendingWrites<>();
  private final Deque<Waiter> flushes = new ArrayDeque<>();
  private @Nullable Batch<K, V> inFlight;
  private State state = State.HELD;
  private boolean sealed;
  private boolean lingering;
  private long taken;
  private long settled;
  private long hurryUntil;

  Lane(Workshop<K, V> shop, BatchSize sizes) {
    this.shop = shop;
    this.sizes = sizes;
  }

  /** Takes a write, or answers {@link Ack#FULL} or {@link Ack#MOVED}. */
  synchronized Ack offer(
      K key, int spreadHash, int partition, @Nullable V value, @Nullable Group group) {
    if (sealed) {
      return Ack.MOVED;
    }
    int slot = waiting.slotOf(key, spreadHash);
    Ack ack = slot >= 0 ? merge(slot, key, value) : append(key, spreadHash, partition, value);
    if (ack == Ack.FULL) {
      hurryUntil = accepted();
    } else if (group != null) {
      ack.tell(group);
    }
    if (state == State.IDLE) {
      consider();
    }
    return ack;
  }

  private Ack merge(int slot, K key, @Nullable V value) {
    long bytes = bytesOf(key, value);
    long merged = waiting.mergedBytes(slot) + SizeEstimate.PER_MERGED_WRITE;
    boolean fits = shop.room().tryGrow(bytes + merged - waiting.bytes(slot));
    return fits ? waiting.replace(slot, value, bytes) : Ack.FULL;
  }

  private Ack append(K key, int spreadHash, int partition, @Nullable V value) {
    long bytes = bytesOf(key, value);
    boolean fits =
        sizes.hasRoom(waiting.size(), waiting.mergedSinceTake()) && shop.room().tryTake(bytes);
    return fits ? waiting.append(key, spreadHash, partition, value, bytes) : Ack.FULL;
  }

  private long bytesOf(K key, @Nullable V value) {
    return value == null ? SizeEstimate.PER_ENTRY : shop.bytesOf(key, value);
  }

  private long accepted() {
    return taken + waiting.size();
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    hurryUntil = accepted();
    consider();
  }

  /** Completes when all that was offered before is acknowledged or has failed; hurries. */
  synchronized CompletableFuture<Void> flushed() {
    hurry();
    if (settled == accepted()) {
      return CompletableFuture.completedFuture(null);
    }
    Waiter waiter = new Waiter(accepted(), new CompletableFuture<>());
    flushes.add(waiter);
    return waiter.flushed();
  }

  synchronized void release() {
    state = State.IDLE;
    consider();
  }

  synchronized CompletableFuture<Void> seal() {
    sealed = true;
    consider();
    return drained;
  }

  private void consider() {
    if (state != State.IDLE) {
      return;
    }
    if (waiting.size() == 0) {
      if (sealed) {
        drained.complete(null);
      }
    } else if (waiting.size() >= sizes.target() || taken < hurryUntil || sealed) {
      state = State.BUSY;
      shop.senders().execute(this::send);
    } else if (!lingering) {
      lingering = true;
      shop.senders().after(shop.settings().linger().toNanos(), this::lingered);
    }
  }

  private synchronized void lingered() {
    lingering = false;
    if (state == State.IDLE && waiting.size() > 0 && waiting.size() < sizes.target()) {
      sizes.lingered();
      hurry();
    }
  }

  private void send() {
    Batch<K, V> batch;
    synchronized (this) {
      shop.tally().merged(waiting.mergedSinceTake());
      sizes.taking(waiting.size(), waiting.mergedSinceTake());
      batch = waiting.take(sizes.largest());
      taken += batch.size();
      inFlight = batch;
    }
    shop.room().signal();
    new BatchSend<>(batch, shop, () -> sent(batch.size())).start();
  }

  private void sent(int entries) {
    List<Waiter> reached = new ArrayList<>();
    synchronized (this) {
      inFlight = null;
      settled += entries;
      while (!flushes.isEmpty() && flushes.element().entries() <= settled) {
        reached.add(flushes.remove());
      }
      sizes.sent(waiting.size());
      state = State.IDLE;
      consider();
    }
    reached.forEach(waiter -> waiter.flushed().complete(null));
  }

  /** Fails all that is not acknowledged, so that nobody waits for it any longer. */
  void abandon(Throwable cause) {
    Batch<K, V> unsent;
    @Nullable Batch<K, V> sent;
    List<Waiter> waiters;
    synchronized (this) {
      unsent = waiting.take(Integer.MAX_VALUE);
      sent = inFlight;
      waiters = List.copyOf(flushes);
      flushes.clear();
    }
    abandon(unsent, cause);
    if (sent != null) {
      abandon(sent, cause);
    }
    waiters.forEach(waiter -> waiter.flushed().complete(null));
  }

  private void abandon(Batch<K, V> batch, Throwable cause) {
    for (int slot = 0; slot < batch.size(); slot++) {
      shop.fail(batch, slot, cause);
    }
  }
}
