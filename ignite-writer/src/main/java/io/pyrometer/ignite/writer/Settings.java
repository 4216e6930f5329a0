package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The choices of {@link IgniteWriterBuilder}, which describes them, and their defaults. */
final class Settings implements Cloneable {
  static final long FOREVER = Long.MAX_VALUE / 2; // can be added to System.nanoTime()

  int lanes; // zero for a number that suits the number of nodes
  int batchEntries = IgniteWriterBuilder.BATCH_ENTRIES;
  long maxPendingBytes = IgniteWriterBuilder.PENDING_BYTES;
  long lingerNanos = nanos(Duration.ofMillis(1));
  long maxWaitNanos = nanos(Duration.ofMinutes(1));
  long writeTimeoutNanos = nanos(Duration.ofMinutes(2));
  long inDoubtNanos = nanos(Duration.ofSeconds(10));
  boolean repeats = true;
  Optional<Consumer<FailedWrite<Object, Object>>> failureListener = Optional.empty();
  int stageThreads = 256; // before more are started one by one; tests have fewer
  boolean withoutOrder; // to show what caches and clients are refused for
  long topologyPollNanos = nanos(Duration.ofMillis(250)); // tests look more often

  /** How long a transaction of the writer waits for the locks of its keys. */
  long lockMillis() {
    return Math.max(50, Math.min(TimeUnit.NANOSECONDS.toMillis(writeTimeoutNanos) / 20, 1_000));
  }

  /** The nanoseconds of a duration, at most {@link #FOREVER}. */
  static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : duration.toNanos();
  }

  @Override
  public Settings clone() {
    try {
      return (Settings) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
