package io.pyrometer.driver.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One trial: a map of its own, whose values are compact records without a class. */
final class HazelcastTrial extends MapTrial<Long, GenericRecord> {
  private final HazelcastInstance client;
  private final CompactRecords values;
  private final IMap<Long, GenericRecord> map;

  HazelcastTrial(
      HazelcastInstance client, String name, String path, Settings settings, Records records) {
    super(path, settings, records, 1_000);
    this.client = client;
    this.values = new CompactRecords(records);
    this.map = client.getMap(name);
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
  public AccessPath path(LoadThread thread) {
    return switch (path) {
      case "set" -> put(map::set);
      case "put" -> put(map::put);
      case "set-async" -> putAsync(map::setAsync);
      case "put-all" -> putAll(map::putAll);
      case "set-all" -> putAll(map::setAll);
      case "get" -> get(map::get);
      case "get-all" -> getAll(map::getAll);
      case "aggregate" -> aggregate();
      case "update-processor" -> update();
      case "mixed" -> mixed("set", map::get, map::set);
      default -> throw unknownPath("Hazelcast");
    };
  }

  private AccessPath aggregate() {
    HighestAggregator aggregator = new HighestAggregator(highest().names().toArray(String[]::new));
    return wholeSet(
        highest -> {
          HighestAggregator found = map.aggregate(aggregator);
          highest.merge(found.count(), found.highest());
        });
  }

  private AccessPath update() {
    int field = Update.field(records.shape(), settings);
    return FunctionPath.writing(
        path,
        1,
        call ->
            FunctionPath.requireFound(
                call.key(0),
                map.executeOnKey(call.key(0), values.setField(field, call.record(0)))));
  }

  @Override
  protected Long key(long key) {
    return key;
  }

  @Override
  protected GenericRecord value(int record) {
    return values.of(record);
  }

  @Override
  protected Object[] fields(GenericRecord stored) {
    return values.fields(stored);
  }

  @Override
  protected @Nullable GenericRecord read(Long key) {
    return map.get(key);
  }

  @Override
  protected void load(Map<Long, GenericRecord> batch) {
    map.setAll(batch);
  }

  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    map.iterator(page)
        .forEachRemaining(entry -> visitor.visit(entry.getKey(), values.fields(entry.getValue())));
  }

  @Override
  public void destroy() {
    map.destroy();
  }
}
