package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.Part;
import java.util.Optional;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.jspecify.annotations.Nullable;

/** Reads, appends and writes where the handler is, in one call that the cache makes atomic. */
final class EntryProcessorStore implements HandlerStore {
  private final IgniteCache<Long, Handler> cache;
  private final ServiceContext context;
  private final Writers writers;
  private final ServiceContext.Step process;

  EntryProcessorStore(IgniteCache<Long, Handler> cache, ServiceContext context) {
    this.cache = cache;
    this.context = context;
    this.writers = new Writers(context);
    this.process = context.step("ProcessHandler", Part.CACHE_WRITE);
  }

  @Override
  public void create(Request request, Handler handler) throws Exception {
    writers.write(request.id(), 0, request.measured(), () -> cache.put(request.id(), handler));
  }

  @Override
  public void createLater(Request request, Handler handler) {
    writers.writeLater(request.id(), 0, request.measured(), () -> cache.put(request.id(), handler));
  }

  @Override
  public Optional<Handler> append(MockAnswer answer) {
    long from = context.nanoTime();
    @Nullable Handler after =
        cache.invoke(answer.request(), new Append(), answer.number(), answer.payload());
    process.record(answer.request(), answer.number(), answer.measured(), from, context.nanoTime());
    if (after == null) {
      context.noState(answer, from);
    } else {
      context.appended(answer, from, after.received());
    }
    return Optional.ofNullable(after);
  }

  @Override
  public Optional<Handler> expire(long request, boolean measured) {
    long from = context.nanoTime();
    Optional<Handler> removed = Optional.ofNullable(cache.getAndRemove(request));
    process.record(request, 0, measured, from, context.nanoTime());
    return removed;
  }

  @Override
  public void close() {
    writers.close();
  }

  /** Runs on the node that has the handler; takes the number of the answer and its payload. */
  static final class Append implements EntryProcessor<Long, Handler, @Nullable Handler> {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Handler process(MutableEntry<Long, Handler> entry, Object... arguments) {
      Handler before = entry.getValue();
      if (before == null) {
        return null;
      }
      Handler after = before.with((Integer) arguments[0], (Long) arguments[1]);
      if (after.complete()) {
        entry.remove();
      } else {
        entry.setValue(after);
      }
      return after;
    }
  }
}
