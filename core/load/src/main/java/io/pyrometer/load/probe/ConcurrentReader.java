package io.pyrometer.load.probe;

import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
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

  private void read(long key) {
    int version = written.acknowledged(key);
    judge(key, version, stored.get(key));
  }

  /**
   * Counts a read that was begun after a version of the key was acknowledged. One during which so
   * many versions were on their way that the same record comes round again proves nothing and is
   * not counted.
   */
  synchronized void judge(long key, int acknowledged, long hash) {
    int begun = written.begun(key);
    boolean absent = hash == StoredContents.ABSENT;
    if ((absent && mayDrop.getAsBoolean()) || !versions.distinguishable(acknowledged, begun)) {
      return;
    }
    reads++;
    if (absent) {
      lost++;
    } else if (versions.older(key, acknowledged, begun, hash)) {
      stale++;
    }
  }

  void stop() {
    stopping = true;
  }

  /** Reads that were judged, and what they found. */
  synchronized ProbeCounts counts() {
    return written.counts(reads, stale, lost);
  }
}
