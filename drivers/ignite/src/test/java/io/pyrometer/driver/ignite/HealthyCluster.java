package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.keys;
import static io.pyrometer.driver.ignite.PlantedFault.ownClasses;
import static io.pyrometer.driver.ignite.PlantedFault.persistent;
import static io.pyrometer.driver.ignite.PlantedFault.region;
import static io.pyrometer.driver.ignite.PlantedFault.value;

import io.pyrometer.driver.ignite.PlantedFault.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.transactions.Transaction;

/** Clusters that are configured and used as they should be: what is found in them is wrong. */
final class HealthyCluster {
  private HealthyCluster() {}

  static final PlantedFault USUAL =
      of(
          "healthy",
          region(512, ""),
          cache ->
              cache
                  .setOnheapCacheEnabled(true)
                  .setEvictionPolicyFactory(new LruEvictionPolicyFactory<>(1_000)),
          PlantedFault.MIX);

  static final List<PlantedFault> ALL =
      List.of(
          USUAL,
          of("healthy-persistent", persistent(256, "", ""), cache -> cache, PlantedFault.MIX),
          of(
              "healthy-thin",
              (application, step) -> {
                ClientCache<Object, Object> thin = application.thin(2, true);
                if (step % 2 == 0) {
                  thin.put(key(), value(100));
                } else {
                  thin.get(key());
                }
              }),
          of(
              "healthy-transactional",
              region(512, ""),
              cache -> cache.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL),
              (application, step) -> {
                Map<Object, Object> some = batch(10);
                try (Transaction open = application.client().transactions().txStart()) {
                  application.cache().getAll(some.keySet());
                  application.cache().putAll(some);
                  open.commit();
                }
              }),
          of(
              "healthy-sql",
              (application, step) -> {
                PlantedFault.tables(application, step, ",affinity_key=CUSTOMER");
                if (step < 4) {
                  application.sql("create index if not exists BY_CUSTOMER on ORDERS (CUSTOMER)");
                }
                application.sql(
                    "select count(*) from ORDERS o join CUSTOMER c on o.CUSTOMER = c.CUSTOMER");
                application.sql("select ID from ORDERS where CUSTOMER = ?", (int) (step % 50));
              }),
          of(
              "healthy-distributed-joins",
              (application, step) -> {
                PlantedFault.tables(application, step, "");
                application.sql(new SqlFieldsQuery(PlantedFault.JOIN).setDistributedJoins(true));
              }),
          of(
              "healthy-replicated",
              region(512, ""),
              cache -> cache.setCacheMode(CacheMode.REPLICATED),
              (application, step) -> {
                if (step % 100 < 2) {
                  application.cache().putAll(batch(20));
                }
                application.cache().getAll(keys(20));
              }),
          of(
              "healthy-idle",
              (application, step) -> {
                application.cache().get(key());
                TimeUnit.MILLISECONDS.sleep(100);
              }),
          of(
              "healthy-streamer",
              (application, step) -> {
                try (IgniteDataStreamer<Object, Object> streamer =
                    application.client().dataStreamer(CACHE)) {
                  for (long i = 0; i < 2_000; i++) {
                    streamer.addData(step * 2_000 + i, value(100));
                  }
                }
                TimeUnit.MILLISECONDS.sleep(100);
              }),
          new PlantedFault(
              "healthy-compute",
              region(512, ""),
              ownClasses(),
              cache -> cache,
              (application, step) ->
                  application
                      .client()
                      .compute(application.client().cluster().forServers())
                      .call(new PlantedCode.Counting()),
              3));

  private static PlantedFault of(String name, Step load) {
    return of(name, region(512, ""), cache -> cache, load);
  }

  private static PlantedFault of(
      String name,
      String properties,
      UnaryOperator<CacheConfiguration<Object, Object>> cache,
      Step load) {
    return new PlantedFault(name, properties, "", cache, load, 2);
  }

  private static Map<Object, Object> batch(int size) {
    Map<Object, Object> some = new TreeMap<>();
    while (some.size() < size) {
      some.put(key(), value(100));
    }
    return some;
  }
}
