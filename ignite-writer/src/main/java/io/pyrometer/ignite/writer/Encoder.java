package io.pyrometer.ignite.writer;

import java.time.Duration;
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

  /** Encodes an entry; a thick client can do so while it is connected alone. */
  PendingWrite encode(Object key, @Nullable Object value) {
    long deadline = 0;
    while (!isClosed.getAsBoolean()) {
      try {
        awaitKnown(key);
        awaitKnown(value);
        return encodeNow(key, value);
      } catch (IgniteClientDisconnectedException e) {
        Workers.requireMayWait("wait until the client reconnects");
        long longest = Nanos.of(context.settings().maxWait);
        deadline = deadline == 0 ? Nanos.deadline(longest) : deadline;
        awaitReconnection(e, deadline);
      }
    }
    throw closed(key);
  }

  private PendingWrite encodeNow(Object key, @Nullable Object value) {
    Codec codec = context.codec();
    Codec.Size size = new Codec.Size();
    try {
      Object encodedKey = codec.encodeKey(key, size);
      @Nullable Object encoded = value == null ? null : codec.encode(value, size);
      return new PendingWrite(
          encodedKey,
          encodedKey.hashCode(),
          context.port().partition(encodedKey),
          encoded,
          context.budget().counted(Codec.ENTRY_BYTES + size.bytes()));
    } catch (WriterException | IllegalArgumentException | IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      Fault.all(Fault.chain(e), IgniteClientDisconnectedException.class)
          .forEach(
              disconnected -> {
                throw disconnected;
              });
      boolean retriable = context.port().read(e).kind() != Fault.Kind.KEYS;
      throw new WriteFailedException(Map.of(key, e), 1, false, retriable);
    }
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
    throw new WriteTimeoutException("the client did not reconnect", context.settings().maxWait, e);
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
   * Waits until the classes of an object are registered with the cluster; not on threads that must
   * not wait.
   *
   * @throws WriteTimeoutException if the cluster did not confirm a class in time
   */
  private void awaitKnown(@Nullable Object object) {
    @Nullable Object unknown;
    while ((unknown = unknown(object)) != null) {
      Object sample = unknown;
      await(
          sample.getClass(),
          registrations.computeIfAbsent(sample.getClass(), type -> register(sample)));
    }
  }

  private void await(Class<?> type, Registration registration) {
    Duration longest = Workers.mayWait() ? context.settings().maxWait : Duration.ZERO;
    try {
      long left = registration.since + Nanos.of(longest) - System.nanoTime();
      registration.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WriteTimeoutException(
          "Ignite did not register " + type.getName() + " with the cluster", longest, null);
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
                context.codec().encode(sample, new Codec.Size());
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
