package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.function.Supplier;

/**
 * Work of one agent in a trial: its load threads draw operations, and afterwards what the grid
 * holds or answered is verified. A load thread knows nothing of the kind of work; a new kind is one
 * subclass and one line in {@link #of}.
 */
abstract class Workload {
  final TrialSpec trial;
  final Settings settings;

  /** The number of keys of all load threads together. */
  final long keys;

  Workload(TrialSpec trial) {
    this.trial = trial;
    this.settings = trial.settings();
    this.keys = settings.get(CoreSettings.RECORDS);
  }

  /**
   * The workload that the trial's job names.
   *
   * @param guarantee of the path's writes, by which what they leave is verified
   */
  static Workload of(TrialSpec trial, Records records, Guarantee guarantee) {
    return switch (trial.job().id()) {
      case "write", "update" -> new WriteWorkload(trial, records, guarantee);
      case "mix" -> new MixWorkload(trial, records, guarantee);
      case "transfer" -> new TransferWorkload(trial, records);
      case "aggregate" -> new AggregateWorkload(trial, records);
      case "query", "read" -> new QueryWorkload(trial);
      default ->
          throw new IllegalArgumentException(
              Messages.format("load.unknown-job").formatted(trial.job()));
    };
  }

  /**
   * Refuses keys whose contents cannot be remembered for every load thread of this agent.
   *
   * @param sentence a format of the keys, the threads, what they need and the heap in MiB
   * @param bytes of one key of one thread
   * @param part of the heap that they may take: 2 for a half
   */
  final void requireMemory(String sentence, int bytes, int part) {
    int threads = settings.get(CoreSettings.THREADS);
    long heap = Runtime.getRuntime().maxMemory();
    long needed = bytes * keys * threads;
    if (needed > heap / part) {
      throw new IllegalArgumentException(
          sentence.formatted(keys, threads, needed >> 20, heap >> 20));
    }
  }

  /** How many records must be in the grid beforehand: those of the first keys, from 0. */
  long recordsBefore() {
    return keys;
  }

  /**
   * Opens the part of one load thread.
   *
   * @throws IllegalArgumentException if the settings do not suit the thread
   */
  abstract Operations open(LoadThread thread, AccessPath path);

  /**
   * Evidence that the agent has and finds after its load threads have ended.
   *
   * @param creator whether this agent is the one that reads back for all
   * @param digest digests everything that is in the grid
   * @param contents reads everything that is in the grid, record by record
   */
  abstract Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents);

  /**
   * One load thread's part of a workload. All but {@link #acknowledged} and {@link #failed} is
   * called by it alone.
   */
  interface Operations {

    /** Fills a call in: its operation, keys, records and size. Allocates nothing. */
    void draw(Slot call);

    /** The call ended successfully; told by the thread that ended it, before the call is reused. */
    default void acknowledged(Slot call) {}

    /** The call failed, so that it may or may not have been carried out; told like its success. */
    default void failed(Slot call) {}

    /** Returns whether the calls executed so far complete a pass over the data. */
    default boolean passComplete() {
      return false;
    }

    /** Ends a complete pass, once no call is in flight. */
    default void endPass() {}

    /** Returns whether no call is left to be drawn. */
    default boolean exhausted() {
      return false;
    }

    /**
     * Returns whether a pass must be completed before the thread may end, so that it can be
     * verified.
     */
    default boolean owesPass() {
      return false;
    }
  }
}
