package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import org.apache.ignite.IgniteException;

/**
 * {@link IgniteWriter#writeAll} could not take all of its entries. The cause says why; those before
 * the first that was not taken go their way.
 */
public final class IncompleteWriteException extends IgniteException {
  private static final long serialVersionUID = 1L;

  private final long takenCount;
  private final transient CompletableFuture<Void> taken;

  IncompleteWriteException(long takenCount, CompletableFuture<Void> taken, Throwable cause) {
    super("only the first " + takenCount + " entries were taken: " + String.valueOf(cause), cause);
    this.takenCount = takenCount;
    this.taken = taken;
  }

  /** How many entries were taken, counted from the first. */
  public long takenCount() {
    return takenCount;
  }

  /** The future of the entries that were taken. */
  public CompletableFuture<Void> taken() {
    return taken;
  }
}
