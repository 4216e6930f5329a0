package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch, by blocking calls on one worker, until each write is acknowledged, has failed,
 * is in doubt, or waits again. A call that meets a passing fault is repeated; one that fails
 * because of some keys is divided, at the bounds of partitions first, until those keys stand alone;
 * one that may still be applied puts its keys in doubt.
 *
 * <p>Writes whose deadline passes are failed by the clock meanwhile. A call all of whose writes
 * have failed is given up: another worker goes on with the lane, and this one only notes when the
 * call ends after all.
 */
final class BatchSender {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final long FIRST_PAUSE = 10_000_000;
  private static final long LONGEST_PAUSE = 500_000_000;
  private static final int ALONE = 31; // divisions after which a write has a call of its own
  private static final int LOCK_DIVISIONS = 4; // of a call with a key that is locked
  private static final int WHOLE_ATTEMPTS =
      3; // before a call is divided or fails: a server may be stopping

  /** Calls are of puts or of removals; those that were divided before have smaller ones. */
  private static final Comparator<PendingWrite> IN_CALLS =
      Comparator.comparing(PendingWrite::isRemoval).thenComparingInt(write -> write.divisions);

  private final Lane lane;
  private final Context context;
  private final Deque<Call> calls = new ArrayDeque<>();
  private volatile @Nullable Call outstanding;

  /** Puts or removals that are sent together. */
  private static final class Call {
    private final List<PendingWrite> writes;
    private final int attempt;
    private final Thread thread = Thread.currentThread();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Doubts.@Nullable Doubt doubt;

    Call(List<PendingWrite> writes, int attempt) {
      this.writes = writes;
      this.attempt = attempt;
    }

    boolean hasFailed() {
      return writes.stream().allMatch(write -> write.failure() != null);
    }
  }

  BatchSender(Lane lane, Context context) {
    this.lane = lane;
    this.context = context;
  }

  /** Sends writes of a lane; false if it was given up, and the lane belongs to another worker. */
  boolean send(List<PendingWrite> taken) {
    sortByPartition(taken);
    List<PendingWrite> batch = new ArrayList<>(taken.size());
    PendingWrite.forEachRun(
        taken, (a, b) -> a.shard == b.shard, run -> run.get(0).shard.take(run, batch));
    try {
      batch.sort(IN_CALLS);
      PendingWrite.forEachRun(batch, (a, b) -> IN_CALLS.compare(a, b) == 0, this::plan);
      while (!calls.isEmpty()) {
        if (!send(calls.pop())) {
          return false;
        }
      }
    } catch (RuntimeException | Error e) { // a key's own methods, for instance
      LOG.log(Logger.Level.WARNING, "a batch failed", e);
      calls.clear();
      fail(batch, Fault.of(Fault.Kind.KEYS, e), false);
    }
    return true;
  }

  /**
   * By partition, and in each by hash: the order of the trees in which Ignite keeps partitions, so
   * that a node goes through a few of them, each in one direction. Sorting numbers costs a fraction
   * of comparing writes; 16 bits suffice for those of one batch, whose bytes are bounded.
   *
   * <p>Of keys of different classes that are equal in Java, such as dates of one instant, Ignite
   * 2.17.0 loses some if one call has them, although it keeps them apart: each has its own call.
   */
  private static void sortByPartition(List<PendingWrite> writes) {
    PendingWrite[] unsorted = writes.toArray(PendingWrite[]::new);
    long[] order = new long[unsorted.length];
    for (int i = 0; i < order.length; i++) {
      Key key = unsorted[i].key;
      long hash = (key.hash & 0xFFFF_FFFFL) ^ 0x8000_0000L;
      order[i] = (long) key.partition << 48 | hash << 16 | i;
    }
    Arrays.sort(order);
    for (int i = 0; i < order.length; i++) {
      PendingWrite write = unsorted[(int) order[i] & 0xFFFF];
      writes.set(i, write);
      for (int j = i - 1; j >= 0 && order[j] >>> 16 == order[i] >>> 16; j--) {
        if (write.key.isEqualInJava(writes.get(j).key)) {
          write.divisions = ALONE;
        }
      }
    }
  }

  /** In the order of Ignite's trees, or, where calls lock keys, in one for all writers. */
  private void plan(List<PendingWrite> writes) {
    if (context.port.locksInOrder()) {
      writes.sort(Comparator.comparing(write -> write.key.encoded, Key.LOCK_ORDER));
    }
    int size = Math.max(1, writes.size() >> Math.min(ALONE, writes.get(0).divisions));
    for (int from = 0; from < writes.size(); from += size) {
      calls.add(new Call(writes.subList(from, Math.min(writes.size(), from + size)), 0));
    }
  }

