package io.pyrometer.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The {@value #MOST} slowest calls of an operation since the last {@link #clear}, in a binary heap
 * with the fastest of them at the top. A call that is not among them costs one comparison; one that
 * is takes a lock that nobody else holds for longer than a few swaps. Allocates nothing.
 */
final class SlowestCalls {
  /** The slowest 1 % of 200,000 calls. */
  static final int MOST = 2_048;

  private final long[] nanos = new long[MOST];
  private final long[] ends = new long[MOST];
  private final long[] late = new long[MOST];

  /** Nanoseconds that a call must exceed; below 0 until there are as many as fit. */
  private final AtomicLong floor = new AtomicLong(-1);

  private int size;

  /**
   * One of the calls.
   *
   * @param nanos its latency
   * @param end when it ended, by the clock of the load
   * @param late nanoseconds by which its start was late
   */
  record Call(long nanos, long end, long late) {}

  /** Any thread. */
  void offer(long latency, long end, long lateNanos) {
    if (latency > floor.getOpaque()) {
      add(latency, end, lateNanos);
    }
  }

  private synchronized void add(long latency, long end, long lateNanos) {
    if (size < MOST) {
      siftUp(size++, latency, end, lateNanos);
    } else if (latency > nanos[0]) {
      siftDown(latency, end, lateNanos);
    }
    if (size == MOST) {
      floor.setOpaque(nanos[0]);
    }
  }

  private void siftUp(int from, long latency, long end, long lateNanos) {
    int at = from;
    while (at > 0 && nanos[(at - 1) / 2] > latency) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    put(at, latency, end, lateNanos);
  }

  private void siftDown(long latency, long end, long lateNanos) {
    int at = 0;
    for (int child = 1; child < MOST; child = 2 * at + 1) {
      int least = child + 1 < MOST && nanos[child + 1] < nanos[child] ? child + 1 : child;
      if (nanos[least] >= latency) {
        break;
      }
      move(least, at);
      at = least;
    }
    put(at, latency, end, lateNanos);
  }

  private void move(int from, int to) {
    put(to, nanos[from], ends[from], late[from]);
  }

  private void put(int at, long latency, long end, long lateNanos) {
    nanos[at] = latency;
    ends[at] = end;
    late[at] = lateNanos;
  }

  synchronized void clear() {
    size = 0;
    floor.setOpaque(-1);
  }

  /** In no order. */
  synchronized List<Call> calls() {
    List<Call> calls = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      calls.add(new Call(nanos[i], ends[i], late[i]));
    }
    return calls;
  }

  /** All calls that were slower are here: nanoseconds, below 0 where no call is missing. */
  synchronized long completeAbove() {
    return size < MOST ? -1 : nanos[0];
  }
}
