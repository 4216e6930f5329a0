package io.pyrometer.driver.ignite.node;

import org.apache.ignite.internal.util.typedef.X;

/** Faults of Ignite told in a line. */
public final class IgniteErrors {

  private IgniteErrors() {}

  /** The first line of the innermost cause, without a full stop. */
  public static String cause(Throwable thrown) {
    Throwable innermost = thrown;
    while (innermost.getCause() != null && innermost.getCause() != innermost) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    String line =
        message == null || message.isBlank()
            ? innermost.getClass().getSimpleName()
            : message.strip().lines().findFirst().orElse("");
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  /** Whether a fault has a cause of this kind. */
  public static boolean comesFrom(Throwable thrown, Class<? extends Throwable> kind) {
    return X.hasCause(thrown, kind);
  }
}
