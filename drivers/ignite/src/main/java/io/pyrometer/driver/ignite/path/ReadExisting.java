package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.ExistingCache;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.QueryAnswers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads records of a cache that was in the grid before, under keys that a scan found there. Others
 * may change it meanwhile: a record that is absent now is counted, and is no mistake.
 */
final class ReadExisting implements AccessPath {
  private static final String GET = "get";
  private static final String GET_ALL = "get-all";

  static final List<PathDefinition> DEFINITIONS =
      List.of(
          kind(
              PathDescription.readExisting(
                      "existing-get",
                      "cache.get of records that are there, in a cache that is not Pyrometer's.")
                  .asPlainest(),
              GET),
          kind(
              PathDescription.readExisting(
                  "existing-get-all",
                  "cache.getAll of records that are there, in batches.",
                  PathSettings.batch(100)),
              GET_ALL),
          kind(
              PathDescriptions.thin(
                  PathDescription.readExisting(
                      "thin-existing-get", "A thin client's get of records that are there.")),
              GET),
          kind(
              PathDescriptions.thin(
                  PathDescription.readExisting(
                      "thin-existing-get-all",
                      "A thin client's getAll of records that are there, in batches.",
                      PathSettings.batch(100))),
              GET_ALL));

  private final ExistingCache cache;
  private final ExistingRecords records;
  private final ExistingCache authority;
  private final String operation;
  private final int batch;
  private final AtomicLong absent = new AtomicLong();

  private ReadExisting(PathContext context, ExistingCache cache, String operation) {
    this.cache = cache;
    this.records = context.existing().of(context);
    this.authority = ExistingCache.thick(context.ignite(), context.cacheName());
    this.operation = operation;
    this.batch = operation.equals(GET) ? 1 : context.settings().get(PathSettings.BATCH);
  }

  private static PathDefinition kind(PathDescription description, String operation) {
    boolean thin = description.name().startsWith("thin-");
    return new PathDefinition(
        description,
        (context, lane) ->
            new ReadExisting(
                context,
                thin
                    ? ExistingCache.thin(context.thin().next(), context.cacheName())
                    : ExistingCache.thick(context.ignite(), context.cacheName()),
                operation),
        PathDefinition.Cache.EXISTING);
  }

  @Override
  public int window() {
    return 1;
  }

  @Override
  public int recordsPerCall() {
    return batch;
  }

  @Override
  public List<String> operations() {
    return List.of(operation);
  }

  /** Reads of records that were there when the cache was scanned. */
  @Override
  public Map<String, Long> events() {
    return Map.of("reads-of-absent", absent.get());
  }

  @Override
  public void call(Call call) {
    if (batch == 1) {
      if (cache.get(records.key(call.key(0))) == null) {
        absent.incrementAndGet();
      }
    } else {
      Set<Object> keys = new HashSet<>(call.size() * 4 / 3 + 1);
      for (int i = 0; i < call.size(); i++) {
        keys.add(records.key(call.key(i)));
      }
      absent.addAndGet(keys.size() - cache.getAll(keys).size());
    }
    call.done();
  }

  /**
   * With what the scan found; where that has changed, with what another client reads now. At least
   * one record must be as the scan found it.
   */
  @Override
  public QueryAnswers compareAnswers(List<long[]> drawn) {
    List<Object> wrong = new ArrayList<>();
    int changed = 0;
    int compared = 0;
    for (long[] indexes : drawn) {
      Map<Object, Object> values = read(indexes);
      for (long index : indexes) {
        Object key = records.key(index);
        compared++;
        if (!records.isValue(index, values.get(key))) {
          changed++;
          if (!Objects.deepEquals(values.get(key), authority.get(key))) {
            wrong.add(key);
          }
        }
      }
    }
    // Where no record is as the scan found it, nothing shows that the right ones are read.
    boolean unconfirmed = changed == compared;
    return new QueryAnswers(
        "the records that a scan found",
        drawn.size(),
        wrong.isEmpty() && !unconfirmed ? List.of(operation) : List.of(),
        wrong.isEmpty() && !unconfirmed
            ? Map.of()
            : Map.of(
                operation,
                "%d of %d records".formatted(unconfirmed ? compared : wrong.size(), compared)),
        changed == 0
            ? Map.of()
            : Map.of(
                operation,
                "%d of %d records had changed since the scan".formatted(changed, compared)));
  }

  private Map<Object, Object> read(long[] indexes) {
    Map<Object, Object> values = new HashMap<>();
    if (batch > 1) {
      Set<Object> keys = new HashSet<>();
      for (long index : indexes) {
        keys.add(records.key(index));
      }
      values.putAll(cache.getAll(keys));
    } else {
      for (long index : indexes) {
        Object value = cache.get(records.key(index));
        if (value != null) {
          values.put(records.key(index), value);
        }
      }
    }
    return values;
  }

  @Override
  public void close() {
    cache.close();
  }
}
