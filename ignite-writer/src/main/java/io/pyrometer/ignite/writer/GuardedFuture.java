package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that refuses to be waited for on a writer's own threads, as do all stages derived from
 * it: such a wait could be for work that this very thread has to do.
 */
class GuardedFuture<T> extends CompletableFuture<T> {
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new GuardedFuture<>();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    refuseToWait();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    refuseToWait();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    refuseToWait();
    return super.join();
  }

  private void refuseToWait() {
    if (!isDone()) {
      Senders.refuseOwnThreads("wait for a write");
    }
  }
}
