package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.infinispan.AdvancedCache;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.commons.util.CloseableIterator;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.jspecify.annotations.Nullable;

/** One trial: a cache of its own, whose keys and values are bytes. */
final class CacheTrial extends MapTrial<byte[], byte[]> {
  private final RemoteCacheManager client;
  private final Supplier<DefaultCacheManager> member;
  private final String name;
  private final RecordBytes values;
  private final RemoteCache<byte[], byte[]> cache;

  CacheTrial(
      RemoteCacheManager client,
      Supplier<DefaultCacheManager> member,
      String name,
      String path,
      Settings settings,
      Records records) {
    super(path, settings, records, 1_000);
    this.client = client;
    this.member = member;
    this.name = name;
    this.values = new RecordBytes(records);
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
      case "mixed" -> mixed("put", cache::get, cache::put);
      default -> embedded(member.get().<byte[], byte[]>getCache(name).getAdvancedCache());
    };
  }

  private AccessPath embedded(AdvancedCache<byte[], byte[]> here) {
    AdvancedCache<byte[], byte[]> blind = here.withFlags(Flag.IGNORE_RETURN_VALUES);
    return switch (path) {
      case "embedded-put" -> put(blind::put);
      case "embedded-put-all" -> putAll(blind::putAll);
      case "embedded-get" -> get(here::get);
      case "embedded-get-all" -> getAll(here::getAll);
      case "stream" -> {
        HighestOfBytes wanted = new HighestOfBytes(values.types(), highest());
        yield wholeSet(highest -> highest.merge(here.values().stream().collect(wanted)));
      }
      default -> throw unknownPath("Infinispan");
    };
  }

  @Override
  protected byte[] key(long key) {
    return RecordBytes.key(key);
  }

  @Override
  protected byte[] value(int record) {
    return values.of(record);
  }

  @Override
  protected Object[] fields(byte[] stored) {
    return values.fields(stored);
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
            RecordBytes.key((byte[]) entry.getKey()), values.fields((byte[]) entry.getValue()));
      }
    }
  }

  @Override
  public void destroy() {
    client.administration().removeCache(name);
  }
}
