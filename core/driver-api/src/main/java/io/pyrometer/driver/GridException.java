package io.pyrometer.driver;

/**
 * A failure that the user should read: the message is one sentence that says what, where, and what
 * to do.
 */
public class GridException extends RuntimeException {

  public GridException(String sentence) {
    super(sentence);
  }

  public GridException(String sentence, Throwable cause) {
    super(sentence, cause);
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
