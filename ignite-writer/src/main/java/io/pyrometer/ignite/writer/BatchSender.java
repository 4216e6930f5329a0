package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
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
 * is in doubt, or was put back. A call that meets a passing fault is repeated; one that fails
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

  /** How often a call is repeated whole, before it is divided, if a server may be stopping. */
  private static final int WHOLE_ATTEMPTS = 3;

  /** Calls that fail one after another before a batch is sent entry by entry. */
  private static final int MANY_FAILURES = 32;

  private final Lane lane;
  private final Context context;
  private final CachePort port;
  private final List<PendingWrite> batch;
  private final Deque<Call> calls = new ArrayDeque<>();
  private volatile @Nullable Call outstanding;
  private volatile boolean givenUp;
  private volatile @Nullable Throwable lastError;
  private int failuresInARow;

  /** Puts or removals that are sent together. */
  private static final class Call {
    private final List<PendingWrite> writes;
    private final boolean removal;
    private final int attempt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Doubt doubt;
    private volatile @Nullable Thread thread;
    private volatile long start;
    private boolean reported;

    Call(List<PendingWrite> writes, boolean removal, int attempt) {
      this.writes = writes;
      this.removal = removal;
      this.attempt = attempt;
    }

    Call with(List<PendingWrite> others, int more) {
      return new Call(others, removal, attempt + more);
    }

    List<PendingWrite> undecided() {
      List<PendingWrite> left = new ArrayList<>(writes.size());
      for (PendingWrite write : writes) {
        if (!write.isDecided()) {
          left.add(write);
        }
      }
      return left;
    }
  }

  BatchSender(List<PendingWrite> batch, Lane lane, Context context) {
    this.batch = batch;
    this.lane = lane;
    this.context = context;
    this.port = context.port();
    batch.forEach(write -> write.holder = this);
  }

  /** Sends the batch; false if it was given up, and the lane belongs to another worker. */
  boolean send() {
    if (!batch.isEmpty()) {
      context.counters().batchSent(batch);
    }
    try {
      plan();
      while (!calls.isEmpty() && !givenUp) {
        send(calls.pop());
      }
    } catch (RuntimeException | Error e) { // a key's own methods, for instance
      LOG.log(Logger.Level.WARNING, "a batch failed", e);
      calls.clear();
      fail(new Call(batch, false, 0).undecided(), Fault.of(Fault.Kind.KEYS, e), false);
    }
    return !givenUp;
  }

  private void plan() {
    List<PendingWrite> puts = new ArrayList<>(batch.size());
    List<PendingWrite> removals = new ArrayList<>();
    List<PendingWrite> suspects = new ArrayList<>();
    for (PendingWrite write : batch) {
      if (write.alone) {
        suspects.add(write);
      } else {
        (write.isRemoval() ? removals : puts).add(write);
      }
    }
    addSorted(puts, false);
    addSorted(removals, true);
    suspects.forEach(write -> calls.add(new Call(List.of(write), write.isRemoval(), 0)));
  }

  /** In the order of Ignite's trees, or, where calls lock keys, in one for all writers. */
  private void addSorted(List<PendingWrite> writes, boolean removal) {
    if (writes.isEmpty()) {
      return;
    }
    if (port.locksInOrder()) {
      writes.sort(Comparator.comparing(write -> write.key, SendOrder.OF_LOCKS));
    } else {
      SendOrder.sortByPartition(writes);
    }
    int doubts = 0;
    for (PendingWrite write : writes) {
      doubts = Math.max(doubts, write.doubts);
    }
    int size = Math.max(1, writes.size() >> Math.min(30, doubts)); // smaller after each doubt
    for (int from = 0; from < writes.size(); from += size) {
      List<PendingWrite> part = writes.subList(from, Math.min(writes.size(), from + size));
      calls.add(new Call(part, removal, 0));
    }
  }

  private void send(Call planned) {
    Call call = planned.with(planned.undecided(), 0);
    if (call.writes.isEmpty()) {
      return;
    }
    @Nullable IllegalStateException refusal = port.refusal();
    if (refusal != null) {
      fail(call.writes, Fault.of(Fault.Kind.FINAL, refusal), false);
      return;
    }
    long mark = 0;
    call.start = System.nanoTime();
    call.thread = Thread.currentThread();
    outstanding = call;
    @Nullable Throwable error = null;
    try {
      mark = port.mark();
      BatchMap map = new BatchMap(call.writes);
      if (call.removal) {
        port.removeAll(map.keySet());
      } else {
        port.putAll(map);
      }
    } catch (Throwable e) { // a worker goes on after any error
      error = e;
    }
    if (!call.ended.compareAndSet(false, true)) {
      endDoubt(call, error);
      return;
    }
    outstanding = null;
    if (error == null) {
      failuresInARow = 0;
      context.counters().acknowledgement.record(System.nanoTime() - call.start);
      succeed(call, call.writes, mark);
    } else {
      lastError = error;
      meet(call, port.read(error), mark);
    }
  }

  /** A call that was given up has ended after all. */
  private void endDoubt(Call call, @Nullable Throwable error) {
    @Nullable Doubt doubt = call.doubt;
    if (doubt != null && (error == null || port.read(error).kind() != Fault.Kind.IN_DOUBT)) {
      doubt.end();
    }
  }

  private void succeed(Call call, List<PendingWrite> writes, long mark) {
    if (context.settings().repeats && mustRepeat(mark)) {
      context.counters().retried();
      calls.push(call.with(writes, 1));
    } else {
      context.completions().acknowledge(writes);
    }
  }

  private boolean mustRepeat(long mark) {
    try {
      return port.mustRepeat(mark);
    } catch (RuntimeException disconnected) {
      return true;
    }
  }

  private void meet(Call call, Fault fault, long mark) {
    List<PendingWrite> failed = failed(call, fault.failedKeys());
    if (failed.size() < call.writes.size()) {
      Set<PendingWrite> others = new HashSet<>(call.writes);
      failed.forEach(others::remove);
      succeed(call, List.copyOf(others), mark);
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
      case IN_DOUBT -> doubt(failed, fault.cause());
      case FINAL -> fail(failed, fault, false);
    }
  }

  private static List<PendingWrite> failed(Call call, Collection<?> keys) {
    if (keys.isEmpty()) {
      return call.writes;
    }
    Set<Object> named = new HashSet<>(keys);
    List<PendingWrite> failed = call.writes.stream().filter(w -> named.contains(w.key)).toList();
    return failed.isEmpty() ? call.writes : failed;
  }

  /** Singles out the keys that make a call fail. */
  private void single(Call call, List<PendingWrite> failed, Fault fault) {
    boolean singledOut = failed.size() == 1 || !fault.failedKeys().isEmpty();
    if (fault.kind() == Fault.Kind.LOCKED && failed.size() == 1) {
      failed.get(0).alone = true;
      lane.putBack(failed, false); // until its deadline, behind the others
    } else if (singledOut && fault.kind() == Fault.Kind.KEYS) {
      failuresInARow++;
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
    if (++failuresInARow > MANY_FAILURES) {
      for (int i = writes.size() - 1; i >= 0; i--) {
        calls.push(call.with(List.of(writes.get(i)), 0));
      }
      return;
    }
    int half = writes.size() / 2;
    int cut = half;
    while (cut < writes.size() && writes.get(cut).partition == writes.get(half - 1).partition) {
      cut++;
    }
    cut = cut == writes.size() ? half : cut;
    calls.push(call.with(writes.subList(cut, writes.size()), 0));
    calls.push(call.with(writes.subList(0, cut), 0));
  }

  /** Repeats a call after a pause that doubles. */
  private void repeat(Call call, List<PendingWrite> writes) {
    context.counters().retried();
    calls.push(call.with(writes, 1));
    long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(call.attempt, 20));
    long end = System.nanoTime() + pause;
    while (!givenUp && end - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, end - System.nanoTime());
    }
  }

  private void doubt(List<PendingWrite> writes, Throwable cause) {
    context.doubts().add(new Doubt(lane, writes, cause, null));
  }

  private void fail(List<PendingWrite> writes, Fault fault, boolean inDoubt) {
    context
        .completions()
        .fail(writes, new PendingWrite.Failure(fault.cause(), inDoubt, fault.retriable()));
  }

  /** Fails writes that were accepted before an instant; gives up a call that has no others. */
  void expire(long limit) {
    @Nullable Call call = outstanding;
    List<PendingWrite> late = new ArrayList<>();
    for (PendingWrite write : batch) {
      if (write.since - limit < 0 && !write.isDecided() && write.holder == this) {
        late.add(write);
      }
    }
    if (!late.isEmpty()) {
      expire(call, late);
    }
    if (call == null) {
      return;
    }
    if (call.undecided().isEmpty()) {
      giveUp(call);
    } else {
      warn(call);
    }
  }

  private void expire(@Nullable Call call, List<PendingWrite> late) {
    Set<PendingWrite> sent = call == null ? Set.of() : new HashSet<>(call.writes);
    List<PendingWrite> inDoubt = late.stream().filter(sent::contains).toList();
    List<PendingWrite> unsent = late.stream().filter(write -> !sent.contains(write)).toList();
    WriteInDoubtException doubt =
        new WriteInDoubtException(
            "cache "
                + port.name()
                + " did not acknowledge a write within its timeout; it may have been applied, or"
                + " may still be",
            lastError);
    context.completions().fail(inDoubt, new PendingWrite.Failure(doubt, true, true));
    WriteTimeoutException timeout =
        new WriteTimeoutException(
            Lane.NOT_SENT + port.name(), context.settings().writeTimeout, lastError);
    context.completions().fail(unsent, new PendingWrite.Failure(timeout, false, true));
  }

  private void warn(Call call) {
    long age = System.nanoTime() - call.start;
    if (age > Nanos.of(context.settings().stallTimeout) && !call.reported) {
      call.reported = true;
      LOG.log(
          Logger.Level.WARNING,
          "cache {0}: a call of {1} entries to node {2} has not been acknowledged for {3} ms",
          port.name(),
          call.writes.size(),
          lane.nodeName(),
          TimeUnit.NANOSECONDS.toMillis(age));
    }
  }

  private void giveUp(Call call) {
    WriteInDoubtException cause =
        new WriteInDoubtException("cache " + port.name() + " did not acknowledge a write", null);
    Doubt doubt = new Doubt(lane, call.writes, cause, call.thread);
    call.doubt = doubt;
    if (call.ended.compareAndSet(false, true)) {
      givenUp = true;
      context.doubts().add(doubt);
      List<PendingWrite> unsent = new ArrayList<>();
      calls.forEach(planned -> unsent.addAll(planned.undecided()));
      lane.giveUp(this, unsent);
    }
  }

  /** Fails all that is not settled; what was sent is in doubt. */
  void abandon(PendingWrite.Failure failure) {
    givenUp = true;
    @Nullable Call call = outstanding;
    List<PendingWrite> sent = call == null ? List.of() : call.undecided();
    context
        .completions()
        .failNow(sent, new PendingWrite.Failure(failure.cause(), true, failure.retriable()));
    context.completions().failNow(batch, failure);
  }
}
