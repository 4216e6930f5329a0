package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.scenario.MockAnswer;
import io.pyrometer.driver.scenario.Request;
import io.pyrometer.driver.scenario.ServiceContext;
import io.pyrometer.protocol.scenario.Part;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.ignite.IgniteCache;

/**
 * The published way: a lock on the request's id over the whole cluster, which is asked for up to
 * ten times, waiting 100·i ms the i-th time; read; and write by the pool of writers. The lock is
 * held until the grid has acknowledged the write.
 */
final class LockStore implements HandlerStore {
  private static final int ATTEMPTS = 10;
  private static final long MILLIS_EACH = 100;

  private final IgniteCache<Long, Handler> cache;
  private final IgniteCache<Long, Handler> locks;
  private final ServiceContext context;
  private final Writers writers;
  private final ServiceContext.Step acquire;
  private final ServiceContext.Step retrieve;
  private final ServiceContext.Step retrieveExit;

  /**
   * @param locks a transactional cache without entries
   */
  LockStore(
      IgniteCache<Long, Handler> cache, IgniteCache<Long, Handler> locks, ServiceContext context) {
    this.cache = cache;
    this.locks = locks;
    this.context = context;
    this.writers = new Writers(context);
    this.acquire = context.step("AcquireHandlerLock", Part.LOCK_WAIT);
    this.retrieve = context.step("RetrieveLockedHandler", Part.CACHE_READ);
    this.retrieveExit = context.step("RetrieveExitHandler", Part.CACHE_READ);
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
  public Optional<Handler> append(MockAnswer answer) throws Exception {
    Lock lock = acquire(answer.request(), answer.number(), answer.measured());
    try {
      long from = context.nanoTime();
      Handler before = cache.get(answer.request());
      retrieve.record(
          answer.request(), answer.number(), answer.measured(), from, context.nanoTime());
      if (before == null) {
        context.noState(answer, from);
        return Optional.empty();
      }
      Handler after = before.with(answer.number(), answer.payload());
      writers.write(
          answer.request(), answer.number(), answer.measured(), () -> store(answer, after));
      context.appended(answer, from, after.received());
      return Optional.of(after);
    } finally {
      lock.unlock();
    }
  }

  private void store(MockAnswer answer, Handler handler) {
    if (handler.complete()) {
      cache.remove(answer.request());
    } else {
      cache.put(answer.request(), handler);
    }
  }

  @Override
  public Optional<Handler> expire(long request, boolean measured) throws Exception {
    Lock lock = acquire(request, 0, measured);
    try {
      long from = context.nanoTime();
      Optional<Handler> handler = Optional.ofNullable(cache.get(request));
      if (handler.isPresent()) {
        retrieveExit.record(request, 0, measured, from, context.nanoTime());
        writers.write(request, 0, measured, () -> cache.remove(request));
      }
      return handler;
    } finally {
      lock.unlock();
    }
  }

  private Lock acquire(long request, int number, boolean measured) throws InterruptedException {
    long from = context.nanoTime();
    Lock lock = locks.lock(request);
    for (int i = 1; i <= ATTEMPTS; i++) {
      if (lock.tryLock(i * MILLIS_EACH, TimeUnit.MILLISECONDS)) {
        acquire.record(request, number, measured, from, context.nanoTime());
        return lock;
      }
    }
    throw new GridException("The lock of a handler was not free for 5.5 s.");
  }

  @Override
  public void close() {
    writers.close();
  }
}
