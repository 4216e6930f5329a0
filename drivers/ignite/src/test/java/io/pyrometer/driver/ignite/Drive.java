package io.pyrometer.driver.ignite;

import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.LoadThread;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;

/** Drives an access path once over the keys from 0, within its window. */
final class Drive {
  private final AccessPath path;
  private final Semaphore window;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final int operation;

  private Drive(AccessPath path, int operation) {
    this.path = path;
    this.operation = operation;
    this.window = new Semaphore(path.window());
  }

  /** Every key with the record that {@code recordOf} gives it. */
  static void over(AccessPath path, int keys, LongToIntFunction recordOf) throws Exception {
    over(path, 0, keys, recordOf);
  }

  /** Opens the path of a trial for one load thread, and closes it afterwards. */
  static void over(TrialSession trial, int keys, LongToIntFunction recordOf) throws Exception {
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      over(path, keys, recordOf);
    }
  }

  /** Driving of the path's operation of this index. */
  static void over(AccessPath path, int operation, int keys, LongToIntFunction recordOf)
      throws Exception {
    Drive drive = new Drive(path, operation);
    for (int from = 0; from < keys; from += path.recordsPerCall()) {
      drive.call(from, Math.min(path.recordsPerCall(), keys - from), recordOf);
    }
    path.flush();
    if (!drive.window.tryAcquire(path.window(), 30, TimeUnit.SECONDS)) {
      throw new AssertionError("calls did not end after the flush");
    }
    if (!drive.failures.isEmpty()) {
      throw new AssertionError(drive.failures.size() + " calls failed", drive.failures.peek());
    }
  }

  private void call(int from, int size, LongToIntFunction recordOf) throws Exception {
    if (!window.tryAcquire(30, TimeUnit.SECONDS)) {
      throw new AssertionError("a full window never emptied");
    }
    OneCall call = new OneCall(from, size, recordOf);
    try {
      path.call(call);
    } catch (RuntimeException e) {
      call.failed(e);
    }
  }

  private final class OneCall implements Call {
    private final int from;
    private final int size;
    private final LongToIntFunction recordOf;

    OneCall(int from, int size, LongToIntFunction recordOf) {
      this.from = from;
      this.size = size;
      this.recordOf = recordOf;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public long key(int i) {
      return from + i;
    }

    @Override
    public int record(int i) {
      return recordOf.applyAsInt(key(i));
    }

    @Override
    public int operation() {
      return operation;
    }

    @Override
    public long amount() {
      return 5;
    }

    @Override
    public void done() {
      window.release();
    }

    @Override
    public void failed(Throwable cause) {
      failures.add(cause);
      window.release();
    }
  }
}
