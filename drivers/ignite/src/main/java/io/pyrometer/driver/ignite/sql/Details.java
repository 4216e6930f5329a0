package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.binary.BinaryObjectBuilder;
import org.apache.ignite.cache.CacheKeyConfiguration;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * The table {@code Detail} beside a trial's records, to be joined with them: {@code id}, {@code
 * parent} (the key of a record), {@code amount}. Each record has {@link #OF_A_RECORD}. It lies in
 * the schema of the trial's cache, and is spread as that is.
 */
public final class Details {
  /** Setting whether the details of a record are on the same node. */
  public static final SettingKey<Boolean> COLLOCATED = GridSettings.DECLARED.flag("collocated");

  static final String TABLE = "Detail";
  static final int OF_A_RECORD = 2;
  private static final String KEY_TYPE = "io.pyrometer.DetailKey";
  private static final String VALUE_TYPE = "io.pyrometer.Detail";
  private static final String ID = "id";
  private static final String PARENT = "parent";
  private static final String AMOUNT = "amount";

  private Details() {}

  /** The cache that holds the details of a trial's cache. */
  public static String cacheOf(String cacheName) {
    return cacheName + "-details";
  }

  static long amount(long id) {
    return Math.floorMod((id * 0x9E3779B97F4A7C15L) >>> 20, 1_000);
  }

  /**
   * @param records the trial's cache, whose schema, copies and partitions it takes
   */
  public static CacheConfiguration<Object, Object> configuration(
      CacheConfiguration<Long, Object> records, Settings settings) {
    boolean collocated = settings.get(COLLOCATED);
    LinkedHashMap<String, String> columns = new LinkedHashMap<>();
    List.of(ID, PARENT, AMOUNT).forEach(name -> columns.put(name, Long.class.getName()));
    QueryEntity entity =
        new QueryEntity()
            .setTableName(TABLE)
            .setKeyType(collocated ? KEY_TYPE : Long.class.getName())
            .setValueType(VALUE_TYPE)
            .setFields(columns);
    if (collocated) {
      entity.setKeyFields(Set.of(ID, PARENT));
    } else {
      entity.setKeyFieldName(ID);
    }
    if (settings.get(GridSettings.INDEXES) > 0) {
      entity.setIndexes(new ArrayList<>(List.of(new QueryIndex(PARENT))));
    }
    CacheConfiguration<Object, Object> cache =
        new CacheConfiguration<>(cacheOf(records.getName()))
            .setSqlSchema('"' + records.getName() + '"')
            .setCacheMode(records.getCacheMode())
            .setAtomicityMode(records.getAtomicityMode())
            .setWriteSynchronizationMode(records.getWriteSynchronizationMode())
            .setBackups(records.getBackups())
            .setAffinity(records.getAffinity())
            .setQueryEntities(List.of(entity));
    return collocated
        ? cache.setKeyConfiguration(new CacheKeyConfiguration(KEY_TYPE, PARENT))
        : cache;
  }

  /** Writes the details of the records with the keys {@code from} … {@code to}−1. */
  public static void fill(Ignite ignite, String cacheName, Settings settings, long from, long to) {
    boolean collocated = settings.get(COLLOCATED);
    try (IgniteDataStreamer<Object, Object> streamer = ignite.dataStreamer(cacheOf(cacheName))) {
      streamer.keepBinary(true);
      for (long id = from * OF_A_RECORD; id < to * OF_A_RECORD; id++) {
        long parent = id / OF_A_RECORD;
        BinaryObjectBuilder value =
            ignite.binary().builder(VALUE_TYPE).setField(AMOUNT, amount(id));
        if (collocated) {
          streamer.addData(
              ignite.binary().builder(KEY_TYPE).setField(ID, id).setField(PARENT, parent).build(),
              value.build());
        } else {
          streamer.addData(id, value.setField(PARENT, parent).build());
        }
      }
    }
  }
}
