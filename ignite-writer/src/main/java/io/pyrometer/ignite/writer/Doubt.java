package io.pyrometer.ignite.writer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writes of one call that was sent and has no known outcome. */
final class Doubt {
  final Lane lane;
  final List<PendingWrite> writes;
  final Throwable cause;
  final long since = System.nanoTime();

  /** The thread whose call is outstanding, if it is. */
  final @Nullable Thread caller;

  private volatile boolean ended;

  /** Whether somebody is reading the keys back. Guarded by {@link Doubts}. */
  boolean resolving;

  Doubt(Lane lane, List<PendingWrite> writes, Throwable cause, @Nullable Thread caller) {
    this.lane = lane;
    this.writes = List.copyOf(writes);
    this.cause = cause;
    this.caller = caller;
  }

  /** The call has ended after all. */
  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }
}
