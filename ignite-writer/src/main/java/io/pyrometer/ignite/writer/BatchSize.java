package io.pyrometer.ignite.writer;

/**
 * How many entries one lane sends at once, and how many may wait in it.
 *
 * <p>The target, at which it sends, doubles while writes queue behind the batch in flight, and
 * halves when a batch had to linger in vain. The limit, at which its writers wait, is that of the
 * largest batch, because entries that wait for long cost memory and garbage collection; it doubles
 * while many waiting writes are merged, because then waiting saves sending.
 */
final class BatchSize {
  private static final double WORTH_WAITING = 0.05;
  private static final double WORTH_HOLDING = 0.1;

  private final int smallest;
  private final int largest;
  private final int mostWaiting;
  private int target;
  private int limit;
  private boolean merging;

  BatchSize(int smallest, int largest, int mostWaiting) {
    this.largest = Math.min(largest, mostWaiting);
    this.smallest = Math.min(smallest, this.largest);
    this.mostWaiting = mostWaiting;
    this.target = this.smallest;
    this.limit = this.largest;
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
    return Math.max(largest, mostWaiting / 2);
  }

  /** Entries that one call may have. */
  int largest() {
    return largest;
  }

  /** Whether another entry may wait beside those that do, given the writes merged with them. */
  boolean hasRoom(int waiting, long merged) {
    if (waiting >= limit && merged >= waiting * WORTH_WAITING) {
      limit = (int) Math.min(mostWaiting, 2L * limit);
    }
    return waiting < limit;
  }

  /** A batch is taken from those that wait. */
  void taking(int waiting, long merged) {
    merging = merged >= waiting * WORTH_HOLDING;
    if (waiting >= largest && merged < largest * WORTH_WAITING) {
      limit = Math.max(largest, limit / 2);
    }
  }

  /** A batch lingered without reaching the target. */
  void lingered() {
    target = Math.max(smallest, target / 2);
  }

  /** A batch was acknowledged while so many entries waited behind it. */
  void sent(int waiting) {
    if (waiting >= target) {
      target = Math.min(largest, target * 2);
    }
  }
}
