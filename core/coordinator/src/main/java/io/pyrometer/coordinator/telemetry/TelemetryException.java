package io.pyrometer.coordinator.telemetry;

/** A device cannot record; the message is one sentence that says why. */
public final class TelemetryException extends RuntimeException {

  public TelemetryException(String sentence) {
    super(sentence);
  }

  public TelemetryException(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** The message, which is always there. */
  String sentence() {
    return String.valueOf(getMessage());
  }
}
