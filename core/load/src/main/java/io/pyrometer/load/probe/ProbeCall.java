package io.pyrometer.load.probe;

import io.pyrometer.load.Call;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call of a probe: versions of keys, recorded once they are acknowledged. */
final class ProbeCall implements Call {
  private final long[] keys;
  private final int[] versions;
  private final int[] records;
  private final WrittenVersions written;
  private final Semaphore window;
  private final int operation;
  private final AtomicBoolean ended = new AtomicBoolean();

  ProbeCall(
      long[] keys,
      int[] versions,
      Versions of,
      WrittenVersions written,
      Semaphore window,
      int operation) {
    this.keys = keys;
    this.versions = versions;
    this.written = written;
    this.window = window;
    this.operation = operation;
    records = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      records[i] = of.record(keys[i], versions[i]);
    }
  }

  @Override
  public int size() {
    return keys.length;
  }

  @Override
  public long key(int i) {
    return keys[i];
  }

  @Override
  public int record(int i) {
    return records[i];
  }

  @Override
  public int operation() {
    return operation;
  }

  @Override
  public void done() {
    if (ended.compareAndSet(false, true)) {
      written.acknowledge(keys, versions);
      window.release();
    }
  }

  @Override
  public void failed(Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      written.failed(cause);
      window.release();
    }
  }
}
