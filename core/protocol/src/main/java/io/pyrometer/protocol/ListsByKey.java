package io.pyrometer.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Maps of lists that keep the order of their keys' first values. */
public final class ListsByKey {
  private ListsByKey() {}

  /** Collects values by their keys. */
  public static <K, V> Collector<V, ?, Map<K, List<V>>> by(Function<? super V, ? extends K> key) {
    return Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList());
  }

  public static <K, V> void add(Map<K, List<V>> lists, K key, V value) {
    lists.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
  }
}
