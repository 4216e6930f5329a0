package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * A cache whose connections break: some calls end with their outcome unknown, or are not answered
 * at all, and have their effect when the test says so. An answer to an unanswered call comes with
 * its effect.
 */
final class ZombieCache extends FakePort {
  private record Queued(Map<Integer, Integer> entries, CompletableFuture<Void> answer) {}

  final Map<Integer, Integer> store = new ConcurrentHashMap<>();
  private final Deque<Queued> queue = new ArrayDeque<>();
  private final Executor executor;
  private final Random random;
  private final boolean unanswered;

  ZombieCache(Executor executor, long seed, boolean unanswered) {
    this.executor = executor;
    this.random = new Random(seed);
    this.unanswered = unanswered;
  }

  @Override
  @SuppressWarnings("unchecked")
  public void send(BatchMap entries) {
    await(send(Map.copyOf((Map<Integer, Integer>) (Map<?, ?>) entries)));
  }

  private synchronized CompletableFuture<Void> send(Map<Integer, Integer> copy) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    if (random.nextInt(12) == 0) {
      queue.add(new Queued(copy, answer));
      if (!unanswered) {
        executor.execute(() -> answer.completeExceptionally(new IllegalStateException("broke")));
      }
    } else {
      executor.execute(
          () -> {
            store.putAll(copy);
            answer.complete(null);
          });
    }
    return answer;
  }

  /** Lets the calls that wait have their effect. */
  synchronized void workOff() {
    for (Queued next = queue.poll(); next != null; next = queue.poll()) {
      store.putAll(next.entries);
      next.answer.complete(null);
    }
  }

  /** Returns whether no call waits to have its effect. */
  @Override
  public synchronized boolean hasLeft(Object node) {
    return queue.isEmpty();
  }

  @Override
  public Fault read(Throwable error) {
    return Fault.of(Fault.Kind.IN_DOUBT, Fault.unwrapped(error));
  }

  @Override
  public Map<Object, Object> getAll(Set<Object> keys) {
    return found(store, keys);
  }
}
