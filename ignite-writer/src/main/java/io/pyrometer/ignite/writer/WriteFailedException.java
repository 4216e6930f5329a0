package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.Map;

/**
 * Names the keys of failed writes and the cause of each. The future of a write fails with an
 * exception of its own key; {@link IgniteWriter#flush()} throws one for all failures that it
 * reports, {@link IgniteWriter#close()} one for the writes that it gave up; a value that cannot be
 * encoded makes {@link IgniteWriter#write} throw it.
 */
public final class WriteFailedException extends WriterException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Object, Throwable> failures;
  private final long failedCount;
  private final boolean inDoubt;

  WriteFailedException(Object key, PendingWrite.Failure failure) {
    this(Collections.singletonMap(key, failure.cause), 1, failure.inDoubt, failure.retriable);
  }

  /** Creates an exception, of a single write without the stack trace of a thread of the writer. */
  WriteFailedException(
      Map<Object, Throwable> failures, long failedCount, boolean inDoubt, boolean retriable) {
    super(null, failures.values().iterator().next(), retriable, failedCount > 1);
    this.failures = failures;
    this.failedCount = failedCount;
    this.inDoubt = inDoubt;
  }

  /** The failed keys and their causes: the last thousand of a larger number. */
  public Map<Object, Throwable> failures() {
    return Collections.unmodifiableMap(failures);
  }

  /** The number of failed writes, including those that {@link #failures()} has no room for. */
  public long failedCount() {
    return failedCount;
  }

  /** Returns whether one of the writes may have been applied, or still be applied, nevertheless. */
  public boolean isInDoubt() {
    return inDoubt;
  }

  /** Names the first key; made when it is read, because millions of writes may fail together. */
  @Override
  public String getMessage() {
    if (failures == null) { // not kept by serialization
      return failedCount + " writes failed";
    }
    Map.Entry<Object, Throwable> first = failures.entrySet().iterator().next();
    String key = "key " + text(first.getKey()) + " was not written: " + first.getValue();
    return failedCount == 1 ? key : failedCount + " writes failed, for example: " + key;
  }

  private static String text(Object key) {
    try {
      return key.toString();
    } catch (RuntimeException | Error e) {
      return "of " + key.getClass();
    }
  }
}
