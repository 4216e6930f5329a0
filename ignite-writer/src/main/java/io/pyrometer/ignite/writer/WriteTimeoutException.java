package io.pyrometer.ignite.writer;

import java.time.Duration;
import org.apache.ignite.IgniteException;

/** A call waited as long as it was allowed to; a write that throws it was not accepted. */
public final class WriteTimeoutException extends IgniteException {
  private static final long serialVersionUID = 1L;

  WriteTimeoutException(String what, Duration waited) {
    super(what + " within " + waited.toMillis() + " ms; see the writer's settings and the cluster");
  }
}
