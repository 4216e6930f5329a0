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
import java.util.function.Consumer;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.thread.IgniteThread;
import org.jspecify.annotations.Nullable;

/**
 * The threads that call a writer: which failures each has seen, and whether they may encode.
 *
 * <p>Ignite makes a new class known to the cluster on the thread that encodes the first object of
 * it, and waits for ever, deaf to interrupts, if a message is lost ({@code
 * lab/ignite-metadata-hang.md}). Here a worker encodes the first object of each class, also inside
 * collections, and callers wait for it for a limited time, so that a hang fails the writes of that
 * class alone. A class that is new in a field of a known class is not recognised.
 */
final class Callers {
  /** What is known of one thread. */
  static final class Caller {
    /** The number of the first failure that no flush of this thread has reported. */
    long nextFailure;

    Caller(long nextFailure) {
      this.nextFailure = nextFailure;
    }
  }

  private record Registration(CompletableFuture<Void> done, long since) {}

  private final FailureLog failures;
  private final Workers workers;
  private final Consumer<Object> encoder;
  private final Duration stallTimeout;
  private final Map<Class<?>, Registration> registrations = new ConcurrentHashMap<>();

  @SuppressWarnings("ThreadLocalUsage") // of one writer
  private final ThreadLocal<@Nullable Caller> callers = new ThreadLocal<>();

  /** The class of the last known object, for most are of one class; a race costs a look-up. */
  private Class<?> last = Object.class;

  /**
   * Creates the callers of one writer.
   *
   * @param encoder encodes an object, for its effect on the cluster
   */
  Callers(FailureLog failures, Workers workers, Consumer<Object> encoder, Duration stallTimeout) {
    this.failures = failures;
    this.workers = workers;
    this.encoder = encoder;
    this.stallTimeout = stallTimeout;
  }

  /** Notes that the calling thread writes: it has seen the failures before its first write. */
  void write() {
    if (callers.get() == null) {
      callers.set(new Caller(failures.count()));
    }
  }

  /** The calling thread, which has seen no failure if it has not written before. */
  Caller flush() {
    @Nullable Caller caller = callers.get();
    if (caller == null) {
      caller = new Caller(0);
      callers.set(caller);
    }
    return caller;
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

  /** Whether an object can be encoded without waiting; if not, sees to it that it can soon. */
  boolean isKnown(Object object) {
    @Nullable Object unknown = unknown(object);
    if (unknown != null) {
      registration(unknown);
    }
    return unknown(object) == null;
  }

  /**
   * Waits until an object can be encoded.
   *
   * @throws WriteTimeoutException if the cluster did not confirm its class in time
   * @throws IllegalStateException if the thread is one of Ignite and would have to wait
   */
  void awaitClasses(@Nullable Object object) {
    @Nullable Object unknown;
    while ((unknown = unknown(object)) != null) {
      await(unknown.getClass(), registration(unknown));
    }
  }

  private void await(Class<?> type, Registration registration) {
    if (Thread.currentThread() instanceof IgniteThread) {
      Workers.refuseOwnThreads("wait until " + type.getName() + " is registered");
    }
    try {
      long left = registration.since + Nanos.of(stallTimeout) - System.nanoTime();
      registration.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new WriteTimeoutException(
          "Ignite did not register "
              + type.getName()
              + " with the cluster (its exchange of binary metadata hangs)",
          stallTimeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IgniteInterruptedException("a write was interrupted before it was accepted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Registration registration(Object sample) {
    return registrations.computeIfAbsent(sample.getClass(), type -> start(sample));
  }

  private Registration start(Object sample) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    workers.execute(
        () -> {
          try {
            encoder.accept(sample);
          } catch (Throwable e) { // the write will fail in the same way
            System.getLogger(IgniteWriter.class.getName())
                .log(System.Logger.Level.DEBUG, "a class could not be registered", e);
          } finally {
            done.complete(null);
          }
        });
    return new Registration(done, System.nanoTime());
  }
}
