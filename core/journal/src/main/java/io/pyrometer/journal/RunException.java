package io.pyrometer.journal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A run cannot begin or go on; the message is one sentence that says what, where, what to do. */
public final class RunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunException(String sentence) {
    super(sentence);
  }

  public RunException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** From a format and its arguments; a failure at their end is the cause. */
  public static RunException of(String format, @Nullable Object... arguments) {
    @Nullable Object last = arguments[arguments.length - 1];
    return new RunException(
        String.format(Locale.ROOT, format, arguments),
        last instanceof Throwable cause ? cause : null);
  }
}
