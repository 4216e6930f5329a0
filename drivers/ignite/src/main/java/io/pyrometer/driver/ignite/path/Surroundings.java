package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Settings;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;

/**
 * What an access path finds when it is opened: the grid, the trial's cache, records and settings.
 */
public record Surroundings(
    ClientNode client, String cacheName, Records records, Settings settings) {

  public Ignite ignite() {
    return client.ignite();
  }

  /** The cache as seen by code that takes and gives binary objects. */
  <V> IgniteCache<Long, V> binaryCache() {
    return ignite().<Long, V>cache(cacheName).withKeepBinary();
  }

  /** The values to write, in the form that the settings ask for; one for each load thread. */
  Values values() {
    return Values.of(settings.text("value-form"), ignite().binary(), records);
  }

  /** The cache to write such values to. */
  IgniteCache<Long, Object> cacheFor(Values values) {
    return values.binary() ? binaryCache() : ignite().cache(cacheName);
  }

  boolean transactional() {
    return settings.text("atomicity").equals("TRANSACTIONAL");
  }

  /** Names of the fields to aggregate over. */
  String[] aggregated() {
    return Aggregation.fields(records.shape(), settings).toArray(String[]::new);
  }

  int allRecords() {
    return settings.integer("records");
  }
}
