package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ignite.IgniteCache;
import org.jspecify.annotations.Nullable;

/**
 * The published mode without a cluster: handlers are in a map of the one process of the service.
 * Compared with it, the others show what the grid itself costs.
 */
final class MemoryStore extends HandlerStore {
  private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
  private final ServiceContext.Step process;

  MemoryStore(IgniteCache<Long, Handler> cache, ServiceContext context) {
    super(cache, context);
    this.process = context.step("ProcessHandler", Part.CACHE_WRITE);
  }

  @Override
  void create(Request request, Handler handler) {
    long from = context.nanoTime();
    handlers.put(request.id(), handler);
    process.record(request, from, context.nanoTime());
  }

  @Override
  void createLater(Request request, Handler handler) {
    writeLater(request, () -> handlers.put(request.id(), handler));
  }

  @Override
  Optional<Handler> append(MockAnswer answer) {
    long from = context.nanoTime();
    @Nullable Handler[] after = new @Nullable Handler[1];
    handlers.computeIfPresent(
        answer.request(),
        (request, before) -> {
          after[0] = before.with(answer.number(), answer.payload());
          return after[0].complete() ? null : after[0];
        });
    process.record(answer, from, context.nanoTime());
    return appended(answer, from, after[0]);
  }

  @Override
  Optional<Handler> expire(Request request) {
    return Optional.ofNullable(handlers.remove(request.id()));
  }
}
