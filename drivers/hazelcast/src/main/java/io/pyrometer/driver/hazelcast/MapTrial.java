package io.pyrometer.driver.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** One trial: a map of its own, whose values are compact records without a class. */
final class MapTrial implements TrialSession {
  private static final int MAX_PAGE_RECORDS = 1_000;

  private final HazelcastInstance client;
  private final String path;
  private final Settings settings;
  private final Records records;
  private final CompactRecords values;
  private final IMap<Long, GenericRecord> map;
  private final int page;

  MapTrial(HazelcastInstance client, String name, String path, Settings settings, Records records) {
    this.client = client;
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.values = new CompactRecords(records);
    this.map = client.getMap(name);
    this.page = PageSize.of(records, MAX_PAGE_RECORDS);
    // The first operation on a fresh cluster assigns its partitions.
    boolean unused = map.isEmpty();
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>();
    try {
      for (Future<Map<String, String>> member :
          client
              .getExecutorService("configuration")
              .submitToAllMembers(new ReadBack(map.getName()))
              .values()) {
        member
            .get()
            .forEach(
                (name, value) ->
                    facts.merge(name, value, (a, b) -> a.equals(b) ? a : a + " and " + b));
      }
    } catch (ExecutionException e) {
      throw new GridException("A member did not tell its configuration: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("Reading the configuration back was interrupted.", e);
    }
    return facts;
  }

  @Override
  public void fill(long from, long to) {
    Map<Long, GenericRecord> batch = new HashMap<>();
    for (long key = from; key < to; key++) {
      batch.put(key, values.of((int) (key % records.size())));
      if (batch.size() == page || key == to - 1) {
        map.setAll(batch);
        batch.clear();
      }
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    HighestFields highest = new HighestFields(records.shape(), settings);
    return switch (path) {
      case "set" ->
          FunctionPath.writing(path, 1, call -> map.set(call.key(0), values.of(call.record(0))));
      case "put" ->
          FunctionPath.writing(path, 1, call -> map.put(call.key(0), values.of(call.record(0))));
      case "set-async" ->
          FunctionPath.completing(
              path,
              settings.get(PathSettings.IN_FLIGHT),
              call -> map.setAsync(call.key(0), values.of(call.record(0))));
      case "put-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> map.putAll(batch(call)));
      case "set-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> map.setAll(batch(call)));
      case "get" ->
          FunctionPath.reading(path, 1, highest, call -> see(highest, map.get(call.key(0))));
      case "get-all" ->
          FunctionPath.reading(
              path,
              settings.get(PathSettings.BATCH),
              highest,
              call -> map.getAll(keys(call)).values().forEach(found -> see(highest, found)));
      case "aggregate" -> aggregate(highest);
      case "update-processor" -> update();
      case "mixed" ->
          FunctionPath.mixed(
              "set",
              key -> map.get(key) != null,
              call -> map.set(call.key(0), values.of(call.record(0))));
      default -> throw new GridException("Hazelcast has no access path '%s'.".formatted(path));
    };
  }

  private AccessPath aggregate(HighestFields highest) {
    HighestAggregator aggregator = new HighestAggregator(highest.names().toArray(String[]::new));
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest,
        call -> {
          HighestAggregator found = map.aggregate(aggregator);
          highest.merge(found.count(), found.highest());
        });
  }

  private AccessPath update() {
    int field = Update.field(records.shape(), settings);
    return FunctionPath.writing(
        path,
        1,
        call -> {
          boolean found = map.executeOnKey(call.key(0), values.setField(field, call.record(0)));
          if (!found) {
            throw new IllegalStateException("Key " + call.key(0) + " was filled in but is absent.");
          }
        });
  }

  private Map<Long, GenericRecord> batch(Call call) {
    Map<Long, GenericRecord> batch = new HashMap<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), values.of(call.record(i)));
    }
    return batch;
  }

  private static Set<Long> keys(Call call) {
    Set<Long> keys = new HashSet<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      keys.add(call.key(i));
    }
    return keys;
  }

  private void see(HighestFields highest, @org.jspecify.annotations.Nullable GenericRecord found) {
    if (found != null) {
      highest.see(values.fields(found));
    }
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(
        records, this::scan, key -> Optional.ofNullable(map.get(key)).map(values::fields));
  }

  private void scan(StoredContents.RecordVisitor visitor) {
    for (Iterator<Map.Entry<Long, GenericRecord>> all = map.iterator(page); all.hasNext(); ) {
      Map.Entry<Long, GenericRecord> entry = all.next();
      visitor.visit(entry.getKey(), values.fields(entry.getValue()));
    }
  }

  @Override
  public void destroy() {
    map.destroy();
  }

  @Override
  public void close() {}
}
