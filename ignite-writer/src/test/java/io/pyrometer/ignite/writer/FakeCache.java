package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A cache in memory that finishes calls on another thread, in any order, and watches the promise
 * the writer makes: no key is ever in two calls at once.
 */
final class FakeCache<K, V> extends FakePort {
  /** Decides what becomes of a call. */
  interface Fate<K> {
    /** Normal return lets the call succeed; otherwise it fails with what is thrown. */
    void decide(int call, Collection<K> keys, Collection<?> values) throws Exception;
  }

  /** A fault for the writer to read. */
  static final class Refusal extends Exception {
    private final transient Fault.Kind kind;
    private final transient Collection<?> failedKeys;

    Refusal(Fault.Kind kind, Collection<?> failedKeys) {
      super("refused: " + failedKeys);
      this.kind = kind;
      this.failedKeys = failedKeys;
    }
  }

  final Map<K, V> store = new ConcurrentHashMap<>();
  final Map<K, List<Object>> history = new ConcurrentHashMap<>();
  final List<Integer> sizes = new ArrayList<>();
  final AtomicInteger calls = new AtomicInteger();
  final AtomicInteger keysInTwoCalls = new AtomicInteger();
  volatile boolean locksInOrder;
  final AtomicInteger reads = new AtomicInteger();

  /** Whether the nodes of all calls so far have left the cluster. */
  volatile boolean nodesHaveLeft;

  /** Action on registering a class. */
  volatile Consumer<Object> registering = object -> {};

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
    return with((call, keys, values) -> {});
  }

  static <K, V> FakeCache<K, V> with(Fate<K> fate) {
    return new FakeCache<>(Runnable::run, fate);
  }

  /** A cache all of whose calls fail, in one way. */
  static <K, V> FakeCache<K, V> failing(Fault.Kind kind) {
    return with(
        (call, keys, values) -> {
          throw new Refusal(kind, List.of());
        });
  }

  /** A cache that refuses every call with one of some keys. */
  static <V> FakeCache<Integer, V> refusing(Integer... bad) {
    return with(
        (call, keys, values) -> {
          for (Integer key : bad) {
            if (keys.contains(key)) {
              throw new IllegalArgumentException("not " + key);
            }
          }
        });
  }

  @Override
  public Object toBinary(Object object) {
    registering.accept(object);
    return super.toBinary(object);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void send(BatchMap batch) {
    Map<K, V> entries = new LinkedHashMap<>((Map<K, V>) (Map<?, ?>) batch);
    boolean removal = batch.isRemoval();
    call(
        List.copyOf(entries.keySet()),
        removal ? List.of() : List.copyOf(entries.values()),
        key -> {
          if (removal) {
            store.remove(key);
          } else {
            store.put(key, entries.get(key));
          }
          history
              .computeIfAbsent(key, k -> new ArrayList<>())
              .add(removal ? "removed" : entries.get(key));
        });
  }

  @Override
  public Map<Object, Object> getAll(Set<Object> keys) {
    reads.incrementAndGet();
    return found(store, keys);
  }

  private void call(List<K> keys, List<V> values, Consumer<K> apply) {
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
    await(done);
  }

  private Throwable outcome(int call, List<K> keys, List<V> values, Consumer<K> apply) {
    try {
      fate.decide(call, keys, values);
      keys.forEach(apply);
      return null;
    } catch (Refusal refusal) {
      if (!refusal.failedKeys.isEmpty()) {
        keys.stream().filter(key -> !refusal.failedKeys.contains(key)).forEach(apply);
      }
      return refusal;
    } catch (Exception e) {
      return e;
    }
  }

  @Override
  public Fault read(Throwable error) {
    Throwable cause = Fault.unwrapped(error);
    return cause instanceof Refusal refusal
        ? new Fault(refusal.kind, refusal.failedKeys, refusal, refusal.kind != Fault.Kind.KEYS)
        : Fault.of(Fault.Kind.KEYS, cause);
  }

  @Override
  public boolean hasLeft(Object node) {
    return nodesHaveLeft;
  }

  @Override
  public boolean locksInOrder() {
    return locksInOrder;
  }
}
