package io.pyrometer.ignite.writer;

import java.time.Duration;
import org.apache.ignite.IgniteException;

/** The writer had no room for a write within the time that {@link BackPressure} allows. */
public final class WriterFullException extends IgniteException {
  private static final long serialVersionUID = 1L;

  WriterFullException(Duration waited) {
    super(
        "the writer had no room for a write within "
            + waited.toMillis()
            + " ms; the write was not taken: see maxPendingEntries, maxPendingBytes, backPressure");
  }
}
