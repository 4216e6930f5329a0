package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way: sent in slices, one after another, until every entry is acknowledged or has
 * failed. A slice that meets a passing fault is sent again until its deadline; one that fails for
 * the sake of some keys is halved until they stand alone, unless nothing at all succeeds any more;
 * one whose outcome is unknown is never sent again, and puts its keys in doubt.
 *
 * <p>Implementation note: a call is ended once, by its own completion or by whoever gives it up
 * (the watch over stalled senders, the deadline), and only who ended it goes on with the batch.
 * Each step first sets the next call going, or frees the lane, and completes futures after that:
 * callers' stages may take their time without holding up the lane.
 */
final class BatchSend<K, V> {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  /** Calls that may fail one after another before a batch is given up as a whole. */
  private static final int MOST_FAILURES = 64;

  private final Batch<K, V> batch;
  private final CachePort<K, V> port;
  private final WriterContext<K, V> context;
  private final Runnable whenSent;
  private final Runnable whenSettled;
  private final Deque<BatchSlice> slices = new ArrayDeque<>();
  private final AtomicInteger open;
  private volatile @Nullable Call call;
  private final AtomicBoolean freed = new AtomicBoolean();
  private int failuresInARow;

  private static final class Call {
    private final BatchSlice slice;
    private final long start = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile List<Object> doubted = List.of();
    private volatile boolean over;
    private boolean reported;

    Call(BatchSlice slice) {
      this.slice = slice;
    }

    boolean end() {
      return ended.compareAndSet(false, true);
    }
  }

  /**
   * Prepares a batch.
   *
   * @param whenSent run when no call is outstanding and none will follow: the lane is free
   * @param whenSettled run when every entry's future is complete
   */
  BatchSend(
      Batch<K, V> batch, WriterContext<K, V> context, Runnable whenSent, Runnable whenSettled) {
    this.batch = batch;
    this.port = context.port();
    this.context = context;
    this.whenSent = whenSent;
    this.whenSettled = whenSettled;
    this.open = new AtomicInteger(batch.size());
  }

