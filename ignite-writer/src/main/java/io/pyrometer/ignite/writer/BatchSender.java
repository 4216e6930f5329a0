package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
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
  private static final long LONG_CALL = 10_000_000_000L;

  /** How often a call is repeated whole, before it is divided, if a server may be stopping. */
  private static final int WHOLE_ATTEMPTS = 3;

  private final Lane lane;
  private final Context context;
  private final CachePort port;
  private final Deque<Call> calls = new ArrayDeque<>();
  private volatile @Nullable Call outstanding;

  /** Puts or removals that are sent together. */
  private static final class Call {
    private final List<PendingWrite> writes;
    private final boolean removal;
    private final int attempt;
    private final Thread thread = Thread.currentThread();
    private final long start = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Doubts.@Nullable Doubt doubt;
    private boolean reported;

    Call(List<PendingWrite> writes, int attempt) {
      this.writes = writes;
      this.removal = writes.get(0).isRemoval();
      this.attempt = attempt;
    }
  }

  BatchSender(Lane lane, Context context) {
    this.lane = lane;
    this.context = context;
    this.port = context.port();
  }

  /** Sends writes of a lane; false if it was given up, and the lane belongs to another worker. */
  boolean send(List<PendingWrite> taken) {
    SendOrder.sortByPartition(taken);
    List<PendingWrite> batch = new ArrayList<>(taken.size());
    Shard.forEach(taken, (shard, writes) -> shard.take(writes, batch));
    if (batch.isEmpty()) {
      return true;
    }
    long oldest = batch.stream().mapToLong(write -> write.since).min().orElse(0);
    context.counters().queueAge.record(System.nanoTime() - oldest);
    context.counters().batchEntries.add(batch.size());
    try {
      plan(batch);
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

  /** Plans calls for puts, removals, and each write whose key was locked. */
  private void plan(List<PendingWrite> batch) {
    planSorted(batch.stream().filter(write -> !write.alone && !write.isRemoval()).toList());
    planSorted(batch.stream().filter(write -> !write.alone && write.isRemoval()).toList());
    batch.stream().filter(write -> write.alone).forEach(write -> planSorted(List.of(write)));
  }

  /** In the order of Ignite's trees, or, where calls lock keys, in one for all writers. */
  private void planSorted(List<PendingWrite> unsorted) {
    List<PendingWrite> writes = new ArrayList<>(unsorted);
    if (port.locksInOrder()) {
      writes.sort(Comparator.comparing(write -> write.key, SendOrder.OF_LOCKS));
    }
    int doubts = writes.stream().mapToInt(write -> write.doubts).max().orElse(0);
    int size = Math.max(1, writes.size() >> Math.min(30, doubts)); // smaller after each doubt
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
    @Nullable IllegalStateException refusal = port.refusal();
    if (refusal != null) {
      fail(writes, Fault.of(Fault.Kind.FINAL, refusal), false);
    }
    if (writes.isEmpty() || refusal != null) {
      return true;
    }
    Call call = new Call(writes, planned.attempt);
    outstanding = call;
    long mark = 0;
    @Nullable Throwable error = null;
    try {
      mark = port.mark();
      port.send(new BatchMap(writes, call.removal));
    } catch (Throwable e) { // a worker goes on after any error
      error = e;
    }
    if (!call.ended.compareAndSet(false, true)) {
      endDoubt(call, error);
      return false;
    }
    outstanding = null;
    lane.lastError(error);
    if (error == null) {
      context.counters().acknowledgement.record(System.nanoTime() - call.start);
      succeed(call, writes, mark);
    } else {
      meet(call, port.read(error), mark);
    }
    return true;
  }

  /** A call that was given up has ended after all. */
  private void endDoubt(Call call, @Nullable Throwable error) {
    Doubts.@Nullable Doubt doubt = call.doubt;
    if (doubt != null) {
      doubt.returned(error == null || port.read(error).kind() != Fault.Kind.IN_DOUBT);
    }
  }

  private void succeed(Call call, List<PendingWrite> writes, long mark) {
    if (context.settings().repeats && mustRepeat(mark)) {
      context.counters().retries.increment();
      again(call, writes, 1);
    } else {
      context.completions().settle(writes, null);
    }
  }

  private boolean mustRepeat(long mark) {
    try {
      return port.mustRepeat(mark);
    } catch (RuntimeException disconnected) {
      return true;
    }
  }

  /** Plans some writes of a call that has ended as the next call. */
  private void again(Call call, List<PendingWrite> writes, int attempts) {
    writes.forEach(PendingWrite::returned);
    calls.push(new Call(writes, call.attempt + attempts));
  }

  private void meet(Call call, Fault fault, long mark) {
    Set<Object> named = new HashSet<>(fault.failedKeys());
    List<PendingWrite> failed =
        call.writes.stream().filter(write -> named.contains(write.key)).toList();
    if (failed.isEmpty()) {
      failed = call.writes;
    } else if (failed.size() < call.writes.size()) {
      succeed(
          call, call.writes.stream().filter(write -> !named.contains(write.key)).toList(), mark);
    }
    switch (fault.kind()) {
      case NOT_SENT -> repeat(call, failed);
      case PASSING -> {
        if (context.settings().repeats) {
          repeat(call, failed);
        } else {
          fail(failed, fault, true);
        }
      }
      case KEYS, LOCKED -> single(call, failed, fault);
      case IN_DOUBT -> context.doubts().add(new Doubts.Doubt(lane, failed, fault.cause(), null));
      case FINAL -> fail(failed, fault, false);
    }
  }

  /** Singles out the keys that make a call fail. */
  private void single(Call call, List<PendingWrite> failed, Fault fault) {
    boolean singledOut = failed.size() == 1 || !fault.failedKeys().isEmpty();
    if (fault.kind() == Fault.Kind.LOCKED && failed.size() == 1) {
      failed.get(0).alone = true;
      failed.get(0).shard.requeue(failed.get(0)); // until its deadline, behind the others
    } else if (singledOut && fault.kind() == Fault.Kind.KEYS) {
      fail(failed, fault, false);
    } else if (fault.kind() == Fault.Kind.KEYS
        && call.attempt < WHOLE_ATTEMPTS
        && port.mayRefuseWhole()) {
      repeat(call, failed);
    } else {
      divide(call, failed);
    }
  }

  private void divide(Call call, List<PendingWrite> writes) {
    int half = writes.size() / 2;
    int partition = writes.get(half - 1).partition;
    int cut = half;
    while (cut < writes.size() && writes.get(cut).partition == partition) {
      cut++;
    }
    cut = cut == writes.size() ? half : cut;
    again(call, writes.subList(cut, writes.size()), 0);
    again(call, writes.subList(0, cut), 0);
  }

  /** Repeats a call after a pause that doubles. */
  private void repeat(Call call, List<PendingWrite> writes) {
    context.counters().retries.increment();
    again(call, writes, 1);
    long end =
        System.nanoTime() + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(call.attempt, 20));
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private void fail(List<PendingWrite> writes, Fault fault, boolean inDoubt) {
    context
        .completions()
        .settle(writes, new PendingWrite.Failure(fault.cause(), inDoubt, fault.retriable()));
  }

  /** Gives up a call all of whose writes have failed, and warns of one that takes long. */
  void tick() {
    @Nullable Call call = outstanding;
    if (call == null) {
      return;
    }
    long age = System.nanoTime() - call.start;
    if (call.writes.stream().allMatch(PendingWrite::isDecided)) {
      giveUp(call);
    } else if (age > LONG_CALL && !call.reported) {
      call.reported = true;
      LOG.log(
          Logger.Level.WARNING,
          "cache {0}: a call of {1} entries to node {2} has not been acknowledged for {3} ms",
          port.name(),
          call.writes.size(),
          port.nameOf(lane.node()),
          TimeUnit.NANOSECONDS.toMillis(age));
    }
  }

  private void giveUp(Call call) {
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "cache " + port.name() + " did not acknowledge a write",
            context.settings().writeTimeout,
            null);
    Doubts.Doubt doubt = new Doubts.Doubt(lane, call.writes, cause, call.thread);
    call.doubt = doubt;
    if (call.ended.compareAndSet(false, true)) {
      outstanding = null;
      context.doubts().add(doubt);
      calls.forEach(planned -> planned.writes.forEach(w -> w.shard.requeue(w)));
      lane.giveUp(this);
    }
  }
}
