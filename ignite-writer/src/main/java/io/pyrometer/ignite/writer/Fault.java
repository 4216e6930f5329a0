package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a failed call says about its keys.
 *
 * @param kind what may be done about it
 * @param failedKeys the keys that failed; empty means that any of the call's keys may have
 * @param cause the first cause worth telling a user
 * @param over completes when a passing fault is known to be over, where Ignite tells
 */
record Fault(
    Kind kind, Collection<?> failedKeys, Throwable cause, Optional<CompletionStage<?>> over) {
  enum Kind {
    /** The cluster changed: the same write may be repeated and may succeed soon. */
    PASSING,
    /** Nobody knows whether, or when, the write is applied: it must not be repeated. */
    IN_DOUBT,
    /** The call failed for the sake of some of its keys: others may succeed without them. */
    KEYS,
    /** No write can succeed any more. */
    FINAL
  }

  Fault {
    failedKeys = List.copyOf(failedKeys);
  }

  Fault(Kind kind, Collection<?> failedKeys, Throwable cause) {
    this(kind, failedKeys, cause, Optional.empty());
  }

  static Fault ofAll(Kind kind, Throwable cause) {
    return new Fault(kind, List.of(), cause);
  }
}
