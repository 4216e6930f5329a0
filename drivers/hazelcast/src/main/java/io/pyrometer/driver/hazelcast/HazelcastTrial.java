package io.pyrometer.driver.hazelcast;

import com.hazelcast.aggregation.Aggregator;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.TrialSpec;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One trial: a map of its own, whose values are compact records without a class. */
final class HazelcastTrial extends MapTrial<Long, GenericRecord> {
  private final HazelcastInstance client;
  private final IMap<Long, GenericRecord> map;

  HazelcastTrial(HazelcastInstance client, String name, TrialSpec trial, Records records) {
    super(trial, records, 1_000, Long::valueOf, new CompactRecords(records));
    this.client = client;
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
      case "mixed" ->
          mixed("set", map::get, map::set)
              .getAll(map::getAll)
              .putAll(map::setAll)
              .remove(map::delete)
              .open();
      default -> throw unknownPath();
    };
  }

  private FunctionPath aggregate() {
    Highest wanted = new Highest(highest());
    return wholeSet(highest -> highest.merge(map.aggregate(wanted)));
  }

  private FunctionPath update() {
    CompactRecords values = (CompactRecords) form;
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
        .forEachRemaining(entry -> visitor.visit(entry.getKey(), form.fields(entry.getValue())));
  }

  @Override
  public void destroy() {
    map.destroy();
  }

  /** Sent to every member. */
  private record Highest(HighestFields found)
      implements Aggregator<Map.Entry<Long, GenericRecord>, HighestFields> {
    @Override
    public void accumulate(Map.Entry<Long, GenericRecord> entry) {
      found.seeValues(i -> number(entry.getValue(), found.name(i)));
    }

    private static double number(GenericRecord record, String name) {
      return switch (record.getFieldKind(name)) {
        case INT64 -> record.getInt64(name);
        case INT32 -> record.getInt32(name);
        case FLOAT32 -> record.getFloat32(name);
        default -> record.getFloat64(name);
      };
    }

    @Override
    public void combine(@SuppressWarnings("rawtypes") Aggregator other) {
      HighestFields unused = found.merge(((Highest) other).found);
    }

    @Override
    public HighestFields aggregate() {
      return found;
    }
  }

  /** Sent to every member: what it says of itself and of the map of a trial. */
  private static final class ReadBack
      implements Callable<Map<String, String>>, HazelcastInstanceAware, Serializable {
    private static final long serialVersionUID = 1L;

    private final String map;
    private transient @Nullable HazelcastInstance member;

    ReadBack(String map) {
      this.map = map;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
      this.member = instance;
    }

    @Override
    public Map<String, String> call() {
      HazelcastInstance here = Objects.requireNonNull(member);
      Map<String, String> facts = new TreeMap<>(Member.configuration(here));
      MapConfig running = here.getConfig().findMapConfig(map);
      facts.put("cache.backups", String.valueOf(running.getBackupCount()));
      facts.put("cache.async-backups", String.valueOf(running.getAsyncBackupCount()));
      facts.put("cache.in-memory-format", running.getInMemoryFormat().toString());
      facts.put("cache.statistics", String.valueOf(running.isStatisticsEnabled()));
      return facts;
    }
  }
}
