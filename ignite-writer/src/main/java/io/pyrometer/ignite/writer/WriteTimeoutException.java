package io.pyrometer.ignite.writer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A deadline passed; the message names what was not done. */
public final class WriteTimeoutException extends WriterException {
  private static final long serialVersionUID = 1L;

  /**
   * Names what was not done.
   *
   * @param last the last failure of a call that was repeated until the deadline, if there was one
   */
  WriteTimeoutException(String what, Duration timeout, @Nullable Throwable last) {
    super(what + " within " + text(timeout), last, true, true);
  }

  private static String text(Duration timeout) {
    return timeout.compareTo(Duration.ofSeconds(10)) < 0
        ? timeout.toMillis() + " ms"
        : timeout.toSeconds() + " s";
  }
}
