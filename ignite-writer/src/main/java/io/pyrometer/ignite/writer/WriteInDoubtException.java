package io.pyrometer.ignite.writer;

import org.jspecify.annotations.Nullable;

/**
 * The deadline of a write passed while its outcome, or that of an earlier write of its key, was
 * unknown. A write that was sent may have been applied, or may still be.
 *
 * @see IgniteWriter#keysInDoubt()
 */
public final class WriteInDoubtException extends WriterException {
  private static final long serialVersionUID = 1L;

  WriteInDoubtException(String message, @Nullable Throwable cause) {
    super(message, cause, true, false);
  }
}
