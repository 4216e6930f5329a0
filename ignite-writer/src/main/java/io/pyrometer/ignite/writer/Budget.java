package io.pyrometer.ignite.writer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Back-pressure: the number of pending entries and of their bytes, in total and by node. Room goes
 * to waiting callers in their order, and nobody takes room past them, so that a large entry does
 * not starve behind small ones; but a node that is full holds up none of the others.
 */
final class Budget {
  /** Bytes are counted in multiples of it. */
  static final int UNIT = 32;

  private static final int MAX_PERMITS = Integer.MAX_VALUE / 4;

  private final long maxBytes;
  private final Semaphore entries;
  private final Semaphore bytes;
  private final List<Share> shares = new CopyOnWriteArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder pendingEntries = new LongAdder();
  private final LongAdder pendingBytes = new LongAdder();
  private boolean closed;

  /** The pending entries of one node, of which there may be so many. */
  static final class Share extends Semaphore {
    private static final long serialVersionUID = 1L;

    private volatile int limit;

    private Share() {
      super(0, true);
    }

    int limit() {
      return limit;
    }

    synchronized void resize(long entries) {
      int to = permits(entries);
      if (to > limit) {
        release(to - limit);
      } else {
        reducePermits(limit - to);
      }
      limit = to;
    }
  }

  /**
   * Creates a budget.
   *
   * @param maxBytes 16 GiB if it is more
   */
  Budget(long maxEntries, long maxBytes) {
    int units = permits(Math.max(1, maxBytes / UNIT));
    this.maxBytes = (long) units * UNIT;
    entries = new Semaphore(permits(maxEntries), true);
    bytes = new Semaphore(units, true);
  }

  private static int permits(long count) {
    return (int) Math.min(count, MAX_PERMITS);
  }

  /** What an entry is counted as: one above the limit takes all room, and so is alone. */
  long counted(long entryBytes) {
    return Math.min(maxBytes, (entryBytes + UNIT - 1) / UNIT * UNIT);
  }

  private static int units(long counted) {
    return (int) (counted / UNIT);
  }

  /** A share without room, to be resized. */
  synchronized Share share() {
    Share share = new Share();
    shares.add(share);
    if (closed) {
      share.release(MAX_PERMITS);
    }
    return share;
  }

  /** Takes room for one entry if there is some that nobody waits for. */
  boolean tryTake(Share share, long entryBytes) {
    if (tryAcquire(share, 1)) {
      if (tryAcquire(entries, 1)) {
        if (tryAcquire(bytes, units(entryBytes))) {
          taken(1, entryBytes);
          return true;
        }
        entries.release();
      }
      share.release();
    }
    return false;
  }

  private static boolean tryAcquire(Semaphore room, int permits) {
    return !room.hasQueuedThreads() && room.tryAcquire(permits);
  }

  private void taken(long moreEntries, long moreBytes) {
    pendingEntries.add(moreEntries);
    pendingBytes.add(moreBytes);
  }

  /** Takes or releases bytes of an entry that has room. */
  boolean tryGrow(long moreBytes) {
    if (moreBytes <= 0) {
      bytes.release(units(-moreBytes));
    } else if (!tryAcquire(bytes, units(moreBytes))) {
      return false;
    }
    taken(0, moreBytes);
    return true;
  }

  void release(Share share, long releasedEntries, long releasedBytes) {
    taken(-releasedEntries, -releasedBytes);
    bytes.release(units(releasedBytes));
    entries.release((int) releasedEntries);
    share.release((int) releasedEntries);
  }

  /**
   * Waits for room for one entry.
   *
   * @param hurry sends the entries that linger: those added from now on see that somebody waits
   * @return true if room was taken, or the budget is closed; false after the deadline
   */
  boolean await(Share share, long entryBytes, long deadline, Runnable hurry)
      throws InterruptedException {
    waiting.incrementAndGet();
    boolean hasShare = false;
    boolean hasEntry = false;
    boolean hasAll = false;
    try {
      hurry.run();
      hasShare = await(share, 1, deadline);
      hasEntry = hasShare && await(entries, 1, deadline);
      hasAll = hasEntry && await(bytes, units(entryBytes), deadline);
    } finally {
      waiting.decrementAndGet();
      if (hasEntry && !hasAll) {
        entries.release();
      }
      if (hasShare && !hasAll) {
        share.release();
      }
    }
    if (hasAll) {
      taken(1, entryBytes);
    }
    return hasAll;
  }

  private static boolean await(Semaphore room, int permits, long deadline)
      throws InterruptedException {
    return room.tryAcquire(permits, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Whether callers wait for room, so that nothing should linger. */
  boolean hasWaiting() {
    return waiting.get() > 0;
  }

  /** Ends all waits. */
  synchronized void close() {
    closed = true;
    shares.forEach(share -> share.release(MAX_PERMITS));
    entries.release(MAX_PERMITS);
    bytes.release(MAX_PERMITS);
  }

  long entries() {
    return pendingEntries.sum();
  }

  long bytes() {
    return pendingBytes.sum();
  }
}
