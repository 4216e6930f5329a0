package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.IgniteInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Encodes entries on the calling thread, and finds their partitions.
 *
 * <p>Ignite makes a new class known to the cluster on the thread that encodes the first object of
 * it, and waits for ever, deaf to interrupts, if a message is lost ({@code lab/ignite-defects.md}).
 * Here a worker encodes the first object of each class, and callers wait for it for a limited time,
 * so that a hang fails the writes of that class alone. A class that is new in a field of a known
 * class is not recognised.
 */
final class Encoder {
  private static final long RETRY_MILLIS = 20;

  private static final class Registration {
    private final CompletableFuture<Void> done;
    private final long since = System.nanoTime();

    Registration(CompletableFuture<Void> done) {
      this.done = done;
    }
  }

  final Codec keys = new Codec(this::toBinary);
  final Codec values = new Codec(this::toBinary);
  private final Context context;
  private final Map<Class<?>, Registration> registrations = new ConcurrentHashMap<>();
  private Class<?> last = Object.class; // known, as most will be; a race costs a look-up

  Encoder(Context context) {
    this.context = context;
  }

  /** Encodes an entry; waits while the client is disconnected or the cluster becomes active. */
  PendingWrite encode(Object key, @Nullable Object value) {
    long since = 0;
    while (!context.closing.get()) {
      PendingWrite write;
      try {
        write = encodeNow(key, value);
      } catch (WriterException | IgniteInterruptedException e) {
        throw e;
      } catch (RuntimeException e) {
        since = since == 0 ? System.nanoTime() : since;
        awaitCluster(key, e, since);
        continue;
      }
      Codec.requireKey(key, write.key.encoded);
      return write;
    }
    throw closed(key);
  }

  static IllegalStateException closed(Object key) {
    return new IllegalStateException("the writer is closed; key " + key + " was not accepted");
  }

  private PendingWrite encodeNow(Object key, @Nullable Object value) {
    Codec.Size size = new Codec.Size();
    Object encoded = keys.encode(key, size);
    @Nullable Object encodedValue = value == null ? null : values.encode(value, size);
    return new PendingWrite(
        new Key(encoded, context.port.partition(encoded)),
        encodedValue,
        Budget.counted(Codec.ENTRY_BYTES + size.bytes));
  }

  /** Waits before the next attempt, unless it would fail as well. */
  private void awaitCluster(Object key, RuntimeException e, long since) {
    Fault fault = context.port.read(e);
    if (fault.kind != Fault.Kind.PASSING) {
      boolean retriable = fault.kind != Fault.Kind.KEYS;
      throw new WriteFailedException(key, new PendingWrite.Failure(e, false, retriable));
    }
    Workers.requireMayWait("wait until the cache can be used");
    if (System.nanoTime() - since >= context.settings.maxWaitNanos) {
      throw new WriteTimeoutException(
          "the cache could not be used", context.settings.maxWaitNanos, e);
    }
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException interrupted) {
      throw Workers.interrupted("a write was interrupted before it was accepted");
    }
  }

  private Object toBinary(Object object) {
    Class<?> type = object.getClass();
    if (type != last) {
      if (type.getClassLoader() != null) {
        await(type, registrations.computeIfAbsent(type, unknown -> register(object)));
      }
      last = type;
    }
    return context.port.toBinary(object);
  }

  private void await(Class<?> type, Registration registration) {
    long longest = Workers.mayWait() ? context.settings.maxWaitNanos : 0;
    try {
      long left = registration.since + longest - System.nanoTime();
      registration.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WriteTimeoutException(
          "Ignite did not register " + type.getName() + " with the cluster", longest, null);
    } catch (InterruptedException e) {
      throw Workers.interrupted("a write was interrupted before it was accepted");
    } catch (ExecutionException e) {
      // so does the encoding of the object that follows
    }
  }

  /** Has a worker encode an object for its effect on the cluster. */
  private Registration register(Object sample) {
    return new Registration(
        CompletableFuture.runAsync(() -> context.port.toBinary(sample), context.workers::execute));
  }
}
