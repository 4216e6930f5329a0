package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.ignite.binary.BinaryObject;

/**
 * Makes the classes of keys and values known to the cluster before they are first written. Ignite
 * does that on the thread that writes, without a limit in time, and waits for ever if the message
 * gets lost: see {@code lab/ignite-metadata-hang.md}. Here it happens on a thread of its own and
 * has a limit, before anything is sent, so that a hang fails the writes of that class alone, and
 * leaves nothing in doubt.
 */
final class TypeRegistry {
  private record Registration(CompletableFuture<Void> done, long since) {}

  private final Map<Class<?>, Registration> registrations = new ConcurrentHashMap<>();
  private final Consumer<Object> register;
  private final long timeoutNanos;

  /** The class of the last known value, for most are of one class; a race costs a look-up. */
  private Class<?> last = Object.class;

  TypeRegistry(Consumer<Object> register, Duration timeout) {
    this.register = register;
    this.timeoutNanos = Nanos.of(timeout);
  }

  /** Whether a key or value can be sent without more ado. */
  boolean isKnown(Object object) {
    Class<?> type = object.getClass();
    if (type == last || type.getClassLoader() == null) {
      return true; // classes of the JDK need no registration
    }
    Registration registration = registrations.get(type);
    boolean known =
        registration != null ? registration.done.isDone() : object instanceof BinaryObject;
    if (known) {
      last = type;
    }
    return known;
  }

  /**
   * Waits until the class of a key or value is known, or cannot be registered, which writing it
   * will then tell.
   *
   * @return why it was not registered in time, if so
   * @throws InterruptedException if interrupted; the registration goes on
   */
  Optional<WriteTimeoutException> await(Object object) throws InterruptedException {
    Registration registration =
        registrations.computeIfAbsent(object.getClass(), type -> start(object));
    try {
      long left = registration.since + timeoutNanos - System.nanoTime();
      registration.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (TimeoutException e) {
      return Optional.of(
          new WriteTimeoutException(
              "Ignite did not make "
                  + object.getClass().getName()
                  + " known to the cluster (its exchange of binary metadata hangs)",
              Duration.ofNanos(timeoutNanos)));
    }
  }

  /** Sees to it that the class of a key or value gets known, without waiting. */
  void begin(Object object) {
    registrations.computeIfAbsent(object.getClass(), type -> start(object));
  }

  private Registration start(Object sample) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                register.accept(sample);
              } catch (Throwable e) { // writing it will fail in the same way, and say so
                done.completeExceptionally(e);
              }
              done.complete(null);
            },
            "ignite-writer-types");
    thread.setDaemon(true);
    thread.start();
    return new Registration(done, System.nanoTime());
  }
}
