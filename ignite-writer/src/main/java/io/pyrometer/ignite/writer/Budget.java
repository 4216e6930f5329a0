package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Back-pressure: the bytes of pending entries, in equal parts for the nodes, so that one that does
 * not answer holds up none of the others. Room goes to waiting callers in their order, and nobody
 * takes room past them. A caller waits for some room, not for as much as its entry takes, so that
 * large entries do not starve: each calling thread may exceed the bound by one entry.
 */
final class Budget {
  static final int UNIT = 32; // bytes are counted in multiples of it
  private static final int MAX_UNITS = Integer.MAX_VALUE / 4;

  final LongAdder entries = new LongAdder(); // pending ones

  private final int limit;
  private final Map<Object, Share> shares = new ConcurrentHashMap<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean closed;

  /** The room of one node. */
  static final class Share extends Semaphore {
    private static final long serialVersionUID = 1L;

    private int limit;

    private Share() {
      super(0, true);
    }

    private synchronized void resize(int units) {
      take(limit - units);
      limit = units;
    }

    private synchronized long taken() {
      return (long) limit - availablePermits();
    }

    private void take(int units) {
      if (units < 0) {
        release(-units);
      } else {
        reducePermits(units);
      }
    }
  }

  /** Creates a budget of 16 GiB at most. */
  Budget(long maxBytes) {
    limit = (int) Math.min(MAX_UNITS, Math.max(1, maxBytes / UNIT));
  }

  /** Bytes that an entry counts. */
  static long counted(long entryBytes) {
    return (entryBytes + UNIT - 1) / UNIT * UNIT;
  }

  private static int units(long counted) {
    return (int) Math.min(MAX_UNITS, counted / UNIT);
  }

  /** The share of a node, one of some. */
  Share share(Object node, int nodes) {
    Share share = shares.computeIfAbsent(node, unknown -> new Share());
    share.resize(closed ? MAX_UNITS : Math.max(1, limit / nodes));
    return share;
  }

  /** Takes room for one entry if there is some that nobody waits for. */
  boolean tryTake(Share share, long entryBytes) {
    boolean taken = !share.hasQueuedThreads() && share.tryAcquire();
    if (taken) {
      take(share, entryBytes);
    }
    return taken;
  }

  /** Takes the rest of what an entry needs. */
  private void take(Share share, long entryBytes) {
    share.take(units(entryBytes) - 1);
    entries.increment();
  }

  /**
   * Waits for room for one entry: false after the deadline, true when it is taken or the budget is
   * closed. Those that linger are sent, and entries that are added from then on see who waits.
   */
  boolean await(Share share, long entryBytes, long deadline, Runnable hurry)
      throws InterruptedException {
    waiting.incrementAndGet();
    try {
      hurry.run();
      boolean taken = share.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (taken) {
        take(share, entryBytes);
      }
      return taken;
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** Moves an entry that another is merged into to the share in which that one has room. */
  void merge(Share from, long fromBytes, Share to, long toBytes, long mergedBytes) {
    entries.decrement();
    from.release(units(fromBytes));
    to.take(units(mergedBytes - toBytes));
  }

  void release(Share share, long releasedEntries, long releasedBytes) {
    entries.add(-releasedEntries);
    share.release(units(releasedBytes));
  }

  /** The bytes of pending entries. */
  long bytes() {
    return UNIT * shares.values().stream().mapToLong(Share::taken).sum();
  }

  /** Returns whether callers wait for room, so that nothing should linger. */
  boolean hasWaiting() {
    return waiting.get() > 0;
  }

  /** Ends all waits. */
  void close() {
    closed = true;
    shares.values().forEach(share -> share.resize(MAX_UNITS));
  }
}
