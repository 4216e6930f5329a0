package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.lang.IgniteFutureTimeoutException;
import org.apache.ignite.thread.IgniteThread;
import org.jspecify.annotations.Nullable;

/**
 * Encodes entries on the calling thread, and finds their partitions.
 *
 * <p>Ignite makes a new class known to the cluster on the thread that encodes the first object of
 * it, and waits for ever, deaf to interrupts, if a message is lost ({@code
 * lab/ignite-metadata-hang.md}). Here a worker encodes the first object of each class, also inside
 * collections, and callers wait for it for a limited time, so that a hang fails the writes of that
 * class alone. A class that is new in a field of a known class is not recognised.
 */
final class Encoder {
  /**
   * An encoded entry.
   *
   * @param value nothing for a removal
   * @param bytes what the entry takes until it is acknowledged
   */
  record Entry(EncodedKey key, @Nullable Object value, long bytes) {}

  private record Registration(CompletableFuture<Void> done, long since) {}

  private final Context context;
  private final BooleanSupplier isClosed;
  private final Map<Class<?>, Registration> registrations = new ConcurrentHashMap<>();

  /** The class of the last known object, for most are of one class; a race costs a look-up. */
  private Class<?> last = Object.class;

  Encoder(Context context, BooleanSupplier isClosed) {
    this.context = context;
    this.isClosed = isClosed;
  }

  /** Encodes an entry if that needs no waiting; otherwise null. */
  @Nullable Entry tryEncode(Object key, Object value) {
    if (isClosed.getAsBoolean()) {
      throw closed(key);
    }
    try {
      return isKnown(key, false) && isKnown(value, false) ? encodeNow(key, value) : null;
    } catch (IgniteClientDisconnectedException e) {
      return null;
    }
  }

  /** Encodes an entry; a thick client can do so while it is connected alone. */
  Entry encode(Object key, @Nullable Object value) {
    long deadline = 0;
    while (!isClosed.getAsBoolean()) {
      try {
        isKnown(key, true);
        isKnown(value, true);
        return encodeNow(key, value);
      } catch (IgniteClientDisconnectedException e) {
        Workers.refuseOwnThreads("wait until the client reconnects");
        long longest = Nanos.of(context.settings().backPressure.longestWait());
        deadline = deadline == 0 ? Nanos.deadline(longest) : deadline;
        awaitReconnection(e, deadline);
      }
    }
    throw closed(key);
  }

  private Entry encodeNow(Object key, @Nullable Object value) {
    Codec codec = context.codec();
    try {
      EncodedKey encodedKey = encodeKey(key);
      @Nullable Object encoded = codec.encodeNullable(value);
      long bytes = codec.bytes(encodedKey.object()) + codec.bytes(encoded);
      return new Entry(encodedKey, encoded, Codec.ENTRY_BYTES + bytes);
    } catch (WriterException | IllegalArgumentException | IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      Fault.all(Fault.chain(e), IgniteClientDisconnectedException.class)
          .forEach(
              disconnected -> {
                throw disconnected;
              });
      boolean retriable = context.port().read(e).kind() != Fault.Kind.KEYS;
      throw WriteFailedException.of(key, e, retriable);
    }
  }

  EncodedKey encodeKey(Object key) {
    Object encoded = context.codec().encodeKey(key);
    return new EncodedKey(encoded, encoded.hashCode(), context.port().partition(encoded));
  }

  private void awaitReconnection(IgniteClientDisconnectedException e, long deadline) {
    try {
      IgniteFuture<?> reconnected = e.reconnectFuture();
      if (reconnected != null) {
        reconnected.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
      if (deadline - System.nanoTime() > 0) {
        return;
      }
    } catch (IgniteFutureTimeoutException late) {
      e.addSuppressed(late);
    }
    throw new WriteTimeoutException(
        "the client did not reconnect", context.settings().backPressure.longestWait(), e);
  }

  static IllegalStateException closed(Object key) {
    return new IllegalStateException("the writer is closed; key " + key + " was not accepted");
  }

  /** An object, or one inside a collection, whose class may be new to the cluster. */
  private @Nullable Object unknown(@Nullable Object object) {
    if (object == null || object.getClass() == last || Codec.isPlain(object)) {
      return null;
    }
    if (object instanceof Collection<?> collection) {
      return unknownOf(collection);
    }
    if (object instanceof Map<?, ?> map) {
      @Nullable Object key = unknownOf(map.keySet());
      return key != null ? key : unknownOf(map.values());
    }
    if (object instanceof Object[] array) {
      return unknownOf(Arrays.asList(array));
    }
    @Nullable Registration registration = registrations.get(object.getClass());
    boolean known =
        object.getClass().getClassLoader() == null
            || (registration != null && registration.done.isDone());
    if (known) {
      last = object.getClass();
    }
    return known ? null : object;
  }

  private @Nullable Object unknownOf(Collection<?> objects) {
    for (@Nullable Object object : objects) {
      @Nullable Object unknown = unknown(object);
      if (unknown != null) {
        return unknown;
      }
    }
    return null;
  }

  /**
   * Whether an object can be encoded without waiting; if not, waits for that or sees to it that it
   * can soon.
   *
   * @throws WriteTimeoutException if the cluster did not confirm its class in time
   * @throws IllegalStateException if the thread is one of Ignite and would have to wait
   */
  private boolean isKnown(@Nullable Object object, boolean wait) {
    @Nullable Object unknown;
    while ((unknown = unknown(object)) != null) {
      Object sample = unknown;
      Registration registration =
          registrations.computeIfAbsent(sample.getClass(), type -> register(sample));
      if (wait) {
        await(sample.getClass(), registration);
      } else if (!registration.done.isDone()) {
        return false;
      }
    }
    return true;
  }

  private void await(Class<?> type, Registration registration) {
    if (Thread.currentThread() instanceof IgniteThread) {
      Workers.refuseOwnThreads("wait until " + type.getName() + " is registered");
    }
    long longest = Nanos.of(context.settings().stallTimeout);
    try {
      long left = registration.since + longest - System.nanoTime();
      registration.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WriteTimeoutException(
          "Ignite did not register "
              + type.getName()
              + " with the cluster (its exchange of binary metadata hangs)",
          context.settings().stallTimeout,
          null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IgniteInterruptedException("a write was interrupted before it was accepted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Has a worker encode an object, for its effect on the cluster; its write fails if that fails.
   */
  private Registration register(Object sample) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context
        .workers()
        .execute(
            () -> {
              try {
                context.codec().encodeValue(sample);
              } catch (Throwable e) {
                System.getLogger(IgniteWriter.class.getName())
                    .log(System.Logger.Level.DEBUG, "a class could not be registered", e);
              } finally {
                done.complete(null);
              }
            });
    return new Registration(done, System.nanoTime());
  }
}
