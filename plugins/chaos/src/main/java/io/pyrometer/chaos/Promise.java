package io.pyrometer.chaos;

import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.TrialSpec;
import java.util.Locale;

/** Promise of a product's documentation for single operations under the faults of a trial. */
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
   * Promise of a primary copy which executes all operations on an entry, and of backup copies.
   * Every request reaches the newest version while no server leaves. When one does, an acknowledged
   * write is in a backup copy; but others may have read what no backup has yet, and an operation
   * may be executed twice. Parts of a split grid go on by themselves.
   *
   * @param data how the grid stores the entries of the trial
   */
  public static Promise ofPrimaryCopies(TrialSpec trial, DataFacts data) {
    boolean restarts = ChaosSettings.anyOf(trial.settings(), FaultKind.RESTARTS);
    boolean counts = trial.path().equals(ChaosSettings.COUNTERS);
    if (ChaosSettings.anyOf(trial.settings(), FaultKind.PARTITIONS) || (restarts && counts)) {
      return NONE;
    }
    if (data.reads() == Reads.PRIMARY && !restarts) {
      return LINEARIZABLE;
    }
    return REGULAR.given(trial, data);
  }

  /**
   * This, unless a server that leaves may take the last copy of an acknowledged write along, or
   * reads go to copies that a write does not wait for.
   */
  public Promise given(TrialSpec trial, DataFacts data) {
    int least =
        switch (data.acknowledgedBy()) {
          case ALL -> 2;
          case MAJORITY -> 3;
          case PRIMARY, NONE -> Integer.MAX_VALUE;
        };
    boolean restarts = ChaosSettings.anyOf(trial.settings(), FaultKind.RESTARTS);
    boolean lost = restarts && data.copies() < least;
    boolean stale = data.reads() == Reads.ANY && data.acknowledgedBy() != Acknowledgement.ALL;
    return lost || stale ? NONE : this;
  }

  /** Words for a person to read, of operations. */
  public String words() {
    return this == NONE ? LINEARIZABLE.words() : name().toLowerCase(Locale.ROOT);
  }
}
