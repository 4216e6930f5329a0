package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.data.KeyForm;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.path.CacheKind;
import io.pyrometer.driver.ignite.settings.BeanProperty;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.configuration.CacheConfiguration;

/** The fresh cache of a trial. */
final class TrialCache {
  private static final java.time.Duration KNOWN_WITHIN = java.time.Duration.ofSeconds(20);

  private TrialCache() {}

  /**
   * Creates the cache of a trial.
   *
   * @throws GridException with one sentence if Ignite refuses it
   */
  static void create(String name, Runnable creation) {
    try {
      creation.run();
    } catch (IgniteException | CacheException e) {
      throw GridException.of(
          "Cache '%s' could not be created: %s.", name, GridException.cause(e), e);
    }
  }

  /**
   * Returns when this client, too, knows the cache that another process has made. A client that
   * asked Ignite to get or create it might make one of another configuration.
   */
  static void await(Ignite ignite, String name) {
    if (!Poll.until(KNOWN_WITHIN, () -> ignite.cacheNames().contains(name))) {
      throw GridException.of(
          "Cache '%s' is not known here %d s after it was created; its creator must open it first.",
          name, KNOWN_WITHIN.toSeconds());
    }
  }

  /**
   * @param settings of the trial, complete
   * @param shape with its fields spelt out
   */
  static <K> CacheConfiguration<K, Object> configuration(
      String name, Settings settings, RecordShape shape, CacheKind wanted) {
    CacheConfiguration<K, Object> cache = configuration(name, settings);
    if (wanted == CacheKind.TABLES) {
      cache.setQueryEntities(List.of(withKey(entity(settings, shape))));
    } else if (wanted == CacheKind.SQL || !settings.get(GridSettings.SQL).equals("off")) {
      cache.setSqlEscapeAll(true).setQueryEntities(List.of(entity(settings, shape)));
    }
    return cache;
  }

  /** How a cache is distributed, copied, written, kept on the heap and emptied. */
  static <K, V> CacheConfiguration<K, V> configuration(String name, Settings settings) {
    CacheConfiguration<K, V> cache =
        new CacheConfiguration<K, V>(name).setAffinity(new RendezvousAffinityFunction());
    GridConfiguration.configure(cache, settings);
    double ttl = settings.get(GridSettings.TTL);
    if (ttl > 0) {
      long millis = Math.max(1, Math.round(1e3 * ttl));
      cache.setExpiryPolicyFactory(
          ModifiedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, millis)));
    }
    int onHeap = settings.get(GridSettings.ON_HEAP_ENTRIES);
    if (onHeap > 0) {
      cache
          .setOnheapCacheEnabled(true)
          .setEvictionPolicyFactory(new LruEvictionPolicyFactory<K, V>(onHeap));
    }
    BeanProperty.set(settings.cacheProperties(), cache);
    return cache;
  }

  private static QueryEntity entity(Settings settings, RecordShape shape) {
    Class<?> key = KeyForm.of(settings).type();
    QueryEntity entity =
        settings.get(GridSettings.SQL).equals("annotation")
            ? annotated(key, shape)
            : inCode(key, shape);
    List<QueryIndex> indexes = new ArrayList<>(entity.getIndexes());
    int wanted = Math.min(settings.get(GridSettings.INDEXES), shape.fields().size());
    shape.fields().subList(0, wanted).forEach(field -> indexes.add(new QueryIndex(field.name())));
    return entity.setIndexes(indexes);
  }

  /** With the key as a column that queries can name. */
  private static QueryEntity withKey(QueryEntity entity) {
    if (entity.getFields().keySet().stream().anyMatch("id"::equalsIgnoreCase)) {
      throw new GridException(
          "Queries name the key of a record 'id', and the record has a field of this name: rename"
              + " the field.");
    }
    LinkedHashMap<String, String> fields = new LinkedHashMap<>();
    fields.put("id", Long.class.getName());
    fields.putAll(entity.getFields());
    return entity.setFields(fields).setKeyFieldName("id");
  }

  private static QueryEntity inCode(Class<?> key, RecordShape shape) {
    return new QueryEntity(key.getName(), RecordClass.typeName(shape))
        .setTableName(RecordClass.table(shape))
        .setFields(new LinkedHashMap<>(RecordClass.columns(shape)));
  }

  private static QueryEntity annotated(Class<?> key, RecordShape shape) {
    Class<?> type = RecordClass.require(shape);
    QueryEntity entity = new QueryEntity(key, type);
    if (entity.getFields().isEmpty()) {
      throw GridException.of(
          "Class %s annotates no field with @QuerySqlField: annotate it, or describe SQL in code.",
          type.getName());
    }
    return entity;
  }
}
