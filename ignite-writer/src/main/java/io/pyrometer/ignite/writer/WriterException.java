package io.pyrometer.ignite.writer;

import org.jspecify.annotations.Nullable;

/** The parent of all exceptions of an {@link IgniteWriter}. */
public abstract class WriterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  WriterException(
      @Nullable String message,
      @Nullable Throwable cause,
      boolean retriable,
      boolean withStackTrace) {
    super(message, cause, true, withStackTrace);
    this.retriable = retriable;
  }

  /**
   * Returns whether the same write may succeed later, when the cluster has recovered or has room.
   */
  public boolean isRetriable() {
    return retriable;
  }
}
