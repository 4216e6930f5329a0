package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Back-pressure: how many entries, and how many bytes of them, may wait for their acknowledgement.
 * Callers that find no room wait in a fair queue: room that is given back goes to the first of
 * them, and nobody takes room past them, so that a large entry cannot starve behind small ones.
 */
final class PendingBudget {
  private final long mostEntries;
  private final long mostBytes;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final Deque<Ticket> queue = new ArrayDeque<>();
  private volatile boolean queued;
  private boolean closed;

  /** A caller's place in the queue, for one entry of so many bytes. */
  static final class Ticket {
    private final Thread thread = Thread.currentThread();
    private final long entryBytes;
    private volatile boolean granted;
    private volatile boolean refused;

    private Ticket(long entryBytes) {
      this.entryBytes = entryBytes;
    }
  }

  PendingBudget(long mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /** Takes room for one entry. A single entry may be larger than all the room there is. */
  boolean tryTake(long entryBytes) {
    return !queued && take(entryBytes);
  }

  private boolean take(long entryBytes) {
    if (entries.incrementAndGet() > mostEntries || !grow(entryBytes)) {
      entries.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Takes or gives back bytes of an entry that is inside already. */
  boolean tryGrow(long moreBytes) {
    if (moreBytes > 0) {
      return !queued && grow(moreBytes);
    }
    release(0, -moreBytes);
    return true;
  }

  private boolean grow(long moreBytes) {
    if (moreBytes == 0) {
      return true;
    }
    long before = bytes.getAndAdd(moreBytes);
    if (before == 0 || before + moreBytes <= mostBytes) {
      return true;
    }
    bytes.addAndGet(-moreBytes);
    return false;
  }

  /** Changes the bytes of an entry without asking whether there is room. */
  void adjust(long moreBytes) {
    bytes.addAndGet(moreBytes);
  }

  void release(long releasedEntries, long releasedBytes) {
    if (releasedEntries != 0) {
      entries.addAndGet(-releasedEntries);
    }
    if (releasedBytes != 0) {
      bytes.addAndGet(-releasedBytes);
    }
    if (queued) {
      grant();
    }
  }

  /**
   * Waits in the queue for room for one entry.
   *
   * @param hurry has entries sent that took room before this call queued up: they may linger, while
   *     those that take it later have waited too, and do not
   * @return true if room was taken; false when time is over or the budget was closed
   */
  boolean await(long entryBytes, long deadlineNanos, Runnable hurry) throws InterruptedException {
    Ticket ticket = new Ticket(entryBytes);
    synchronized (queue) {
      ticket.refused = closed;
      queue.add(ticket);
      queued = true;
    }
    grant(); // for room given back before the queue was seen
    hurry.run();
    try {
      while (!ticket.granted && !ticket.refused) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          break;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      return leave(ticket, true);
    } catch (InterruptedException e) {
      leave(ticket, false);
      throw e;
    }
  }

  /** Ends a wait: true if the caller has room and wants it. */
  private boolean leave(Ticket ticket, boolean wanted) {
    boolean hasRoom;
    synchronized (queue) {
      hasRoom = ticket.granted;
      if (!hasRoom) {
        queue.remove(ticket);
        queued = !queue.isEmpty();
      }
    }
    if (hasRoom && !wanted) {
      release(1, ticket.entryBytes);
    } else if (!hasRoom) {
      grant(); // it may have kept smaller ones behind it waiting
    }
    return hasRoom && wanted;
  }

  private void grant() {
    synchronized (queue) {
      while (!queue.isEmpty() && take(queue.element().entryBytes)) {
        Ticket first = queue.remove();
        first.granted = true;
        LockSupport.unpark(first.thread);
      }
      queued = !queue.isEmpty();
    }
  }

  /** Lets nobody wait any longer. */
  void close() {
    synchronized (queue) {
      closed = true;
      for (Ticket ticket : queue) {
        ticket.refused = true;
        LockSupport.unpark(ticket.thread);
      }
    }
  }

  long entries() {
    return entries.get();
  }

  long bytes() {
    return bytes.get();
  }
}
