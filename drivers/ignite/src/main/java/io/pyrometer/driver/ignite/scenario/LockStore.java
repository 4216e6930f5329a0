package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import javax.cache.CacheException;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.internal.util.typedef.X;
import org.jspecify.annotations.Nullable;

/**
 * The published way: a lock on the request's id over the whole cluster, which is asked for up to
 * ten times, waiting 100·i ms the i-th time; read; and write by the pool of writers. The lock is
 * held until the grid has acknowledged the write.
 *
 * <p>Two properties of Ignite's explicit locks (2.17) decide what happens when a server is killed.
 * A read by the thread that holds a lock is bound to the topology in which the lock was taken, and
 * is sent to the killed server again and again without end ({@code
 * GridPartitionedSingleGetFuture.onNodeLeft}); so reads are done by threads that hold none. And the
 * new topology waits for all locks of the old one to be released ({@code
 * GridCacheMvccManager.finishLocks}), while a write by another thread waits for the new topology;
 * so a lock is released when the grid has not answered for {@value #PATIENCE_MILLIS} ms. A write
 * that is acknowledged after that may be overwritten by that of another answer, whose request then
 * times out.
 */
final class LockStore extends HandlerStore {
  private static final int ATTEMPTS = 10;
  private static final long MILLIS_EACH = 100;
  private static final long PATIENCE_MILLIS = 2_000;

  private final IgniteCache<Long, Handler> locks;
  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final ServiceContext.Step acquire;
  private final ServiceContext.Step release;
  private final ServiceContext.Step retrieve;
  private final ServiceContext.Step retrieveExit;

  /**
   * @param locks a transactional cache without entries
   */
  LockStore(
      IgniteCache<Long, Handler> cache, IgniteCache<Long, Handler> locks, ServiceContext context) {
    super(cache, context);
    this.locks = locks;
    this.acquire = context.step("AcquireHandlerLock", Part.LOCK_WAIT);
    this.release = context.step("ReleaseHandlerLock", Part.LOCK_WAIT);
    this.retrieve = context.step("RetrieveLockedHandler", Part.CACHE_READ);
    this.retrieveExit = context.step("RetrieveExitHandler", Part.CACHE_READ);
  }

  @Override
  Optional<Handler> append(MockAnswer answer) throws Exception {
    try (Held lock = acquire(answer)) {
      long from = context.nanoTime();
      @Nullable Handler before = read(answer.request());
      retrieve.record(answer, from, context.nanoTime());
      if (before == null) {
        return appended(answer, from, null);
      }
      Handler after = before.with(answer.number(), answer.payload());
      await(answer, begin(answer, () -> store(answer.request(), after)), lock);
      return appended(answer, from, after);
    }
  }

  @Override
  Optional<Handler> expire(Request request) throws Exception {
    try (Held lock = acquire(request)) {
      long from = context.nanoTime();
      Optional<Handler> handler = Optional.ofNullable(read(request.id()));
      if (handler.isPresent()) {
        retrieveExit.record(request, from, context.nanoTime());
        await(request, begin(request, () -> cache.remove(request.id())), lock);
      }
      return handler;
    }
  }

  /** A lock that is held by this thread until it is released, once. */
  private final class Held implements AutoCloseable {
    private final Lock lock;
    private final Subject of;
    private boolean released;

    Held(Lock lock, Subject of) {
      this.lock = lock;
      this.of = of;
    }

    /** A failure changes nothing for the request, whose write is acknowledged. */
    @Override
    public void close() {
      if (!released) {
        released = true;
        long from = context.nanoTime();
        try {
          lock.unlock();
        } catch (RuntimeException failure) {
          context.failed(failure);
        }
        release.record(of, from, context.nanoTime());
      }
    }
  }

  private Held acquire(Subject of) throws InterruptedException {
    long from = context.nanoTime();
    Lock lock = locks.lock(of.request());
    for (int i = 1; i <= ATTEMPTS; i++) {
      if (tryLock(lock, i * MILLIS_EACH)) {
        acquire.record(of, from, context.nanoTime());
        return new Held(lock, of);
      }
    }
    throw new GridException("The lock of a handler was not free for 5.5 s.");
  }

  /** A server that had the lock and left is no reason to give up, as another has it then. */
  private boolean tryLock(Lock lock, long millis) throws InterruptedException {
    try {
      return lock.tryLock(millis, TimeUnit.MILLISECONDS);
    } catch (CacheException left) {
      if (!X.hasCause(left, ClusterTopologyException.class)) {
        throw left;
      }
      context.failed(left);
      Thread.sleep(millis);
      return false;
    }
  }

  private @Nullable Handler read(long request) throws Exception {
    Future<@Nullable Handler> read = readers.submit(() -> cache.get(request));
    try {
      return read.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException waitsForTheLock) {
      read.cancel(true);
      throw new GridException(
          "A handler could not be read under its lock within 2 s.", waitsForTheLock);
    } catch (ExecutionException failure) {
      throw cause(failure);
    }
  }

  /** Returns when the grid has acknowledged a write; gives the lock up where it waits for that. */
  private void await(Subject of, Future<Long> write, Held lock) throws Exception {
    try {
      await(of, write, PATIENCE_MILLIS);
    } catch (TimeoutException waitsForTheLock) {
      lock.close();
      await(of, write, Long.MAX_VALUE);
    }
  }

  @Override
  public void close() {
    readers.shutdownNow();
    super.close();
  }
}
