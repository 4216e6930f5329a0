package io.pyrometer.ignite.writer;

/**
 * The number of entries that one lane sends at once. The target, at which it sends, doubles while
 * writes queue behind the batch in flight, and halves when a batch lingered and no write joined it.
 */
final class BatchSize {
  private static final double WORTH_HOLDING = 0.1;

  private final int smallest;
  private final int largest;
  private final int patience;
  private int target;
  private boolean merging;

  /**
   * Creates the sizes of one lane.
   *
   * @param share the number of entries that may wait in the lane
   */
  BatchSize(int smallest, int largest, long share) {
    this.largest = (int) Math.min(largest, share);
    this.smallest = Math.min(smallest, this.largest);
    this.patience = (int) Math.max(this.largest, Math.min(Integer.MAX_VALUE, share / 2));
    this.target = this.smallest;
  }

  /** Entries that are worth a call of their own. */
  int target() {
    return target;
  }

  /** Whether many writes were merged into the entries that were taken last. */
  boolean isMerging() {
    return merging;
  }

  /** Entries that may gather while repeated keys are merged. */
  int patience() {
    return patience;
  }

  /** Entries that one call may have. */
  int largest() {
    return largest;
  }

  /** A batch is taken from so many waiting entries, into which so many writes were merged. */
  void taking(int waiting, long merged) {
    merging = merged > 0 && merged >= waiting * WORTH_HOLDING;
  }

  /** A batch lingered without reaching the target. */
  void lingered() {
    target = Math.max(smallest, target / 2);
  }

  /** A batch has ended while so many entries waited behind it. */
  void sent(int waiting) {
    if (waiting >= target) {
      target = Math.min(largest, target * 2);
    }
  }
}
