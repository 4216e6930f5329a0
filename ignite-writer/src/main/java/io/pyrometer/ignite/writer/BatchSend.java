package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way: sent in parts, one after another, until every entry is acknowledged or has
 * failed. A part that meets a passing fault is sent again; one that fails for the sake of some keys
 * is halved until they stand alone, unless nothing at all succeeds any more.
 */
final class BatchSend<K, V> {
  /** Calls that may fail one after another before a batch is given up as a whole. */
  private static final int STRIKES = 64;

  private final Batch<K, V> batch;
  private final CachePort<K, V> port;
  private final Workshop<K, V> shop;
  private final Runnable whenDone;
  private final Deque<Part> parts = new ArrayDeque<>();
  private int strikes;

  BatchSend(Batch<K, V> batch, Workshop<K, V> shop, Runnable whenDone) {
    this.batch = batch;
    this.port = shop.port();
    this.shop = shop;
    this.whenDone = whenDone;
  }

  void start() {
    orGiveUp(
        () -> {
          plan();
          sendNext();
        });
  }

  /** Keys' own methods may throw; nobody shall wait for ever because of it. */
  private void orGiveUp(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      parts.clear();
      for (int slot = 0; slot < batch.size(); slot++) {
        shop.fail(batch, slot, e);
      }
      finish();
    }
  }

  private void plan() {
    if (batch.removals() > 0) {
      plan(Part.of(batch, true));
    }
    if (batch.removals() < batch.size()) {
      plan(Part.of(batch, false));
    }
  }

  private void plan(Part part) {
    parts.push(port.locksInOrder() ? part.sorted(batch) : part.byPartition(batch));
  }

  private void sendNext() {
    @Nullable Part part = parts.poll();
    if (part == null) {
      finish();
    } else {
      call(part)
          .whenCompleteAsync((done, error) -> orGiveUp(() -> settle(part, error)), shop.senders());
    }
  }

  private CompletionStage<?> call(Part part) {
    BatchEntries<K, V> entries = new BatchEntries<>(batch, part);
    try {
      return part.removal() ? port.removeAll(entries.keySet()) : port.putAll(entries);
    } catch (RuntimeException | LinkageError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void settle(Part part, @Nullable Throwable error) {
    if (error == null) {
      strikes = 0;
      acknowledge(part.slots());
      sendNext();
      return;
    }
    Fault fault = port.read(error);
    int[] failed = failedSlots(part, fault.failedKeys());
    if (failed.length < part.size()) {
      acknowledgeAllBut(failed, part);
    }
    meet(fault, part, failed);
  }

  private void meet(Fault fault, Part part, int[] failed) {
    boolean singledOut = failed.length == 1 || !fault.failedKeys().isEmpty();
    if (fault.kind() == Fault.Kind.PASSING && shop.mayRetry(part.attempt())) {
      shop.tally().retried();
      parts.push(part.again(failed));
      shop.senders().after(shop.settings().retries().pauseNanos(part.attempt()), this::sendNext);
    } else if (fault.kind() == Fault.Kind.KEYS && !singledOut && ++strikes < STRIKES) {
      parts.push(part.secondHalf());
      parts.push(part.firstHalf());
      sendNext();
    } else {
      fail(failed, fault.cause());
      sendNext();
    }
  }

  /** The slots of the failed keys; of all keys, where the fault names none or unknown ones. */
  private int[] failedSlots(Part part, Collection<?> keys) {
    int[] slots = keys.stream().mapToInt(batch::slotOf).sorted().toArray();
    boolean known = slots.length > 0 && slots[0] >= 0;
    return known ? slots : part.slots();
  }

  private void acknowledgeAllBut(int[] failed, Part part) {
    acknowledge(
        IntStream.of(part.slots()).filter(slot -> Arrays.binarySearch(failed, slot) < 0).toArray());
  }

  private void acknowledge(int[] slots) {
    for (int slot : slots) {
      batch.ack(slot).succeed();
    }
  }

  private void fail(int[] slots, Throwable cause) {
    for (int slot : slots) {
      shop.fail(batch, slot, cause);
    }
  }

  private void finish() {
    shop.tally().batchDone(batch);
    shop.room().release(batch.size(), batch.bytes());
    whenDone.run();
  }
}
