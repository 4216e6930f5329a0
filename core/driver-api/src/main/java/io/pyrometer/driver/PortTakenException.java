package io.pyrometer.driver;

/** A server could not bind one of its ports; a start with other ports may succeed. */
public final class PortTakenException extends GridException {
  private static final long serialVersionUID = 1L;

  public PortTakenException(String sentence) {
    super(sentence);
  }

  public PortTakenException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