  void start() {
    context.counters().batchSent(batch, System.nanoTime());
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
      LOG.log(Logger.Level.DEBUG, "a batch is given up", e);
      slices.clear();
      free();
      fail(allSlots(), false, e);
    }
  }

  private int[] allSlots() {
    return IntStream.range(0, batch.size()).toArray();
  }

  private void plan() {
    if (batch.isOperation()) {
      slices.push(BatchSlice.ofOperation());
      return;
    }
    if (batch.removals() > 0) {
      plan(BatchSlice.of(batch, true));
    }
    if (batch.removals() < batch.size()) {
      plan(BatchSlice.of(batch, false));
    }
  }

  private void plan(BatchSlice slice) {
    slices.push(port.locksInOrder() ? slice.sorted(batch) : slice.byPartition(batch));
  }

  private void free() {
    if (freed.compareAndSet(false, true)) {
      whenSent.run();
    }
  }

  private void sendNext() {
    if (context.givenUp().get()) {
      slices.clear();
      free();
      fail(allSlots(), false, new IllegalStateException("the writer was closed meanwhile"));
      return;
    }
    @Nullable BatchSlice slice = slices.poll();
    while (slice != null) {
      int[] blocked = inDoubt(slice);
      if (blocked.length == 0) {
        send(slice);
        return;
      }
      Arrays.sort(blocked);
      BatchSlice rest = slice.only(slot -> Arrays.binarySearch(blocked, slot) < 0);
      if (rest.size() > 0) {
        slices.push(rest);
      }
      failBlocked(blocked);
      slice = slices.poll();
    }
    free();
  }

  /** The slots whose keys must not be written now. */
  private int[] inDoubt(BatchSlice slice) {
    return context.keysInDoubt().any()
        ? IntStream.of(slice.slots())
            .filter(slot -> context.keysInDoubt().of(batch.key(slot)).isPresent())
            .toArray()
        : new int[0];
  }

  /** On another thread, because futures are completed: the lane's next call must not wait. */
  private void failBlocked(int[] blocked) {
    context
        .senders()
        .execute(
            () -> {
              for (int slot : blocked) {
                Optional<Throwable> cause = context.keysInDoubt().of(batch.key(slot));
                WriteInDoubtException refusal =
                    new WriteInDoubtException(
                        "the write was not sent because an earlier write of its key is in doubt",
                        cause.orElseGet(() -> new IllegalStateException("released meanwhile")));
                fail(new int[] {slot}, false, refusal);
              }
            });
  }

  private void send(BatchSlice slice) {
    if (port.isReachable()) {
      call(slice);
      return;
    }
    K key = batch.key(slice.slots()[0]);
    probe(key)
        .whenCompleteAsync(
            (done, error) ->
                orGiveUp(
                    () -> {
                      if (error == null) {
                        call(slice);
                      } else {
                        notSent(port.read(error), slice);
                      }
                    }),
            context.senders());
  }

  /** Meets the failure of a probe: nothing was written, so it may be tried again in any case. */
  private void notSent(Fault fault, BatchSlice slice) {
    if (fault.kind() != Fault.Kind.FINAL && mayRepeat(slice)) {
      repeat(fault, slice, slice.slots());
    } else {
      andThen(() -> fail(slice.slots(), false, fault.cause()));
    }
  }

  private CompletionStage<?> probe(K key) {
    try {
      return port.probe(key);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void call(BatchSlice slice) {
    Call next = new Call(slice);
    call = next;
    CompletionStage<?> stage = Senders.watched(() -> invoke(slice), () -> giveUp(next, stalled()));
    if (slices.isEmpty() && stage instanceof CompletableFuture<?> future && succeeded(future)) {
      settle(next, future.join(), null); // the last call, or one would end within the other
    } else {
      stage.whenCompleteAsync(
          (done, error) -> orGiveUp(() -> settle(next, done, error)), context.senders());
    }
  }

  private static boolean succeeded(CompletableFuture<?> future) {
    return future.isDone() && !future.isCompletedExceptionally();
  }

  private WriteTimeoutException stalled() {
    return new WriteTimeoutException(
        "Ignite did not take a batch for cache " + port.name(), context.settings().stallTimeout());
  }

  @SuppressWarnings("unchecked")
  private CompletionStage<?> invoke(BatchSlice slice) {
    try {
      Object first = batch.content(slice.slots()[0]);
      if (first instanceof Operation.PutIfAbsent<?> absent) {
        return port.putIfAbsent(batch.key(0), (V) absent.absentValue());
      }
      if (first instanceof Operation.Invoke<?, ?, ?> invoke) {
        Operation.Invoke<K, V, ?> typed = (Operation.Invoke<K, V, ?>) invoke;
        return port.invoke(batch.key(0), typed.processor(), typed.arguments().toArray());
      }
      BatchEntries<K, V> entries = new BatchEntries<>(batch, slice);
      if (port.locksInOrder()) {
        return slice.removal()
            ? port.removeAll(sorted(entries.keySet()))
            : port.putAll(sorted(entries));
      }
      return slice.removal() ? port.removeAll(entries.keySet()) : port.putAll(entries);
    } catch (RuntimeException | LinkageError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * A sorted map, without which Ignite warns of deadlocks in a transactional cache; as they are
   * where two keys have the same place in the order.
   */
  private static <K, V> Map<K, V> sorted(BatchEntries<K, V> entries) {
    TreeMap<K, V> sorted = new TreeMap<>(KeyOrder.INSTANCE);
    sorted.putAll(entries);
    return sorted.size() == entries.size() ? sorted : entries;
  }

  private static <K> Set<K> sorted(Set<K> keys) {
    TreeSet<K> sorted = new TreeSet<>(KeyOrder.INSTANCE);
    sorted.addAll(keys);
    return sorted.size() == keys.size() ? sorted : keys;
  }

  private void settle(Call ended, @Nullable Object answer, @Nullable Throwable error) {
    if (!ended.end()) {
      settleLate(ended, error);
      return;
    }
    call = null;
    BatchSlice slice = ended.slice;
    if (error == null) {
      failuresInARow = 0;
      context.counters().acknowledgement.record(System.nanoTime() - ended.start);
      andThen(() -> acknowledge(slice.slots(), answer));
      return;
    }
    Fault fault = port.read(error);
    int[] failed = failedSlots(slice, fault.failedKeys());
    int[] others = failed.length < slice.size() ? allBut(failed, slice) : new int[0];
    try {
      meet(fault, slice, failed);
    } finally {
      complete(() -> acknowledge(others, null));
    }
  }

  /** Goes on with the batch, and completes futures after that. */
  private void andThen(Runnable completion) {
    try {
      sendNext();
    } finally {
      complete(completion);
    }
  }

  /** By now the next call may be under way, so that no error may be taken for one of its own. */
  private static void complete(Runnable completion) {
    try {
      completion.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "futures of a batch could not be completed", e);
    }
  }

  /** A call that was given up has ended after all, so its keys are in doubt no longer. */
  private void settleLate(Call ended, @Nullable Throwable error) {
    if (error == null || port.read(error).kind() != Fault.Kind.IN_DOUBT) {
      ended.over = true;
      context.keysInDoubt().ended(ended, ended.doubted);
    }
  }

  private void meet(Fault fault, BatchSlice slice, int[] failed) {
    boolean singledOut = failed.length == 1 || !fault.failedKeys().isEmpty();
    if (fault.kind() == Fault.Kind.IN_DOUBT) {
      doubt(new Call(slice), failed, fault.cause());
    } else if (fault.kind() == Fault.Kind.PASSING && !batch.isOperation() && mayRepeat(slice)) {
      repeat(fault, slice, failed);
    } else if (fault.kind() == Fault.Kind.KEYS && !singledOut && ++failuresInARow < MOST_FAILURES) {
      slices.push(slice.secondHalf());
      slices.push(slice.firstHalf());
      sendNext();
    } else {
      andThen(() -> fail(failed, false, fault.cause()));
    }
  }

  private boolean mayRepeat(BatchSlice slice) {
    long pause = context.settings().pauseNanos(slice.attempt());
    long age = System.nanoTime() - batch.oldest();
    return !context.givenUp().get() && age + pause < Nanos.of(context.settings().writeTimeout());
  }

  /** Sends again after a pause, or as soon as the fault is known to be over. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void repeat(Fault fault, BatchSlice slice, int[] failed) {
    context.counters().retried();
    slices.push(slice.again(failed));
    AtomicBoolean once = new AtomicBoolean();
    Runnable next =
        () -> {
          if (once.compareAndSet(false, true)) {
            orGiveUp(this::sendNext);
          }
        };
    fault.over().ifPresent(over -> over.whenCompleteAsync((d, e) -> next.run(), context.senders()));
    context.senders().after(context.settings().pauseNanos(slice.attempt()), next);
  }

  /** Ends a call whose outcome nobody knows: its keys are in doubt until it has ended. */
  private void giveUp(Call given, WriteTimeoutException cause) {
    if (given.end()) {
      context.senders().execute(() -> orGiveUp(() -> doubt(given, given.slice.slots(), cause)));
    }
  }

  private void doubt(Call holder, int[] slots, Throwable cause) {
    List<Object> keys = IntStream.of(slots).mapToObj(slot -> (Object) batch.key(slot)).toList();
    WriteInDoubtException doubt =
        new WriteInDoubtException(
            "the write was sent and may or may not be applied: " + cause.getMessage(), cause);
    holder.doubted = keys;
    context.keysInDoubt().add(holder, keys, doubt);
    if (holder.over) {
      context.keysInDoubt().ended(holder, keys);
    }
    andThen(() -> fail(slots, true, doubt));
  }

  /** Gives up a call that is outstanding longer than its entries may take; warns before. */
  void expire(long now) {
    Call outstanding = call;
    if (outstanding == null || outstanding.ended.get()) {
      return;
    }
    Duration limit = context.settings().writeTimeout();
    if (now - batch.oldest() > Nanos.of(limit)) {
      giveUp(
          outstanding,
          new WriteTimeoutException(
              "cache " + port.name() + " did not acknowledge a batch", limit));
    } else if (now - outstanding.start > Nanos.of(context.settings().stallTimeout())
        && !outstanding.reported) {
      outstanding.reported = true;
      LOG.log(
          Logger.Level.WARNING,
          "cache {0} has not acknowledged a batch of {1} entries for {2} ms",
          port.name(),
          outstanding.slice.size(),
          (now - outstanding.start) / 1_000_000);
    }
  }

  /** Fails all that is not acknowledged; what was sent is in doubt. */
  void abandon(Throwable cause) {
    Call outstanding = call;
    boolean wasSent = outstanding != null && outstanding.end();
    fail(allSlots(), wasSent, cause);
  }

  /** The slots of the failed keys; of all keys, where the fault names none or unknown ones. */
  private int[] failedSlots(BatchSlice slice, Collection<?> keys) {
    int[] slots = keys.stream().mapToInt(batch::slotOf).sorted().toArray();
    boolean known = slots.length > 0 && slots[0] >= 0;
    return known ? slots : slice.slots();
  }

  private static int[] allBut(int[] failed, BatchSlice slice) {
    return IntStream.of(slice.slots())
        .filter(slot -> Arrays.binarySearch(failed, slot) < 0)
        .toArray();
  }

  @SuppressWarnings("unchecked")
  private void acknowledge(int[] slots, @Nullable Object answer) {
    int completed = 0;
    for (int slot : slots) {
      completed += batch.future(slot).succeed() ? 1 : 0;
    }
    if (completed > 0 && batch.isOperation() && batch.content(0) instanceof Operation<?> only) {
      ((GuardedFuture<@Nullable Object>) only.result()).complete(answer);
    }
    completed(completed);
  }

  private void fail(int[] slots, boolean inDoubt, Throwable cause) {
    int completed = 0;
    for (int slot : slots) {
      if (context.fail(batch, slot, inDoubt, cause)) {
        completed++;
      }
    }
    completed(completed);
  }

  private void completed(int entries) {
    if (entries > 0 && open.addAndGet(-entries) == 0) {
      context.counters().finished(batch.size());
      context.budget().release(batch.size(), batch.bytes());
      whenSettled.run();
    }
  }
}
