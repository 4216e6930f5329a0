package io.pyrometer.ignite.writer;

import java.time.Duration;
import org.apache.ignite.IgniteException;

/** Something was not done within its time; the message says what. */
public final class WriteTimeoutException extends IgniteException {
  private static final long serialVersionUID = 1L;

  WriteTimeoutException(String what, Duration waited) {
    super(what + " within " + text(waited) + "; see the writer's settings and the cluster");
  }

  private static String text(Duration waited) {
    return waited.toMillis() < 10_000 ? waited.toMillis() + " ms" : waited.toSeconds() + " s";
  }
}
