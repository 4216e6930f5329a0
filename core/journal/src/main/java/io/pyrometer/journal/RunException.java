package io.pyrometer.journal;

/** A run cannot begin or go on; the message is one sentence that says what, where, what to do. */
public final class RunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunException(String sentence) {
    super(sentence);
  }

  public RunException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
