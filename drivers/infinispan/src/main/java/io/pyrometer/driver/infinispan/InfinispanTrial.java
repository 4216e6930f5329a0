package io.pyrometer.driver.infinispan;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.infinispan.AdvancedCache;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.commons.util.CloseableIterator;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/** One trial: a cache of its own, whose keys and values are bytes. */
final class InfinispanTrial extends MapTrial<byte[], byte[]> {
  private final RemoteCacheManager client;
  private final Supplier<DefaultCacheManager> member;
  private final String name;
  private final RemoteCache<byte[], byte[]> cache;

  InfinispanTrial(
      RemoteCacheManager client,
      Supplier<DefaultCacheManager> member,
      String name,
      TrialSpec trial,
      Records records) {
    super(trial, records, 1_000, RecordBytes::key, new RecordBytes(records));
    this.client = client;
    this.member = member;
    this.name = name;
    this.cache = client.getCache(name);
  }

  @Override
  public Map<String, String> configuration() {
    return Administration.configuration(cache);
  }

  @Override
  public AccessPath path(LoadThread thread) {
    return switch (path) {
      case "put" -> put(cache::put);
      case "put-async" -> putAsync(cache::putAsync);
      case "put-all" -> putAll(cache::putAll);
      case "get" -> get(cache::get);
      case "get-all" -> getAll(cache::getAll);
      case "mixed" ->
          mixed("put", cache::get, cache::put).putAll(cache::putAll).remove(cache::remove).open();
      case "embedded-put" -> put(blind()::put);
      case "embedded-put-all" -> putAll(blind()::putAll);
      case "embedded-get" -> get(embedded()::get);
      case "embedded-get-all" -> getAll(embedded()::getAll);
      case "stream" -> stream();
      default -> throw unknownPath();
    };
  }

  /** The cache through a member without data. */
  private AdvancedCache<byte[], byte[]> embedded() {
    return member.get().<byte[], byte[]>getCache(name).getAdvancedCache();
  }

  /** Cache for writes that do not return the old value. */
  private AdvancedCache<byte[], byte[]> blind() {
    return embedded().withFlags(Flag.IGNORE_RETURN_VALUES);
  }

  private FunctionPath stream() {
    HighestOfBytes wanted = new HighestOfBytes(RecordBytes.types(records), highest());
    AdvancedCache<byte[], byte[]> here = embedded();
    return wholeSet(highest -> highest.merge(here.values().stream().collect(wanted)));
  }

  /**
   * An aggregation of records that are bytes, sent to every server with a stream.
   *
   * @param types of all fields of a record, in the shape's order
   * @param empty the fields to look at
   */
  private record HighestOfBytes(List<FieldType> types, HighestFields empty)
      implements SerializableSupplier<Collector<? super byte[], ?, HighestFields>> {

    @Override
    public Collector<? super byte[], ?, HighestFields> get() {
      return Collector.<byte[], HighestFields>of(
          empty::empty,
          (found, record) -> found.see(RecordBytes.fields(types, record)),
          HighestFields::merge,
          Collector.Characteristics.UNORDERED);
    }
  }

  /** In the order of keys: two batches that lock the same keys in other orders block each other. */
  @Override
  protected Map<byte[], byte[]> newBatch(int size) {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  @Override
  protected Set<byte[]> newKeys(int size) {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  @Override
  protected byte @Nullable [] read(byte[] key) {
    return cache.get(key);
  }

  @Override
  protected void load(Map<byte[], byte[]> batch) {
    cache.putAll(batch);
  }

  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    try (CloseableIterator<Map.Entry<Object, Object>> all = cache.retrieveEntries(null, page)) {
      while (all.hasNext()) {
        Map.Entry<Object, Object> entry = all.next();
        visitor.visit(
            RecordBytes.key((byte[]) entry.getKey()), form.fields((byte[]) entry.getValue()));
      }
    }
  }

  @Override
  public void destroy() {
    client.administration().removeCache(name);
  }
}
