package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.load.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the records of a call in a map, as users do, so that of a repeated key the last write
 * remains. For a transactional cache the map is sorted: two unordered ones lock their keys in
 * opposite order and wait for each other for ever.
 */
final class Batches {
  private final boolean sorted;

  Batches(PathContext context) {
    sorted = sorted(context);
  }

  /** Whether the keys of a batch are sorted. */
  static boolean sorted(PathContext context) {
    return context.transactional() || context.settings().get(PathDescriptions.MAP).equals("sorted");
  }

  Map<Long, Object> of(Call call, RecordValues values) {
    Map<Long, Object> batch = sorted ? new TreeMap<>() : new HashMap<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), values.get(call.record(i)));
    }
    return batch;
  }
}
