package io.pyrometer.coordinator.testbed;

/** A worker said that a command failed, fell silent, or died; the message is one sentence. */
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sentence;
  private final boolean gone;

  public WorkerException(String sentence, boolean gone) {
    super(sentence);
    this.sentence = sentence;
    this.gone = gone;
  }

  /**
   * Of a worker that lives and is not what it was asked to be.
   *
   * @param sentence for the user
   */
  public static WorkerException notAsAsked(String sentence) {
    return new WorkerException(sentence, false);
  }

  /** What happened, for the user. */
  public String sentence() {
    return sentence;
  }

  /** Whether the worker cannot be used any more, as opposed to a command that it refused. */
  public boolean gone() {
    return gone;
  }
}
