package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Back-pressure: the number of pending entries and of their bytes, in total and by lane. Callers
 * without room wait in a queue: room that is released goes to the first of them whose lane has
 * room, and nobody takes room past it, so that a large entry does not starve behind small ones and
 * a lane that is full does not hold up the others.
 */
final class Budget {
  private final long maxEntries;
  private final long maxBytes;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final Deque<Ticket> queue = new ArrayDeque<>();
  private volatile boolean queued;
  private boolean closed;

  /** The pending entries of one lane, of which there may be so many. */
  static final class Share {
    private final AtomicLong entries = new AtomicLong();
    private volatile long maxEntries;

    Share(long maxEntries) {
      this.maxEntries = maxEntries;
    }

    void resize(long entries) {
      maxEntries = entries;
    }
  }

  /** A caller that waits: completes with whether it has room. */
  private static final class Ticket extends CompletableFuture<Boolean> {
    private final Share share;
    private final long entryBytes;

    Ticket(Share share, long entryBytes) {
      this.share = share;
      this.entryBytes = entryBytes;
    }
  }

  Budget(long maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  /** Takes room for one entry. A single entry may be larger than the limit of all bytes. */
  boolean tryTake(Share share, long entryBytes) {
    return !queued && take(share, entryBytes);
  }

  private boolean take(Share share, long entryBytes) {
    if (share.entries.incrementAndGet() <= share.maxEntries) {
      if (entries.incrementAndGet() <= maxEntries && grow(entryBytes)) {
        return true;
      }
      entries.decrementAndGet();
    }
    share.entries.decrementAndGet();
    return false;
  }

  /** Takes or releases bytes of an entry that has room. */
  boolean tryGrow(long moreBytes) {
    if (moreBytes > 0) {
      return !queued && grow(moreBytes);
    }
    bytes.addAndGet(moreBytes);
    grantIfQueued();
    return true;
  }

  private boolean grow(long moreBytes) {
    long before = bytes.getAndAdd(moreBytes);
    if (before == 0 || before + moreBytes <= maxBytes) {
      return true;
    }
    bytes.addAndGet(-moreBytes);
    return false;
  }

  /** Changes the bytes of an entry without checking for room. */
  void adjust(long moreBytes) {
    bytes.addAndGet(moreBytes);
  }

  void release(Share share, long releasedEntries, long releasedBytes) {
    share.entries.addAndGet(-releasedEntries);
    entries.addAndGet(-releasedEntries);
    bytes.addAndGet(-releasedBytes);
    grantIfQueued();
  }

  private void grantIfQueued() {
    if (queued) {
      grant();
    }
  }

  /**
   * Waits in the queue for room for one entry.
   *
   * @param hurry sends the entries that took room before this call: they may linger
   * @return true if room was taken; false after the deadline, or if the budget is closed
   */
  boolean await(Share share, long entryBytes, long deadlineNanos, Runnable hurry)
      throws InterruptedException {
    Ticket ticket = new Ticket(share, entryBytes);
    synchronized (queue) {
      if (closed) {
        return false;
      }
      queue.add(ticket);
      queued = true;
    }
    grant(); // for room released before the queue was seen
    hurry.run();
    try {
      return ticket.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return leave(ticket);
    } catch (InterruptedException e) {
      if (leave(ticket)) {
        release(share, 1, entryBytes);
      }
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends a wait: whether the caller has got room nevertheless. */
  private boolean leave(Ticket ticket) {
    synchronized (queue) {
      if (ticket.complete(false)) {
        queue.remove(ticket);
        queued = !queue.isEmpty();
      }
    }
    grant(); // others may have waited behind it
    return ticket.join();
  }

  private void grant() {
    synchronized (queue) {
      Iterator<Ticket> waiting = queue.iterator();
      while (waiting.hasNext()) {
        Ticket next = waiting.next();
        if (take(next.share, next.entryBytes)) {
          waiting.remove();
          next.complete(true);
        } else if (next.share.entries.get() < next.share.maxEntries) {
          break; // room is missing for all
        }
      }
      queued = !queue.isEmpty();
    }
  }

  /** Refuses those that wait, and all that will. */
  void close() {
    synchronized (queue) {
      closed = true;
      queue.forEach(ticket -> ticket.complete(false));
      queue.clear();
      queued = false;
    }
  }

  long entries() {
    return entries.get();
  }

  long bytes() {
    return bytes.get();
  }
}
