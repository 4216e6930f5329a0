package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;

/**
 * What an access path finds when it is opened: the grid, the trial's cache, records and settings.
 *
 * @param trial with complete settings
 * @param events continuous queries that the trial's load threads share
 * @param existing the scan of a cache that was there before, which they share
 */
public record PathContext(
    ClientNode client,
    String cacheName,
    ValuePool stock,
    TrialSpec trial,
    ThinClients thin,
    CacheEvents events,
    ExistingScan existing) {

  public Ignite ignite() {
    return client.ignite();
  }

  Settings settings() {
    return trial.settings();
  }

  Records records() {
    return stock.records();
  }

  /** The cache as seen by code that takes and gives binary objects. */
  <V> IgniteCache<Long, V> binaryCache() {
    return ignite().<Long, V>cache(cacheName).withKeepBinary();
  }

  /** The values to write, in the form that the settings ask for; one for each load thread. */
  RecordValues values() {
    return stock.in(settings().get(GridSettings.VALUE_FORM));
  }

  /** Whether records may be gone that were written, by expiry or eviction. */
  boolean mayDrop() {
    return GridSettings.mayDrop(settings());
  }

  boolean transactional() {
    return settings().get(GridSettings.ATOMICITY).equals("TRANSACTIONAL");
  }

  /** Names of the fields to aggregate over. */
  String[] aggregated() {
    return Aggregation.fields(records().shape(), settings()).toArray(String[]::new);
  }

  int allRecords() {
    return settings().get(CoreSettings.RECORDS).intValue();
  }
}
