package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.ignite.cache.CacheEntryProcessor;

/**
 * A cache whose connections break: some calls end with their outcome unknown, or are not answered
 * at all, and have their effect when the test says so. An answer to an unanswered call comes with
 * its effect.
 */
final class ZombieCache implements CachePort<Integer, Integer> {
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
  public String name() {
    return "zombie";
  }

  @Override
  public synchronized CompletionStage<?> putAll(Map<Integer, Integer> entries) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    Map<Integer, Integer> copy = Map.copyOf(entries);
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

  /** Lets the first of the calls that wait have their effect. */
  synchronized void workOff(int most) {
    for (int done = 0; done < most && !queue.isEmpty(); done++) {
      Queued next = queue.remove();
      store.putAll(next.entries);
      next.answer.complete(null);
    }
  }

  @Override
  public Fault read(Throwable error) {
    return new Fault(Fault.Kind.IN_DOUBT, List.of(), Causes.unwrapped(error));
  }

  @Override
  public CompletionStage<?> removeAll(Set<Integer> keys) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Boolean> putIfAbsent(Integer key, Integer value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <R> CompletionStage<R> invoke(
      Integer key, CacheEntryProcessor<Integer, Integer, R> processor, Object... arguments) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean locksInOrder() {
    return false;
  }

  @Override
  public void register(Object keyOrValue) {}
}
