package io.pyrometer.chaos;

import java.util.Map;
import java.util.OptionalLong;

/** Variant where the data set is a map of numbers for the product too. */
public interface MapSession extends RegisterSession {
  Map<Long, Long> map();

  @Override
  default OptionalLong read(long key) {
    Long found = map().get(key);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found);
  }

  @Override
  default void write(long key, long value) {
    Long unused = map().put(key, value);
  }

  @Override
  default boolean replace(long key, long expected, long value) {
    return map().replace(key, expected, value);
  }
}
