package io.pyrometer.driver.coherence;

import com.tangosol.internal.net.SessionNamedCache;
import com.tangosol.net.Coherence;
import com.tangosol.net.NamedMap;
import com.tangosol.net.cache.NearCache;
import com.tangosol.util.InvocableMap;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.TrialSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One trial: a map of its own, whose values are bytes. */
final class CoherenceTrial extends MapTrial<Long, byte[]> {
  private final Coherence member;
  private final NamedMap<Long, byte[]> map;

  CoherenceTrial(Coherence member, NamedMap<Long, byte[]> map, TrialSpec trial, Records records) {
    super(trial, records, 1_000, Long::valueOf, new RecordBytes(records));
    this.member = member;
    this.map = map;
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = CoherenceMember.configuration(member);
    facts.put("cache.profile", profile(map));
    return facts;
  }

  @Override
  public AccessPath path(LoadThread thread) {
    return switch (path) {
      case "put-all-of-one" -> put(this::write);
      case "put" -> put(map::put);
      case "put-async" -> putAsync((key, value) -> map.async().putAll(Map.of(key, value)));
      case "put-all" -> putAll(map::putAll);
      case "get" -> get(map::get);
      case "get-all" -> getAll(map::getAll);
      case "aggregate" -> aggregate();
      case "mixed" ->
          mixed("put", map::get, this::write)
              .getAll(map::getAll)
              .putAll(map::putAll)
              .remove(map::remove)
              .open();
      default -> throw unknownPath();
    };
  }

  private void write(Long key, byte[] value) {
    map.putAll(Map.of(key, value));
  }

  private FunctionPath aggregate() {
    Highest wanted = new Highest(RecordBytes.types(records), highest());
    return wholeSet(highest -> highest.merge(map.aggregate(wanted)));
  }

  /** In the order of keys, so that two batches with the same keys cannot block each other. */
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
    List<Long> all = List.copyOf(map.keySet());
    for (int from = 0; from < all.size(); from += page) {
      map.getAll(all.subList(from, Math.min(all.size(), from + page)))
          .forEach((key, value) -> visitor.visit(key, form.fields(value)));
    }
  }

  @Override
  public void destroy() {
    map.destroy();
  }

  /**
   * An aggregation that is sent to every member.
   *
   * @param types of all fields of a record, in the shape's order
   */
  private record Highest(List<FieldType> types, HighestFields found)
      implements InvocableMap.StreamingAggregator<Long, byte[], HighestFields, HighestFields>,
          Serializable {
    @Override
    public InvocableMap.StreamingAggregator<Long, byte[], HighestFields, HighestFields> supply() {
      return new Highest(types, found.empty());
    }

    @Override
    public boolean accumulate(InvocableMap.Entry<? extends Long, ? extends byte[]> entry) {
      found.see(RecordBytes.fields(types, entry.getValue()));
      return true;
    }

    @Override
    public boolean combine(HighestFields other) {
      HighestFields unused = found.merge(other);
      return true;
    }

    @Override
    public HighestFields getPartialResult() {
      return found;
    }

    @Override
    public HighestFields finalizeResult() {
      return found;
    }

    @Override
    public int characteristics() {
      return PARALLEL;
    }
  }

  /** Profile of the client: {@code near} where its map has a near cache, else {@code thin}. */
  private static String profile(NamedMap<?, ?> map) {
    return map instanceof SessionNamedCache<?, ?> cache
            && cache.getInternalNamedCache() instanceof NearCache
        ? "near"
        : "thin";
  }
}
