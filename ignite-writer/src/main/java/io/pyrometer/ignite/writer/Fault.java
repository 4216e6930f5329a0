package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;

/**
 * What a failed call says about its keys.
 *
 * @param kind what may be done about it
 * @param failedKeys the keys that failed; empty means that any of the call's keys may have
 * @param cause the first cause worth telling a user
 */
record Fault(Kind kind, Collection<?> failedKeys, Throwable cause) {
  enum Kind {
    /** The cluster changed or the connection broke: the same write may succeed soon. */
    PASSING,
    /** The call failed for the sake of some of its keys: others may succeed without them. */
    KEYS,
    /** No write can succeed any more. */
    FINAL
  }

  Fault {
    failedKeys = List.copyOf(failedKeys);
  }

  static Fault ofAll(Kind kind, Throwable cause) {
    return new Fault(kind, List.of(), cause);
  }
}
