package io.pyrometer.driver.ignite.node;

import java.io.PrintStream;
import java.time.Clock;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import javax.management.MBeanRegistrationException;
import org.apache.ignite.IgniteLogger;
import org.apache.ignite.logger.NullLogger;
import org.jspecify.annotations.Nullable;

/** Ignite's warnings and errors, on a stream that the run saves. */
final class StderrLogger extends NullLogger {
  private final PrintStream out;
  private final Clock clock;

  StderrLogger(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  @Override
  public IgniteLogger getLogger(Object category) {
    return this;
  }

  @Override
  public void warning(String message) {
    log("WARNING", message, null);
  }

  @Override
  public void warning(String message, @Nullable Throwable cause) {
    log("WARNING", message, cause);
  }

  @Override
  public void error(String message) {
    log("ERROR", message, null);
  }

  @Override
  public void error(String message, @Nullable Throwable cause) {
    log("ERROR", message, cause);
  }

  private synchronized void log(String level, String message, @Nullable Throwable cause) {
    if (cause instanceof MBeanRegistrationException) {
      return; // Nodes register no MBeans, and would say so of each as if it were an error.
    }
    LocalTime now = LocalTime.now(clock).truncatedTo(ChronoUnit.MILLIS);
    out.println(now + " " + level + " " + message);
    if (cause != null) {
      cause.printStackTrace(out);
    }
  }
}
