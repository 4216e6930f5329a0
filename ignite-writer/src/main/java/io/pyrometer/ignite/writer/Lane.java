package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of some partitions' writes to the cache: an open batch that gathers them, and at most one
 * batch in flight. A lane sends when its open batch has reached the target size, when the batch has
 * lingered, or when it was told to hurry. The target doubles while writes queue behind the batch in
 * flight, and halves when a batch had to linger in vain.
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

  private final Workshop<K, V> shop;
  private final int capacity;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private PendingBatch<K, V> open;
  private @Nullable PendingBatch<K, V> inFlight;
  private State state = State.HELD;
  private boolean sealed;
  private boolean hurried;
  private boolean lingering;
  private int target;

  Lane(Workshop<K, V> shop, int capacity) {
    this.shop = shop;
    this.capacity = capacity;
    this.target = Math.min(shop.settings().smallestBatch(), capacity);
    this.open = new PendingBatch<>(target);
  }

  /** Takes a write, or answers {@link Ack#FULL} or {@link Ack#MOVED}. */
  synchronized Ack offer(K key, int spreadHash, @Nullable V value) {
    if (sealed) {
      return Ack.MOVED;
    }
    int slot = open.slotOf(key, spreadHash);
    Ack ack = slot >= 0 ? merge(slot, key, value) : append(key, spreadHash, value);
    if (ack == Ack.FULL) {
      hurried = true;
    }
    if (state == State.IDLE) {
      consider();
    }
    return ack;
  }

  private Ack merge(int slot, K key, @Nullable V value) {
    long moreBytes = bytesOf(key, value) - bytesOf(key, open.value(slot));
    return shop.room().tryGrow(moreBytes) ? open.replace(slot, value, moreBytes) : Ack.FULL;
  }

  private Ack append(K key, int spreadHash, @Nullable V value) {
    long bytes = bytesOf(key, value);
    boolean taken = open.size() < capacity && shop.room().tryTake(bytes);
    return taken ? open.add(key, spreadHash, value, bytes) : Ack.FULL;
  }

  private long bytesOf(K key, @Nullable V value) {
    if (!shop.settings().boundsBytes()) {
      return 0;
    }
    return value == null ? SizeEstimate.PER_ENTRY : shop.bytesOf(key, value);
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    if (open.size() > 0) {
      hurried = true;
      consider();
    }
  }

  /** Completes when all that was offered before is acknowledged or has failed; hurries. */
  synchronized CompletableFuture<Void> flushed() {
    hurry();
    if (open.size() > 0) {
      return open.done();
    }
    return inFlight == null ? CompletableFuture.completedFuture(null) : inFlight.done();
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
    if (open.size() == 0) {
      if (sealed) {
        drained.complete(null);
      }
    } else if (open.size() >= target || hurried || sealed) {
      state = State.BUSY;
      shop.senders().execute(this::send);
    } else if (!lingering) {
      lingering = true;
      shop.senders().after(shop.settings().linger().toNanos(), this::lingered);
    }
  }

  private synchronized void lingered() {
    lingering = false;
    if (state == State.IDLE && open.size() > 0 && open.size() < target) {
      target = Math.max(Math.min(shop.settings().smallestBatch(), capacity), target / 2);
      hurry();
    }
  }

  private void send() {
    PendingBatch<K, V> batch;
    synchronized (this) {
      batch = open;
      inFlight = batch;
      open = new PendingBatch<>(batch.size());
      hurried = false;
    }
    shop.room().signal();
    new BatchSend<>(batch, shop, this::sent).start();
  }

  private synchronized void sent() {
    inFlight = null;
    if (open.size() >= target) {
      target = Math.min(target * 2, capacity);
    }
    state = State.IDLE;
    consider();
  }

  /** Fails all that is not acknowledged, so that nobody waits for it any longer. */
  void abandon(Throwable cause) {
    PendingBatch<K, V> unsent;
    @Nullable PendingBatch<K, V> sent;
    synchronized (this) {
      unsent = open;
      sent = inFlight;
      open = new PendingBatch<>(0);
    }
    abandon(unsent, cause);
    if (sent != null) {
      abandon(sent, cause);
    }
  }

  private void abandon(PendingBatch<K, V> batch, Throwable cause) {
    for (int slot = 0; slot < batch.size(); slot++) {
      shop.fail(batch, slot, cause);
    }
    batch.done().complete(null);
  }
}
