package io.pyrometer.ignite.writer;

import java.util.Optional;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;

/** What caches of tests have in common: their partitions, and values that need no encoding. */
abstract class FakePort implements CachePort {
  /** Where the keys are; the test moves them. */
  FakeTopology topology = new FakeTopology();

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public CacheWriteSynchronizationMode synchronization() {
    return CacheWriteSynchronizationMode.FULL_SYNC;
  }

  @Override
  public Optional<Boolean> clientRepeatsWrites() {
    return Optional.of(false);
  }

  @Override
  public int partition(Object key) {
    return topology.partition(key);
  }

  @Override
  public Placement placement() {
    return topology.placement();
  }

  @Override
  public Object toBinary(Object object) {
    return object;
  }

  @Override
  public boolean locksInOrder() {
    return false;
  }
}
