package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import java.util.Optional;

/** How handlers are kept in the cache: one implementation for each level of {@code handler}. */
interface HandlerStore extends AutoCloseable {

  /** Stores a new handler; returns when the grid has acknowledged it. */
  void create(Request request, Handler handler) throws Exception;

  /** Stores a new handler after the step that made it; returns at once. */
  void createLater(Request request, Handler handler);

  /**
   * Adds an answer to its handler, and removes the handler if that completes it. At most one call
   * for a request, of all processes, returns a complete handler.
   *
   * @return the handler with the answer; empty if there is none
   */
  Optional<Handler> append(MockAnswer answer) throws Exception;

  /**
   * Removes the handler of a request whose time is up. Of all calls of this and of {@link #append}
   * that remove the handler, one returns it.
   *
   * @return empty if the request has ended already
   */
  Optional<Handler> expire(long request, boolean measured) throws Exception;

  @Override
  void close();
}
