package io.pyrometer.ignite.writer;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.lang.IgniteFutureTimeoutException;
import org.jspecify.annotations.Nullable;

/** Encodes entries on the calling thread, and finds their partitions. */
final class Encoder {
  /**
   * An encoded entry.
   *
   * @param value nothing for a removal
   * @param bytes what the entry takes until it is acknowledged
   * @param hash the spread hash of the key
   */
  record Entry(Object key, @Nullable Object value, long bytes, int hash, int partition) {}

  private final Topology topology;
  private final Context context;
  private final Codec codec;
  private final Callers callers;

  Encoder(Topology topology, Context context, Codec codec, Callers callers) {
    this.topology = topology;
    this.context = context;
    this.codec = codec;
    this.callers = callers;
  }

  /** Encodes an entry if that needs no waiting; otherwise null. */
  @Nullable Entry tryEncode(Object key, Object value, BooleanSupplier isClosed) {
    if (isClosed.getAsBoolean()) {
      throw closed(key);
    }
    if (!callers.isKnown(key) || !callers.isKnown(value)) {
      return null;
    }
    try {
      return encodeNow(key, value);
    } catch (IgniteClientDisconnectedException e) {
      return null;
    }
  }

  /** Encodes an entry; a thick client can do so while it is connected alone. */
  Entry encode(Object key, @Nullable Object value, BooleanSupplier isClosed) {
    long deadline = 0;
    while (!isClosed.getAsBoolean()) {
      try {
        return encodeNow(key, value);
      } catch (IgniteClientDisconnectedException e) {
        Workers.refuseOwnThreads("wait until the client reconnects");
        deadline = deadline == 0 ? deadline() : deadline;
        awaitReconnection(e, deadline);
      }
    }
    throw closed(key);
  }

  private Entry encodeNow(Object key, @Nullable Object value) {
    callers.write();
    callers.awaitClasses(key);
    callers.awaitClasses(value);
    try {
      Object encodedKey = codec.encodeKey(key);
      @Nullable Object encoded = codec.encodeNullable(value);
      return new Entry(
          encodedKey,
          encoded,
          Codec.ENTRY_BYTES + codec.bytes(encodedKey) + codec.bytes(encoded),
          PendingQueue.spread(encodedKey.hashCode()),
          topology.partition(encodedKey));
    } catch (WriterException | IllegalArgumentException | IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      Causes.of(e)
          .first(IgniteClientDisconnectedException.class)
          .ifPresent(
              disconnected -> {
                throw disconnected;
              });
      boolean retriable = context.port().read(e).kind() != Fault.Kind.KEYS;
      throw WriteFailedException.of(key, e, retriable);
    }
  }

  private long deadline() {
    return Nanos.deadline(Nanos.of(context.settings().backPressure().longestWait()));
  }

  private void awaitReconnection(IgniteClientDisconnectedException e, long deadline) {
    try {
      IgniteFuture<?> reconnected = e.reconnectFuture();
      if (reconnected != null) {
        reconnected.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (IgniteFutureTimeoutException late) {
      throw new WriteTimeoutException(
          "the client did not reconnect", context.settings().backPressure().longestWait(), late);
    }
    if (deadline - System.nanoTime() <= 0) {
      throw new WriteTimeoutException(
          "the client did not reconnect", context.settings().backPressure().longestWait(), e);
    }
  }

  static IllegalStateException closed(Object key) {
    return new IllegalStateException("the writer is closed; key " + key + " was not accepted");
  }
}
