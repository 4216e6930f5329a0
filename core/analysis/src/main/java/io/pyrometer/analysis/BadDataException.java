package io.pyrometer.analysis;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Figures that an analysis cannot use. The message is one sentence for the person who brought them:
 * what is wrong, where, and what to do.
 */
public final class BadDataException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Makes the exception from one whole sentence, ending in a full stop. */
  public BadDataException(String sentence) {
    super(sentence);
  }

  /** Makes the exception from a format and its arguments, in {@link Locale#ROOT}. */
  public static BadDataException of(String format, @Nullable Object... arguments) {
    return new BadDataException(String.format(Locale.ROOT, format, arguments));
  }
}
