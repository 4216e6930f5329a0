package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.readExisting;

import io.pyrometer.driver.ignite.client.CachePort;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Reads records of a cache that was in the grid before, under keys that a scan found there. Others
 * may change it meanwhile: a record that is absent now is counted, and is no mistake.
 */
final class ReadExisting implements AccessPath {
  private static final SettingDescription BATCH = PathSettings.batch(100);

  static final List<PathDefinition> DEFINITIONS =
      List.of(
          single(
              readExisting(
                      "existing-get",
                      "cache.get of records that are there, in a cache that is not Pyrometer's.")
                  .asPlainest(),
              context -> context.thick(true)),
          batched(
              readExisting(
                  "existing-get-all", "cache.getAll of records that are there, in batches.", BATCH),
              context -> context.thick(true)),
          single(
              ThinClients.path(
                  readExisting(
                      "thin-existing-get", "A thin client's get of records that are there.")),
              context -> context.thin(true)),
          batched(
              ThinClients.path(
                  readExisting(
                      "thin-existing-get-all",
                      "A thin client's getAll of records that are there, in batches.",
                      BATCH)),
              context -> context.thin(true)));

  private final CachePort<Object> cache;
  private final ExistingRecords records;
  private final CachePort<Object> authority;
  private final String operation;
  private final int batch;
  private final AtomicLong absent = new AtomicLong();

  private ReadExisting(PathContext context, CachePort<Object> cache, String operation, int batch) {
    this.cache = cache;
    this.records = context.existing();
    this.authority = context.thick(true);
    this.operation = operation;
    this.batch = batch;
  }

  private static PathDefinition single(
      PathDescription description, Function<PathContext, CachePort<Object>> client) {
    return new PathDefinition(
        description,
        context -> new ReadExisting(context, client.apply(context), "get", 1),
        PathDefinition.Cache.EXISTING);
  }

  private static PathDefinition batched(
      PathDescription description, Function<PathContext, CachePort<Object>> client) {
    return new PathDefinition(
        description,
        context ->
            new ReadExisting(
                context,
                client.apply(context),
                "get-all",
                context.settings().get(PathSettings.BATCH)),
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
    boolean right = wrong.isEmpty() && !unconfirmed;
    int bad = unconfirmed ? compared : wrong.size();
    return new QueryAnswers(
        "the records that a scan found",
        drawn.size(),
        right ? List.of(operation) : List.of(),
        right ? Map.of() : Map.of(operation, "%d of %d records".formatted(bad, compared)),
        changed == 0
            ? Map.of()
            : Map.of(
                operation,
                "%d of %d records had changed since the scan".formatted(changed, compared)));
  }

  private Map<Object, Object> read(long[] indexes) {
    Set<Object> keys = new HashSet<>();
    for (long index : indexes) {
      keys.add(records.key(index));
    }
    if (batch > 1) {
      return cache.getAll(keys);
    }
    Map<Object, Object> values = new HashMap<>();
    for (Object key : keys) {
      Object value = cache.get(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    return values;
  }

  @Override
  public void close() {
    cache.close();
  }
}
