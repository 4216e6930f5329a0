package io.pyrometer.coordinator.testbed;

/** A worker said that a command failed, fell silent, or died; the message is one sentence. */
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sentence;
  private final boolean gone;
  private final boolean portTaken;

  public WorkerException(String sentence, boolean gone) {
    this(sentence, gone, false);
  }

  private WorkerException(String sentence, boolean gone, boolean portTaken) {
    super(sentence);
    this.sentence = sentence;
    this.gone = gone;
    this.portTaken = portTaken;
  }

  /**
   * A server found one of its ports taken by another process.
   *
   * @param sentence for the user
   */
  public static WorkerException portTaken(String sentence) {
    return new WorkerException(sentence, false, true);
  }

  /**
   * Of a worker that lives and is not what it was asked to be.
   *
   * @param sentence for the user
   */
  public static WorkerException mismatch(String sentence) {
    return new WorkerException(sentence, false);
  }

  /** What happened, for the user. */
  public String sentence() {
    return sentence;
  }

  /** Whether another start with other ports may succeed. */
  public boolean portTaken() {
    return portTaken;
  }

  /** Whether the worker cannot be used any more, as opposed to a command that it refused. */
  public boolean gone() {
    return gone;
  }
}
