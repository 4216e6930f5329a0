package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;

/**
 * What a failed call means for its keys.
 *
 * @param kind what follows from it
 * @param failedKeys the keys that failed; empty if any of the call's keys may have failed
 * @param cause the first cause worth reporting
 * @param retriable whether the same write may succeed later
 */
record Fault(Kind kind, Collection<?> failedKeys, Throwable cause, boolean retriable) {
  enum Kind {
    /** Nothing was sent: the call may be repeated in any case. */
    NOT_SENT,
    /** The call has ended, and may succeed if it is repeated: the cluster has changed. */
    PASSING,
    /** The call has ended, and failed because of some of its keys: others may succeed alone. */
    KEYS,
    /** As KEYS, but a lock of one key may have caused it, which may be free later. */
    LOCKED,
    /** The call may have been sent and may still be applied. */
    IN_DOUBT,
    /** No write can succeed any more. */
    FINAL
  }

  Fault {
    failedKeys = List.copyOf(failedKeys);
  }

  static Fault of(Kind kind, Throwable cause) {
    boolean retriable = kind != Kind.KEYS && kind != Kind.FINAL;
    return new Fault(kind, List.of(), cause, retriable);
  }
}
