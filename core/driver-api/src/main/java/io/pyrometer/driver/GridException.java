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
}
