package io.pyrometer.driver.coherence;

import com.tangosol.net.AsyncNamedMap;
import com.tangosol.net.Coherence;
import com.tangosol.net.NamedMap;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One trial: a map of its own, whose values are bytes. */
final class CoherenceTrial extends MapTrial<Long, byte[]> {
  private final Coherence member;
  private final NamedMap<Long, byte[]> map;
  private final RecordBytes values;

  CoherenceTrial(
      Coherence member,
      NamedMap<Long, byte[]> map,
      String path,
      Settings settings,
      Records records) {
    super(path, settings, records, 1_000);
    this.member = member;
    this.map = map;
    this.values = new RecordBytes(records);
  }

  @Override
  public Map<String, String> configuration() {
    return Members.configuration(member);
  }

  @Override
  public AccessPath path(LoadThread thread) {
    return switch (path) {
      case "put-all-of-one" -> put(this::write);
      case "put" -> put(map::put);
      case "put-async" -> putAsync();
      case "put-all" -> putAll(map::putAll);
      case "get" -> get(map::get);
      case "get-all" -> getAll(map::getAll);
      case "aggregate" -> aggregate();
      case "mixed" -> mixed("put", map::get, this::write);
      default -> throw unknownPath("Coherence");
    };
  }

  private void write(Long key, byte[] value) {
    map.putAll(Map.of(key, value));
  }

  /** Calls of one thread to one key keep their order; the default orders by thread. */
  private AccessPath putAsync() {
    AsyncNamedMap<Long, byte[]> async = map.async();
    return putAsync((key, value) -> async.putAll(Map.of(key, value)));
  }

  private AccessPath aggregate() {
    HighestOfBytes wanted = new HighestOfBytes(values.types(), highest());
    return wholeSet(highest -> highest.merge(map.aggregate(wanted)));
  }

  @Override
  protected Long key(long key) {
    return key;
  }

  @Override
  protected byte[] value(int record) {
    return values.of(record);
  }

  @Override
  protected Object[] fields(byte[] stored) {
    return values.fields(stored);
  }

  @Override
  protected Map<Long, byte[]> newBatch(int size) {
    return new TreeMap<>();
  }

  @Override
  protected byte @Nullable [] read(Long key) {
    return map.get(key);
  }

  @Override
  protected void load(Map<Long, byte[]> batch) {
    map.putAll(batch);
  }

  /** Page by page, because {@code entrySet} holds all records in one message of each member. */
  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    List<Long> keys = List.copyOf(map.keySet());
    for (int from = 0; from < keys.size(); from += page) {
      map.getAll(keys.subList(from, Math.min(keys.size(), from + page)))
          .forEach((key, value) -> visitor.visit(key, values.fields(value)));
    }
  }

  @Override
  public void destroy() {
    map.destroy();
  }
}
