package io.pyrometer.load.probe;

/** Reads what was acknowledged last, as soon as it was, from a thread that does not write. */
final class Follower implements Runnable {
  private final Ledger ledger;
  private final Versions versions;
  private final Stored stored;
  private volatile boolean stopping;
  private long reads;
  private long stale;
  private long lost;

  Follower(Ledger ledger, Versions versions, Stored stored) {
    this.ledger = ledger;
    this.versions = versions;
    this.stored = stored;
  }

  @Override
  public void run() {
    long seen = ledger.latest();
    while (!stopping) {
      long now = ledger.latest();
      if (now == seen) {
        Thread.onSpinWait();
      } else {
        seen = now;
        try {
          read(ledger.latestKey());
        } catch (RuntimeException e) {
          ledger.failed(e);
        }
      }
    }
  }

  private synchronized void read(long key) {
    int version = ledger.version(key);
    long hash = stored.get(key);
    reads++;
    if (hash == Stored.ABSENT) {
      lost++;
    } else if (versions.older(key, version, hash)) {
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
