package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
final class CacheTrial implements TrialSession {
  private static final int MAX_PAGE_RECORDS = 1_000;

  private final RemoteCacheManager client;
  private final Supplier<DefaultCacheManager> member;
  private final String name;
  private final String path;
  private final Settings settings;
  private final Records records;
  private final RecordBytes values;
  private final RemoteCache<byte[], byte[]> cache;
  private final int page;

  CacheTrial(
      RemoteCacheManager client,
      Supplier<DefaultCacheManager> member,
      String name,
      String path,
      Settings settings,
      Records records) {
    this.client = client;
    this.member = member;
    this.name = name;
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.values = new RecordBytes(records);
    this.cache = client.getCache(name);
    this.page = PageSize.of(records, MAX_PAGE_RECORDS);
  }

  @Override
  public Map<String, String> configuration() {
    return Administration.configuration(cache);
  }

  @Override
  public void fill(long from, long to) {
    Map<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (long key = from; key < to; key++) {
      batch.put(RecordBytes.key(key), values.of((int) (key % records.size())));
      if (batch.size() == page || key == to - 1) {
        cache.putAll(batch);
        batch.clear();
      }
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    HighestFields highest = new HighestFields(records.shape(), settings);
    return switch (path) {
      case "put" ->
          FunctionPath.writing(path, 1, call -> cache.put(key(call), values.of(call.record(0))));
      case "put-async" ->
          FunctionPath.completing(
              path,
              settings.get(PathSettings.IN_FLIGHT),
              call -> cache.putAsync(key(call), values.of(call.record(0))));
      case "put-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> cache.putAll(batch(call)));
      case "get" ->
          FunctionPath.reading(path, 1, highest, call -> see(highest, cache.get(key(call))));
      case "get-all" ->
          FunctionPath.reading(
              path,
              settings.get(PathSettings.BATCH),
              highest,
              call -> cache.getAll(keys(call)).values().forEach(found -> see(highest, found)));
      case "mixed" ->
          FunctionPath.mixed(
              "put",
              key -> cache.get(RecordBytes.key(key)) != null,
              call -> cache.put(key(call), values.of(call.record(0))));
      default -> embedded(highest);
    };
  }

  private AccessPath embedded(HighestFields highest) {
    AdvancedCache<byte[], byte[]> here =
        member.get().<byte[], byte[]>getCache(name).getAdvancedCache();
    AdvancedCache<byte[], byte[]> blind = here.withFlags(Flag.IGNORE_RETURN_VALUES);
    return switch (path) {
      case "embedded-put" ->
          FunctionPath.writing(path, 1, call -> blind.put(key(call), values.of(call.record(0))));
      case "embedded-put-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> blind.putAll(batch(call)));
      case "embedded-get" ->
          FunctionPath.reading(path, 1, highest, call -> see(highest, here.get(key(call))));
      case "embedded-get-all" ->
          FunctionPath.reading(
              path,
              settings.get(PathSettings.BATCH),
              highest,
              call -> here.getAll(keys(call)).values().forEach(found -> see(highest, found)));
      case "stream" -> stream(here, highest);
      default -> throw new GridException("Infinispan has no access path '%s'.".formatted(path));
    };
  }

  private AccessPath stream(AdvancedCache<byte[], byte[]> here, HighestFields highest) {
    List<String> all = records.shape().fields().stream().map(FieldShape::name).toList();
    HighestOfBytes wanted =
        new HighestOfBytes(values.types(), highest.names().stream().map(all::indexOf).toList());
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest,
        call -> {
          HighestOfBytes.Found found = here.values().stream().collect(wanted);
          highest.merge(found.count(), found.highest());
        });
  }

  private static byte[] key(Call call) {
    return RecordBytes.key(call.key(0));
  }

  /** In the order of keys: two batches that lock the same keys in other orders block each other. */
  private Map<byte[], byte[]> batch(Call call) {
    Map<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < call.size(); i++) {
      batch.put(RecordBytes.key(call.key(i)), values.of(call.record(i)));
    }
    return batch;
  }

  private static Set<byte[]> keys(Call call) {
    Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < call.size(); i++) {
      keys.add(RecordBytes.key(call.key(i)));
    }
    return keys;
  }

  private void see(HighestFields highest, byte @Nullable [] found) {
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
        records,
        this::scan,
        key -> Optional.ofNullable(cache.get(RecordBytes.key(key))).map(values::fields));
  }

  private void scan(StoredContents.RecordVisitor visitor) {
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

  @Override
  public void close() {}
}
