package io.pyrometer.driver.ignite.node;

import java.io.PrintStream;
import java.time.Clock;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import org.apache.ignite.IgniteLogger;
import org.jspecify.annotations.Nullable;

/** Ignite's log cut down to its warnings and errors, on a stream that the run keeps. */
final class StderrLogger implements IgniteLogger {
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
  public void trace(String message) {}

  @Override
  public void debug(String message) {}

  @Override
  public void info(String message) {}

  @Override
  public void warning(String message, @Nullable Throwable cause) {
    say("WARNING", message, cause);
  }

  @Override
  public void error(String message, @Nullable Throwable cause) {
    say("ERROR", message, cause);
  }

  private synchronized void say(String level, String message, @Nullable Throwable cause) {
    LocalTime now = LocalTime.now(clock).truncatedTo(ChronoUnit.MILLIS);
    out.println(now + " " + level + " " + message);
    if (cause != null) {
      cause.printStackTrace(out);
    }
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return false;
  }

  @Override
  public boolean isQuiet() {
    return true;
  }

  @Override
  public @Nullable String fileName() {
    return null;
  }
}
