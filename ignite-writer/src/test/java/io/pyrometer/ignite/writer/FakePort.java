package io.pyrometer.ignite.writer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Base of the caches of tests: their partitions, and values that need no encoding. */
abstract class FakePort implements CachePort {
  /** Where the keys are; the test moves them. */
  FakeTopology topology = new FakeTopology();

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public int partition(Object key) {
    return topology.partition(key);
  }

  @Override
  public List<?> primaries() {
    return topology.primaries();
  }

  @Override
  public Object toBinary(Object object) {
    return object instanceof Codec.Box ? SerializedBox.of((Codec.Box) object) : object;
  }

  @Override
  public boolean locksInOrder() {
    return false;
  }

  /** Entries of a store for some keys. */
  static Map<Object, Object> found(Map<?, ?> store, Set<Object> keys) {
    Map<Object, Object> found = new HashMap<>(store);
    found.keySet().retainAll(keys);
    return found;
  }

  /** Waits for the end of a call, as {@link #send} does. */
  static void await(CompletableFuture<Void> done) {
    try {
      done.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }
}
