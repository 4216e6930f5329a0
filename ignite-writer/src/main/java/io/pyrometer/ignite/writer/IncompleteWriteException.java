package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;

/**
 * {@link IgniteWriter#writeAll} could not accept all of its entries. The cause states why; the
 * entries before the refused one are written.
 */
public final class IncompleteWriteException extends WriterException {
  private static final long serialVersionUID = 1L;

  private final long takenCount;
  private final transient CompletableFuture<Void> taken;

  IncompleteWriteException(long takenCount, CompletableFuture<Void> taken, Throwable cause) {
    super(
        "only the first " + takenCount + " entries were accepted: " + cause,
        cause,
        cause instanceof WriterException refusal && refusal.isRetriable(),
        true);
    this.takenCount = takenCount;
    this.taken = taken;
  }

  /** The number of accepted entries, counted from the first. */
  public long takenCount() {
    return takenCount;
  }

  /** The future of the accepted entries. */
  public CompletableFuture<Void> taken() {
    return taken;
  }
}
