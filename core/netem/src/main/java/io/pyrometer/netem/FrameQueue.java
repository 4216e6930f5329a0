package io.pyrometer.netem;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Pieces on their way, in order, bounded in bytes: who brings more than fits waits, so that the
 * sender's own TCP is held back. For one thread that puts and one that takes.
 */
final class FrameQueue {
  private static final byte[] END = new byte[0];

  private final long capacity;
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
  private final ArrayDeque<Long> dues = new ArrayDeque<>();
  private long bytes;
  private boolean closed;

  /**
   * @param capacity in bytes; a piece larger than it is let in alone
   */
  FrameQueue(long capacity) {
    this.capacity = capacity;
  }

  /**
   * @param due when it may be given on, by {@link System#nanoTime}
   * @return false if nobody takes any more
   */
  synchronized boolean put(byte[] piece, long due) throws InterruptedException {
    while (!closed && bytes > 0 && bytes + piece.length > capacity) {
      wait();
    }
    add(piece, due);
    return !closed;
  }

  /**
   * Puts a piece only if not so many bytes wait already; else it is lost, and takes no time.
   *
   * @param due asked only of a piece that is put
   */
  synchronized void offer(byte[] piece, long most, LongSupplier due) {
    if (bytes + piece.length <= most) {
      add(piece, due.getAsLong());
    }
  }

  private synchronized void add(byte[] piece, long due) {
    pieces.add(piece);
    dues.add(due);
    bytes += piece.length;
    notifyAll();
  }

  synchronized boolean isEmpty() {
    return pieces.isEmpty();
  }

  void end(long due) throws InterruptedException {
    boolean unused = put(END, due);
  }

  /** The next piece when it is due; empty at the end. */
  Optional<byte[]> take() throws InterruptedException {
    Optional<Long> due = firstDue();
    if (due.isEmpty()) {
      return Optional.empty();
    }
    for (long left = 1; left > 0; ) {
      left = due.get() - System.nanoTime();
      LockSupport.parkNanos(left);
    }
    synchronized (this) {
      byte[] piece = pieces.remove();
      Long unused = dues.remove();
      bytes -= piece.length;
      notifyAll();
      return Optional.of(piece).filter(next -> next.length > 0);
    }
  }

  private synchronized Optional<Long> firstDue() throws InterruptedException {
    while (dues.isEmpty() && !closed) {
      wait();
    }
    return Optional.ofNullable(dues.peek());
  }

  /** Nothing more comes, or nobody takes any more: whoever waits goes on. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
