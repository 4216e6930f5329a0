package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.QueryAnswers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Reads records of a cache that was in the grid before, under keys that a scan found there. Others
 * may change it meanwhile: a record that is absent now is counted, and is no error.
 */
record ReadExisting(
    CachePort cache,
    ExistingRecords records,
    CachePort authority,
    String operation,
    int batch,
    AtomicLong absent) {

  static FunctionPath open(IgniteTrial trial, CachePort cache) {
    AtomicLong absent = new AtomicLong();
    ReadExisting reads =
        new ReadExisting(
            cache,
            trial.existing(),
            CachePort.thick(trial.ignite(), trial.cacheName, true),
            trial.operation(),
            trial.recordsPerCall(),
            absent);
    return FunctionPath.writing(reads.operation, reads.batch, reads::call)
        .counting(() -> Map.of("reads-of-absent", absent.get()))
        .comparing(reads::compare);
  }

  private void call(Call call) {
    Set<Object> keys = keys(IntStream.range(0, call.size()).mapToLong(call::key));
    absent.addAndGet(keys.size() - read(keys).size());
  }

  private Set<Object> keys(LongStream indexes) {
    return indexes.mapToObj(records::key).collect(Collectors.toSet());
  }

  private Map<Object, Object> read(Set<Object> keys) {
    if (batch > 1) {
      return cache.getAll().apply(keys);
    }
    Map<Object, Object> values = new HashMap<>();
    for (Object key : keys) {
      Object value = cache.get().apply(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    return values;
  }

  /**
   * With what the scan found; where that has changed, with what another client reads now. At least
   * one record must be as the scan found it: otherwise nothing shows that the right ones are read.
   */
  private QueryAnswers compare(List<long[]> drawn) {
    int wrong = 0;
    int changed = 0;
    int compared = 0;
    for (long[] indexes : drawn) {
      Map<Object, Object> values = read(keys(Arrays.stream(indexes)));
      for (long index : indexes) {
        Object key = records.key(index);
        compared++;
        if (!records.isValue(index, values.get(key))) {
          changed++;
          wrong += Objects.deepEquals(values.get(key), authority.get().apply(key)) ? 0 : 1;
        }
      }
    }
    int bad = changed == compared ? compared : wrong;
    return new QueryAnswers(
        "the records that a scan found",
        drawn.size(),
        bad == 0 ? List.of(operation) : List.of(),
        bad == 0 ? Map.of() : Map.of(operation, "%d of %d records".formatted(bad, compared)),
        changed == 0
            ? Map.of()
            : Map.of(
                operation,
                "%d of %d records had changed since the scan".formatted(changed, compared)));
  }
}
