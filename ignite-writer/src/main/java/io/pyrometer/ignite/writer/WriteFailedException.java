package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names the keys of failed writes and the cause of each. The future of a write fails with an
 * exception of its own key; {@link IgniteWriter#flush()} and {@link IgniteWriter#close()} throw one
 * for all failures that they report; a value that cannot be encoded makes {@link
 * IgniteWriter#write} throw it.
 */
public final class WriteFailedException extends WriterException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Object, Throwable> failures;
  private final long failedCount;

  private WriteFailedException(
      Map<Object, Throwable> failures, long failedCount, boolean retriable, boolean stackTrace) {
    super(
        message(failures, failedCount), failures.values().iterator().next(), retriable, stackTrace);
    this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    this.failedCount = failedCount;
  }

  /** For one write: many may fail at once, on a thread of the writer, so without a stack trace. */
  static WriteFailedException of(Object key, Throwable cause, boolean retriable) {
    return new WriteFailedException(Map.of(key, cause), 1, retriable, false);
  }

  static WriteFailedException of(
      Map<Object, Throwable> failures, long failedCount, boolean retriable) {
    return new WriteFailedException(failures, failedCount, retriable, true);
  }

  /** The failed keys and their causes: the last thousand of a larger number. */
  public Map<Object, Throwable> failures() {
    return failures;
  }

  /** The number of failed writes, including those that {@link #failures()} has no room for. */
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

  private static String message(Map<Object, Throwable> failures, long failedCount) {
    Map.Entry<Object, Throwable> first = failures.entrySet().iterator().next();
    String key = "key " + text(first.getKey()) + " was not written: " + first.getValue();
    return failedCount == 1 ? key : failedCount + " writes failed, for example: " + key;
  }
}
