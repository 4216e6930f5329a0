package io.pyrometer.ignite.writer;

import java.util.List;

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
}
