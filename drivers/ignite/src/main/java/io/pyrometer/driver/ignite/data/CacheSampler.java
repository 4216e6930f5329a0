package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * Looks at a cache that is not Pyrometer's: what settings make one like it, and what records look
 * like those in it. It reads, and changes nothing.
 */
public final class CacheSampler {
  private final IgniteCache<Object, Object> cache;
  private final Map<String, FieldSample> fields = new LinkedHashMap<>();
  private final Set<String> types = new HashSet<>();
  private final Set<String> keyTypes = new HashSet<>();
  private long bytes;
  private int looked;

  private CacheSampler(IgniteCache<Object, Object> cache) {
    this.cache = cache;
  }

  /**
   * @param name of a cache that is there
   * @param most how many records to look at, at most
   * @throws GridException if it holds none
   */
  public static CacheSample of(Ignite ignite, String name, int most) {
    IgniteCache<Object, Object> cache = ignite.cache(name).withKeepBinary();
    long count = cache.sizeLong(CachePeekMode.PRIMARY);
    if (count == 0) {
      throw new GridException("Cache '" + name + "' holds no record to look at.");
    }
    CacheSampler sampler = new CacheSampler(cache);
    int wanted = (int) Math.min(count, most);
    ExistingRecords found =
        ExistingRecords.sample(cache, ignite.affinity(name).partitions(), wanted, count);
    for (int record = 0; record < Math.min(wanted, found.count()); record++) {
      sampler.lookUp(found.key(record));
    }
    return sampler.sample(count);
  }

  /** One by one, because nobody knows how large the records are. */
  private void lookUp(Object key) {
    keyTypes.add(typeOf(key));
    Object value = cache.get(key);
    if (value == null) {
      return;
    }
    looked++;
    types.add(typeOf(value));
    bytes += FieldSample.bytes(value);
    if (value instanceof BinaryObject binary) {
      look(binary);
    } else {
      field("value").see(value);
    }
  }

  /**
   * Some objects, such as those in unmodifiable lists, are read by their classes alone; the bytes
   * that no other field has are theirs.
   */
  private void look(BinaryObject record) {
    List<String> unseen = new ArrayList<>();
    long left = FieldSample.bytes(record);
    for (String field : record.type().fieldNames()) {
      try {
        Object value = record.field(field);
        field(field).see(value);
        left -= value == null ? 0 : FieldSample.bytes(value);
      } catch (IgniteException classIsMissing) {
        unseen.add(field);
      }
    }
    for (String field : unseen) {
      field(field).cannotSee(Math.max(FieldSample.SOME_BYTES, left / unseen.size()));
    }
  }

  private FieldSample field(String name) {
    return fields.computeIfAbsent(name, FieldSample::new);
  }

  private static String typeOf(Object value) {
    return value instanceof BinaryObject binary
        ? binary.type().typeName()
        : value.getClass().getName();
  }

  private CacheSample sample(long count) {
    List<String> differences = new ArrayList<>();
    differences.add(FieldSample.phrase("keys", "types", String.join(", ", keyTypes)));
    if (types.size() > 1) {
      differences.add(FieldSample.phrase("types", "types", String.join(", ", types)));
    }
    List<FieldShape> shapes = new ArrayList<>();
    for (FieldSample field : fields.values()) {
      shapes.add(field.shape());
      field.difference().ifPresent(differences::add);
    }
    CacheConfiguration<?, ?> running = GridConfiguration.running(cache);
    differences.addAll(differences(running));
    return new CacheSample(
        GridConfiguration.settings(running),
        new RecordShape(
            FieldSample.word(RecordClass.simple(types.iterator().next())),
            Optional.empty(),
            shapes),
        bytes / Math.max(1, looked),
        count,
        looked,
        differences);
  }

  private static Set<String> differences(CacheConfiguration<?, ?> running) {
    Map<String, Boolean> differences = new LinkedHashMap<>();
    differences.put(
        "Ignite's own affinity function",
        !(running.getAffinity() instanceof RendezvousAffinityFunction));
    differences.put("no " + FieldSample.phrase("sql"), !running.getQueryEntities().isEmpty());
    differences.put("no cache store", running.getCacheStoreFactory() != null);
    differences.put("no interceptor", running.getInterceptor() != null);
    differences.put("no near cache", running.getNearConfiguration() != null);
    differences.put("no cache group", running.getGroupName() != null);
    differences.put("no data region of its own", running.getDataRegionName() != null);
    differences.put("no " + FieldSample.phrase("on-heap"), running.isOnheapCacheEnabled());
    differences.put(
        "no node filter",
        running.getNodeFilter() != null
            && !running.getNodeFilter().getClass().getName().startsWith("org.apache.ignite"));
    differences.values().removeIf(there -> !there);
    return differences.keySet();
  }
}
