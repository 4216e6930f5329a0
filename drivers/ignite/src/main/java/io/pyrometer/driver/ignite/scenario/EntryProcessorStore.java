package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import java.util.Optional;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.jspecify.annotations.Nullable;

/** Reads, appends and writes where the handler is, in one call that the cache makes atomic. */
final class EntryProcessorStore extends HandlerStore {
  private final ServiceContext.Step process;

  EntryProcessorStore(IgniteCache<Long, Handler> cache, ServiceContext context) {
    super(cache, context);
    this.process = context.step("ProcessHandler", Part.CACHE_WRITE);
  }

  @Override
  Optional<Handler> append(MockAnswer answer) {
    long from = context.nanoTime();
    @Nullable Handler after =
        cache.invoke(answer.request(), new Append(), answer.number(), answer.payload());
    process.record(answer, from, context.nanoTime());
    return appended(answer, from, after);
  }

  @Override
  Optional<Handler> expire(Request request) {
    long from = context.nanoTime();
    Optional<Handler> removed = Optional.ofNullable(cache.getAndRemove(request.id()));
    process.record(request, from, context.nanoTime());
    return removed;
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
