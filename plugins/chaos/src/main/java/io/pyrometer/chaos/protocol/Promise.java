package io.pyrometer.chaos.protocol;

import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.TrialSpec;
import java.util.Locale;

/** What a product's documentation promises of single operations under the faults of a trial. */
public enum Promise {
  LINEARIZABLE,
  /**
   * No acknowledged write is lost, but a read may see a concurrent write that others do not, and a
   * comparison may have found what others did not.
   */
  REGULAR,
  /** Nothing; operations are checked for linearizability all the same. */
  NONE;

  /**
   * That of a primary copy which executes all operations on an entry, and of backup copies. Every
   * request reaches the newest version while no server leaves. When one does, an acknowledged write
   * is in a backup copy; but others may have read what no backup has yet, and an operation may be
   * executed twice. Parts of a split grid go on by themselves.
   *
   * @param data how the grid stores the entries of the trial
   */
  public static Promise ofPrimaryCopies(TrialSpec trial, DataFacts data) {
    boolean restarts = ChaosSettings.anyOf(trial.settings(), FaultKind.RESTARTS);
    boolean counts = trial.path().equals(ChaosSettings.COUNTERS);
    boolean stored = data.acknowledgedBy() == Acknowledgement.ALL;
    if (ChaosSettings.anyOf(trial.settings(), FaultKind.PARTITIONS)
        || (restarts && (counts || !stored || data.copies() < 2))) {
      return NONE;
    }
    if (data.reads() == Reads.PRIMARY && !restarts) {
      return LINEARIZABLE;
    }
    return stored ? REGULAR : NONE;
  }

  /** What a person reads, of operations. */
  public String words() {
    return this == NONE ? LINEARIZABLE.words() : name().toLowerCase(Locale.ROOT);
  }
}
