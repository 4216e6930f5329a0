package io.pyrometer.ignite.writer;

import org.apache.ignite.IgniteException;

/**
 * A write was sent and its outcome is unknown: it may have been applied, may never be, or may be
 * applied at any later time. Until that is settled the writer fails later writes of the key with
 * this exception too, because the earlier write might overwrite them after they were acknowledged.
 *
 * @see IgniteWriter#keysInDoubt()
 */
public final class WriteInDoubtException extends IgniteException {
  private static final long serialVersionUID = 1L;

  WriteInDoubtException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
