package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that refuses waiting on a thread of a writer or of Ignite, as all stages derived from it
 * do: that thread may be the one to complete it.
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
      Workers.refuseOwnThreads("wait for a write");
    }
  }
}
