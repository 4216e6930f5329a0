package io.pyrometer.ignite.writer;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A deadline passed: there was no room for a write, a class was not registered, or a write was not
 * acknowledged. The message names what was not done.
 */
public final class WriteTimeoutException extends WriterException {
  private static final long serialVersionUID = 1L;

  /**
   * Names what was not done.
   *
   * @param last the last failure of a call that was repeated until the deadline, if there was one
   */
  WriteTimeoutException(String what, long nanos, @Nullable Throwable last) {
    super(what + " within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", last, true, true);
  }
}
