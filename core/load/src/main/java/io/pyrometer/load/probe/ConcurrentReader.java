package io.pyrometer.load.probe;

import io.pyrometer.load.StoredContents;
import java.util.function.BooleanSupplier;

/** Reads what was acknowledged last, as soon as it was, from a thread that does not write. */
final class ConcurrentReader implements Runnable {
  private final WrittenVersions written;
  private final Versions versions;
  private final StoredContents stored;
  private final BooleanSupplier mayDrop;
  private volatile boolean stopping;
  private long reads;
  private long stale;
  private long lost;

  /**
   * @param mayDrop whether the grid may drop records by itself, so that an absent one is not lost
   */
  ConcurrentReader(
      WrittenVersions written, Versions versions, StoredContents stored, BooleanSupplier mayDrop) {
    this.mayDrop = mayDrop;
    this.written = written;
    this.versions = versions;
    this.stored = stored;
  }

  @Override
  public void run() {
    long seen = written.latest();
    while (!stopping) {
      long now = written.latest();
      if (now == seen) {
        Thread.onSpinWait();
      } else {
        seen = now;
        try {
          read(written.latestKey());
        } catch (RuntimeException e) {
          written.failed(e);
        }
      }
    }
  }

  /**
   * A read during which so many versions were on their way that the same record comes round again
   * proves nothing and is not counted.
   */
  private synchronized void read(long key) {
    int version = written.acknowledged(key);
    long hash = stored.get(key);
    int begun = written.begun(key);
    boolean dropped = hash == StoredContents.ABSENT && mayDrop.getAsBoolean();
    if (dropped || !versions.distinguishable(version, begun)) {
      return;
    }
    reads++;
    if (hash == StoredContents.ABSENT) {
      lost++;
    } else if (versions.older(key, version, begun, hash)) {
      stale++;
    }
  }

  void stop() {
    stopping = true;
  }

  synchronized long reads() {
    return reads;
  }

  synchronized long stale() {
    return stale;
  }

  synchronized long lost() {
    return lost;
  }
}
