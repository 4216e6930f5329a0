package io.pyrometer.coordinator.testbed;

import io.pyrometer.protocol.message.Messages;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A worker refuses a command, falls silent or dies, or a host refuses what it is asked; the message
 * is one sentence for the user. Every method of the coordinator that commands processes or hosts
 * may throw it.
 */
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean gone;
  private final boolean portTaken;

  private WorkerException(String sentence, boolean gone, boolean portTaken) {
    super(sentence);
    this.gone = gone;
    this.portTaken = portTaken;
  }

  public static WorkerException portTaken(String sentence) {
    return new WorkerException(sentence, false, true);
  }

  /** Failure of a worker that cannot be used any more. */
  public static WorkerException gone(String sentence) {
    return new WorkerException(sentence, true, false);
  }

  public static WorkerException gone(String format, @Nullable Object... arguments) {
    return gone(String.format(Locale.ROOT, format, arguments));
  }

  /** Failure of a worker that lives and is not what it was asked to be. */
  public static WorkerException mismatch(String sentence) {
    return new WorkerException(sentence, false, false);
  }

  public static WorkerException mismatch(String format, @Nullable Object... arguments) {
    return mismatch(String.format(Locale.ROOT, format, arguments));
  }

  /**
   * Failure of a worker that cannot be used any more.
   *
   * @param id of the words in the message files
   */
  public static WorkerException lost(String id, @Nullable Object... values) {
    return gone(Messages.format(id, values));
  }

  /**
   * Failure of a worker that lives and is not what it was asked to be.
   *
   * @param id of the words in the message files
   */
  public static WorkerException refused(String id, @Nullable Object... values) {
    return mismatch(Messages.format(id, values));
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }

  /**
   * The sentence of what began it: a process that refuses a command because another one died names
   * the consequence alone.
   *
   * @param check throws such an exception where a process is gone
   */
  public String cause(Runnable check) {
    try {
      if (!gone) {
        check.run();
      }
      return sentence();
    } catch (WorkerException death) {
      return death.sentence();
    }
  }

  /** Returns whether another start with other ports may succeed. */
  public boolean portTaken() {
    return portTaken;
  }

  /**
   * Returns whether the worker cannot be used any more, as opposed to a command that it refused.
   */
  public boolean gone() {
    return gone;
  }
}
