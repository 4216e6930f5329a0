package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.cache.CacheEntryProcessor;

/**
 * A cache in memory that finishes calls on another thread, in any order, and watches the promise
 * the writer makes: no key is ever in two calls at once.
 */
final class FakeCache<K, V> implements CachePort<K, V> {
  /** Decides what becomes of a call. */
  interface Fate<K> {
    /** Normal return lets the call succeed; otherwise it fails with what is thrown. */
    void decide(int call, Collection<K> keys, Collection<?> values) throws Exception;
  }

  /** A fault for the writer to read. */
  static final class Refusal extends Exception {
    private final transient Fault.Kind kind;
    private final transient Collection<?> failedKeys;
    private final transient Optional<CompletionStage<?>> over;

    Refusal(Fault.Kind kind, Collection<?> failedKeys) {
      this(kind, failedKeys, Optional.empty());
    }

    Refusal(Fault.Kind kind, Collection<?> failedKeys, Optional<CompletionStage<?>> over) {
      super("refused: " + failedKeys);
      this.kind = kind;
      this.failedKeys = failedKeys;
      this.over = over;
    }
  }

  final Map<K, V> store = new ConcurrentHashMap<>();
  final Map<K, List<Object>> history = new ConcurrentHashMap<>();
  final List<Integer> sizes = new ArrayList<>();
  final AtomicInteger calls = new AtomicInteger();
  final AtomicInteger keysInTwoCalls = new AtomicInteger();
  volatile boolean locksInOrder;
  volatile boolean reachable = true;
  final AtomicInteger probes = new AtomicInteger();

  /** Thrown by calls themselves, instead of failing later. */
  Optional<RuntimeException> throwing = Optional.empty();

  /** What registering a class does. */
  volatile Consumer<Object> registering = object -> {};

  /** Shown each map that is to be written. */
  volatile Consumer<Map<K, V>> seeing = entries -> {};

  /** Run on the thread that makes a call, before it is under way. */
  volatile Consumer<Collection<K>> sending = keys -> {};

  private final Set<K> inFlight = ConcurrentHashMap.newKeySet();
  private final Executor executor;
  private final Fate<K> fate;

  FakeCache(Executor executor, Fate<K> fate) {
    this.executor = executor;
    this.fate = fate;
  }

  static <K, V> FakeCache<K, V> obedient() {
    return new FakeCache<>(Runnable::run, (call, keys, values) -> {});
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public void register(Object keyOrValue) {
    registering.accept(keyOrValue);
  }

  @Override
  public boolean isReachable() {
    return reachable;
  }

  @Override
  public CompletionStage<?> probe(K key) {
    probes.incrementAndGet();
    return reachable
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(new Refusal(Fault.Kind.IN_DOUBT, List.of()));
  }

  @Override
  public CompletionStage<Boolean> putIfAbsent(K key, V value) {
    AtomicBoolean written = new AtomicBoolean();
    return call(
            List.of(key),
            List.of(value),
            (same, failed) -> {
              if (store.putIfAbsent(key, value) == null) {
                written.set(true);
                record(key, value);
              }
            })
        .thenApply(done -> written.get());
  }

  @Override
  public <R> CompletionStage<R> invoke(
      K key, CacheEntryProcessor<K, V, R> processor, Object... arguments) {
    AtomicReference<R> answer = new AtomicReference<>();
    return call(
            List.of(key),
            List.of(),
            (same, failed) -> answer.set(processor.process(new Entry(key), arguments)))
        .thenApply(done -> answer.get());
  }

  private final class Entry implements MutableEntry<K, V> {
    private final K key;

    Entry(K key) {
      this.key = key;
    }

    @Override
    public boolean exists() {
      return store.containsKey(key);
    }

    @Override
    public void remove() {
      store.remove(key);
      record(key, "removed");
    }

    @Override
    public void setValue(V value) {
      store.put(key, value);
      record(key, value);
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    public V getValue() {
      return store.get(key);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new IllegalArgumentException("nothing to unwrap");
    }
  }

  @Override
  public CompletionStage<?> putAll(Map<K, V> entries) {
    seeing.accept(entries);
    return call(
        List.copyOf(entries.keySet()),
        List.copyOf(entries.values()),
        (key, failed) -> {
          if (!failed.contains(key)) {
            store.put(key, entries.get(key));
            record(key, entries.get(key));
          }
        });
  }

  @Override
  public CompletionStage<?> removeAll(Set<K> keys) {
    return call(
        List.copyOf(keys),
        List.of(),
        (key, failed) -> {
          if (!failed.contains(key)) {
            store.remove(key);
            record(key, "removed");
          }
        });
  }

  private void record(K key, Object what) {
    history.computeIfAbsent(key, k -> new ArrayList<>()).add(what);
  }

  private interface Apply<K> {
    void to(K key, Collection<?> failed);
  }

  private CompletionStage<Void> call(List<K> keys, List<V> values, Apply<K> apply) {
    throwing.ifPresent(
        error -> {
          throw error;
        });
    sending.accept(keys);
    int call = calls.incrementAndGet();
    synchronized (sizes) {
      sizes.add(keys.size());
    }
    keys.forEach(key -> keysInTwoCalls.addAndGet(inFlight.add(key) ? 0 : 1));
    CompletableFuture<Void> done = new CompletableFuture<>();
    executor.execute(
        () -> {
          Throwable error = outcome(call, keys, values, apply);
          keys.forEach(inFlight::remove);
          if (error == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(error);
          }
        });
    return done;
  }

  private Throwable outcome(int call, List<K> keys, List<V> values, Apply<K> apply) {
    try {
      fate.decide(call, keys, values);
      keys.forEach(key -> apply.to(key, List.of()));
      return null;
    } catch (Refusal refusal) {
      if (!refusal.failedKeys.isEmpty()) {
        keys.forEach(key -> apply.to(key, refusal.failedKeys));
      }
      return refusal;
    } catch (Exception e) {
      return e;
    }
  }

  @Override
  public Fault read(Throwable error) {
    Throwable cause = Causes.unwrapped(error);
    return cause instanceof Refusal refusal
        ? new Fault(refusal.kind, refusal.failedKeys, refusal, refusal.over)
        : Fault.ofAll(Fault.Kind.KEYS, cause);
  }

  @Override
  public boolean locksInOrder() {
    return locksInOrder;
  }
}
