package io.pyrometer.driver;

import io.pyrometer.protocol.Settings;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the user should read: the message is one sentence that says what, where, and what
 * to do.
 */
public class GridException extends RuntimeException {

  public GridException(String sentence) {
    super(sentence);
  }

  public GridException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** From a format and its arguments; a failure at their end is the cause. */
  public static GridException of(String format, @Nullable Object... arguments) {
    @Nullable Object last = arguments[arguments.length - 1];
    return new GridException(
        String.format(Locale.ROOT, format, arguments),
        last instanceof Throwable cause ? cause : null);
  }

  /** Message of a product about a failure, with the options that were given to it. */
  public static String withProperties(String why, Settings given) {
    Map<String, String> properties = new TreeMap<>(given.properties());
    given.cacheProperties().forEach((name, value) -> properties.put("cache." + name, value));
    return properties.isEmpty() ? why : "%s; properties: %s".formatted(why, properties);
  }

  /** The first line of a failure's innermost cause, without a full stop. */
  public static String cause(Throwable failure) {
    Throwable innermost = failure;
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
}
