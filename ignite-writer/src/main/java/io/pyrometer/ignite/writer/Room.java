package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Back-pressure: how many entries, and how many bytes of them, may wait for their acknowledgement,
 * and the place where writers wait for room.
 */
final class Room {
  private final long mostEntries;
  private final long mostBytes;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long changes;

  Room(long mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /** Takes room for one entry. A single entry may be larger than all the room there is. */
  boolean tryTake(long entryBytes) {
    if (entries.incrementAndGet() > mostEntries) {
      entries.decrementAndGet();
      return false;
    }
    if (tryGrow(entryBytes)) {
      return true;
    }
    entries.decrementAndGet();
    return false;
  }

  /** Takes or gives back bytes of an entry that is inside already. */
  boolean tryGrow(long moreBytes) {
    if (moreBytes == 0) {
      return true;
    }
    long before = bytes.getAndAdd(moreBytes);
    if (moreBytes < 0 || before == 0 || before + moreBytes <= mostBytes) {
      return true;
    }
    bytes.addAndGet(-moreBytes);
    return false;
  }

  void release(long releasedEntries, long releasedBytes) {
    entries.addAndGet(-releasedEntries);
    if (releasedBytes != 0) {
      bytes.addAndGet(-releasedBytes);
    }
    signal();
  }

  /** Wakes the waiting writers to try again. */
  void signal() {
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A number that grows with every change; read it before a try, and wait with it after. */
  long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something changed since {@code seen}; false when the time is over. */
  boolean awaitChange(long seen, long deadlineNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (changes == seen) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0 || changed.awaitNanos(left) <= 0) {
          return changes != seen;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  long entries() {
    return entries.get();
  }

  long bytes() {
    return bytes.get();
  }
}
