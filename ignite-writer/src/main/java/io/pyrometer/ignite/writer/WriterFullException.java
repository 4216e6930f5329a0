package io.pyrometer.ignite.writer;

import java.time.Duration;

/** There was no room for a write within the time that {@link BackPressure} allows. */
public final class WriterFullException extends WriterException {
  private static final long serialVersionUID = 1L;

  WriterFullException(Duration waited) {
    super(
        "the writer had no room for a write within "
            + waited.toMillis()
            + " ms; the write was not accepted: see maxPendingEntries, maxPendingBytes and"
            + " backPressure",
        null,
        true,
        true);
  }
}
