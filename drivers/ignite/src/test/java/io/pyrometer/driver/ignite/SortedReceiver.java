package io.pyrometer.driver.ignite;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.stream.StreamReceiver;

/** A receiver as a user may write one. */
public final class SortedReceiver implements StreamReceiver<Long, Object> {
  private static final long serialVersionUID = 1L;

  @Override
  public void receive(
      IgniteCache<Long, Object> cache, Collection<Map.Entry<Long, Object>> entries) {
    Map<Long, Object> sorted = new TreeMap<>();
    entries.forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    cache.putAll(sorted);
  }
}
