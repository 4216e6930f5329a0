package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says which keys could not be written, each with its cause. A write's future fails with the
 * exception of its own key; {@link IgniteWriter#flush()} and {@link IgniteWriter#close()} throw one
 * for all failures since the last flush.
 */
public final class WriteFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Object, Throwable> failures;
  private final long failedCount;

  private WriteFailedException(
      Map<Object, Throwable> failures, long failedCount, boolean withStackTrace) {
    super(
        sentence(failures, failedCount), failures.values().iterator().next(), true, withStackTrace);
    this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    this.failedCount = failedCount;
  }

  /** For a future: many may fail at once, on a thread that tells nothing, so no stack trace. */
  static WriteFailedException of(Object key, Throwable cause) {
    return new WriteFailedException(Map.of(key, cause), 1, false);
  }

  static WriteFailedException of(Map<Object, Throwable> failures, long failedCount) {
    return new WriteFailedException(failures, failedCount, true);
  }

  /** The failed keys and their causes: of a large number, the first thousand. */
  public Map<Object, Throwable> failures() {
    return failures;
  }

  /** How many writes failed, those without room in {@link #failures()} included. */
  public long failedCount() {
    return failedCount;
  }

  private static String text(Object key) {
    try {
      return key.toString();
    } catch (RuntimeException | Error e) {
      return "of " + key.getClass();
    }
  }

  private static String sentence(Map<Object, Throwable> failures, long failedCount) {
    Map.Entry<Object, Throwable> first = failures.entrySet().iterator().next();
    String key = "key " + text(first.getKey()) + " was not written: " + first.getValue();
    return failedCount == 1 ? key : failedCount + " keys were not written, the first: " + key;
  }
}
