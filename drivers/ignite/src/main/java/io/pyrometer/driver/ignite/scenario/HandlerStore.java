package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import io.pyrometer.scenario.api.ServiceContext;
import java.util.Optional;
import org.apache.ignite.IgniteCache;
import org.jspecify.annotations.Nullable;

/** How handlers are kept in the cache: one implementation for each level of {@code handler}. */
abstract class HandlerStore implements AutoCloseable {
  final IgniteCache<Long, Handler> cache;
  final ServiceContext context;
  final Writers writers;

  HandlerStore(IgniteCache<Long, Handler> cache, ServiceContext context) {
    this.cache = cache;
    this.context = context;
    this.writers = new Writers(context);
  }

  /** Stores a new handler; returns when the grid has acknowledged it. */
  final void create(Request request, Handler handler) throws Exception {
    Writers.await(
        writers.begin(request.id(), 0, request.measured(), () -> cache.put(request.id(), handler)));
  }

  /** Stores a new handler after the step that made it; returns at once. */
  final void createLater(Request request, Handler handler) {
    writers.writeLater(request.id(), request.measured(), () -> cache.put(request.id(), handler));
  }

  /**
   * Adds an answer to its handler, and removes the handler if that completes it. At most one call
   * for a request, of all processes, returns a complete handler.
   *
   * @return the handler with the answer; empty if there is none
   */
  abstract Optional<Handler> append(MockAnswer answer) throws Exception;

  /**
   * Removes the handler of a request whose time is up. Of all calls of this and of {@link #append}
   * that remove the handler, one returns it.
   *
   * @return empty if the request has ended already
   */
  abstract Optional<Handler> expire(long request, boolean measured) throws Exception;

  /** Reports the end of an appending step, and returns what it left. */
  final Optional<Handler> appended(MockAnswer answer, long from, @Nullable Handler after) {
    if (after == null) {
      context.noState(answer, from);
    } else {
      context.appended(answer, from, after.received());
    }
    return Optional.ofNullable(after);
  }

  /** Stores a handler, or removes it if it is complete. */
  final void store(long request, Handler handler) {
    if (handler.complete()) {
      cache.remove(request);
    } else {
      cache.put(request, handler);
    }
  }

  @Override
  public void close() {
    writers.close();
  }
}
