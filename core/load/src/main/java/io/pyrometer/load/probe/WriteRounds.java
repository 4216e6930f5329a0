package io.pyrometer.load.probe;

import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.ProbeKind;
import java.util.SplittableRandom;

/**
 * Which keys a thread of a probe writes next, in rounds: after each the thread waits for all that
 * it has in flight.
 *
 * @param rounds each over keys of its own
 * @param leastWrites of a round, as long as its time lasts
 * @param drawn whether keys are drawn at random, or gone through in order, again and again
 */
record WriteRounds(int rounds, long leastWrites, boolean drawn) {
  private static final int MANY_ROUNDS = 10;
  private static final int BEFORE_AND_AFTER = 2;
  private static final int BEFORE_DURING_AND_AFTER = 3;
  private static final long WRITES_A_ROUND = 10_000;

  /**
   * The last versions are in danger while others are in flight, so that order is tried in many
   * rounds that end. Where a node ends, the keys of the rounds before and during that are left as
   * they are from then on: were they written again, that would heal what was lost.
   */
  static WriteRounds of(ProbeKind kind) {
    return switch (kind) {
      case ORDER -> new WriteRounds(MANY_ROUNDS, WRITES_A_ROUND, true);
      case READ -> new WriteRounds(1, Long.MAX_VALUE, true);
      case KILL -> new WriteRounds(BEFORE_AND_AFTER, Long.MAX_VALUE, false);
      case STOP -> new WriteRounds(BEFORE_DURING_AND_AFTER, Long.MAX_VALUE, false);
    };
  }

  /** The keys of a thread, in the order to be written; positions are the thread's own. */
  final class Keys {
    private final LoadThread thread;
    private final int threadKeys;
    private final SplittableRandom random;
    private int from;
    private int to;
    private int at;

    Keys(LoadThread thread, int keys, long seed) {
      this.thread = thread;
      this.threadKeys = (keys - thread.index() + thread.count() - 1) / thread.count();
      this.random = new SplittableRandom(seed ^ thread.index());
    }

    void round(int round) {
      from = (int) ((long) threadKeys * round / rounds);
      to = Math.max(from + 1, (int) ((long) threadKeys * (round + 1) / rounds));
      at = from;
    }

    long next() {
      int position = drawn ? random.nextInt(from, to) : at;
      at = at + 1 == to ? from : at + 1;
      return thread.index() + (long) position * thread.count();
    }
  }
}