  /** Makes a call; false if it was given up. */
  private boolean send(Call planned) {
    List<PendingWrite> writes = new ArrayList<>(planned.writes.size());
    for (PendingWrite write : planned.writes) {
      if (write.call()) {
        writes.add(write);
      } else {
        write.shard.settle(List.of(write));
      }
    }
    if (writes.isEmpty()) {
      return true;
    }
    Call call = new Call(writes, planned.attempt);
    outstanding = call;
    @Nullable Throwable error = null;
    boolean made = !call.hasFailed(); // otherwise close() may not have seen that it is outstanding
    try {
      if (made) {
        context.port.send(new BatchMap(writes));
      }
    } catch (Throwable e) { // a worker goes on after any error
      error = e;
    }
    if (call.ended.getAndSet(true)) { // it was given up, and has an answer after all
      boolean known = error == null || context.port.read(error).kind != Fault.Kind.IN_DOUBT;
      Objects.requireNonNull(call.doubt).returned(known);
      return false;
    }
    outstanding = null;
    if (made) {
      context.lastError = error;
    }
    if (error == null) {
      context.completions.settle(writes, null);
    } else {
      meet(call, context.port.read(error));
    }
    return true;
  }

  /** Plans some writes of a call that has ended as the next call. */
  private void again(Call call, List<PendingWrite> writes, int attempts) {
    writes.forEach(PendingWrite::returned);
    calls.push(new Call(writes, call.attempt + attempts));
  }

  private void meet(Call call, Fault fault) {
    Set<Object> named = new HashSet<>(fault.failedKeys);
    Map<Boolean, List<PendingWrite>> byName =
        call.writes.stream()
            .collect(Collectors.partitioningBy(write -> named.contains(write.key.encoded)));
    List<PendingWrite> failed = byName.getOrDefault(true, List.of());
    if (failed.isEmpty()) {
      failed = call.writes;
    } else {
      context.completions.settle(byName.getOrDefault(false, List.of()), null);
    }
    switch (fault.kind) {
      case NOT_SENT:
        repeat(call, failed);
        break;
      case PASSING:
        if (context.settings.repeats) {
          repeat(call, failed);
        } else {
          fail(failed, fault, true);
        }
        break;
      case KEYS:
        single(call, failed, fault);
        break;
      case LOCKED: // until their deadlines, in ever smaller calls
        for (PendingWrite write : failed) {
          write.divisions = failed.size() == 1 ? ALONE : write.divisions + LOCK_DIVISIONS;
          write.shard.requeue(write);
        }
        break;
      case IN_DOUBT:
        context.doubts.add(new Doubts.Doubt(lane.node, failed, fault.cause, null));
        break;
      case FINAL:
        fail(failed, fault, false);
        break;
    }
  }

  /** Singles out the keys that make a call fail, of which one alone may be the call. */
  private void single(Call call, List<PendingWrite> failed, Fault fault) {
    boolean tried = call.attempt >= WHOLE_ATTEMPTS || !context.settings.repeats;
    if (failed != call.writes || (failed.size() == 1 && tried)) {
      fail(failed, fault, false);
    } else if (!context.settings.repeats) { // the others may have been applied
      fail(failed, fault, true);
    } else if (call.attempt < WHOLE_ATTEMPTS) {
      repeat(call, failed);
    } else {
      divide(call, failed);
    }
  }

  private void divide(Call call, List<PendingWrite> writes) {
    int half = writes.size() / 2;
    int partition = writes.get(half - 1).key.partition;
    int cut = half;
    while (cut < writes.size() && writes.get(cut).key.partition == partition) {
      cut++;
    }
    cut = cut == writes.size() ? half : cut;
    again(call, writes.subList(cut, writes.size()), 0);
    again(call, writes.subList(0, cut), 0);
  }

  /** Repeats a call after a pause that doubles. */
  private void repeat(Call call, List<PendingWrite> writes) {
    context.counters.retries.increment();
    again(call, writes, 1);
    long end =
        System.nanoTime() + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(call.attempt, 20));
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private void fail(List<PendingWrite> writes, Fault fault, boolean inDoubt) {
    context.completions.settle(
        writes, new PendingWrite.Failure(fault.cause, inDoubt, fault.retriable));
  }

  /** Gives up a call all of whose writes have failed. */
  synchronized void tick() {
    @Nullable Call call = outstanding;
    if (call == null || !call.hasFailed()) {
      return;
    }
    Throwable cause = call.writes.get(0).requireFailure().cause;
    Doubts.Doubt doubt = new Doubts.Doubt(lane.node, call.writes, cause, call.thread);
    call.doubt = doubt;
    if (call.ended.compareAndSet(false, true)) {
      outstanding = null;
      context.doubts.add(doubt);
      calls.forEach(planned -> planned.writes.forEach(write -> write.shard.requeue(write)));
      lane.giveUp(this);
    }
  }
}
