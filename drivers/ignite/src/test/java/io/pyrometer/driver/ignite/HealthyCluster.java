package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.batch;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.keys;
import static io.pyrometer.driver.ignite.PlantedFault.persistent;
import static io.pyrometer.driver.ignite.PlantedFault.value;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.configuration.NearCacheConfiguration;
import org.apache.ignite.transactions.Transaction;

/** Clusters that are configured and used as they should be: what is found in them is wrong. */
final class HealthyCluster {
  private HealthyCluster() {}

  static final PlantedFault USUAL =
      of("healthy", "batches by a thick client, bounded on-heap cache")
          .cache(
              cache ->
                  cache
                      .setOnheapCacheEnabled(true)
                      .setEvictionPolicyFactory(new LruEvictionPolicyFactory<>(1_000)));

  static final List<PlantedFault> ALL =
      List.of(
          USUAL,
          of("healthy-persistent", "batches by a thick client, persistence")
              .servers(Servers.of(persistent(256, "", ""))),
          of("healthy-thin", "puts and gets by thin clients with partition awareness")
              .load(
                  (application, step) -> {
                    ClientCache<Object, Object> thin = application.thin(2, true);
                    if (step % 2 == 0) {
                      thin.put(key(), value(100));
                    } else {
                      thin.get(key());
                    }
                  }),
          of("healthy-transactional", "transactions of ten entries")
              .transactional()
              .load(
                  (application, step) -> {
                    Map<Object, Object> some = batch(10);
                    try (Transaction open = application.client().transactions().txStart()) {
                      application.cache().getAll(some.keySet());
                      application.cache().putAll(some);
                      open.commit();
                    }
                  }),
          of("healthy-sql", "collocated join and a search by an index")
              .setup(
                  application -> {
                    SqlFaults.towns(application, ",affinity_key=TOWN");
                    application.sqlOfNode("create index BY_TOWN on PERSON (TOWN)");
                  })
              .load(
                  (application, step) -> {
                    application.expect(
                        1_000, "select count(*) from PERSON p join TOWN t on p.TOWN = t.ID");
                    application.sql("select ID from PERSON where TOWN = ?", (int) (step % 50));
                  }),
          of("healthy-distributed-joins", "distributed join")
              .setup(application -> SqlFaults.towns(application, ""))
              .load(
                  (application, step) ->
                      application.sql(
                          new SqlFieldsQuery(
                                  "select count(*) from PERSON p join TOWN t on p.TOWN = t.ID")
                              .setDistributedJoins(true))),
          of("healthy-jdbc", "JDBC connections, a search by an index, parameters")
              .setup(SqlFaults.items("create index BY_CUSTOMER on ITEMS (CUSTOMER, PRICE)"))
              .load(
                  (application, step) -> {
                    application.jdbc(
                        2,
                        "select ID, PRICE from ITEMS where CUSTOMER = ?",
                        SqlFaults.customer(step));
                    TimeUnit.MILLISECONDS.sleep(5);
                  }),
          of("healthy-near-cache", "a thick client with a bounded near cache")
              .setup(
                  application -> {
                    application.fill(20_000, value(100));
                    application.cache().close();
                    application
                        .client()
                        .getOrCreateNearCache(
                            CACHE,
                            new NearCacheConfiguration<>()
                                .setNearEvictionPolicyFactory(
                                    new LruEvictionPolicyFactory<>(1_000)));
                  })
              .load(
                  (application, step) -> {
                    application.cache().getAll(keys(20));
                    TimeUnit.MILLISECONDS.sleep(5);
                  }),
          of("healthy-replicated", "REPLICATED cache that is mostly read")
              .cache(cache -> cache.setCacheMode(CacheMode.REPLICATED))
              .load(
                  (application, step) -> {
                    if (step % 100 < 2) {
                      application.cache().putAll(batch(20));
                    }
                    application.cache().getAll(keys(20));
                  }),
          of("healthy-idle", "a get now and then")
              .load(
                  (application, step) -> {
                    application.cache().get(key());
                    TimeUnit.MILLISECONDS.sleep(100);
                  }),
          of("healthy-streamer", "data streamer of new keys")
              .load(
                  (application, step) -> {
                    try (IgniteDataStreamer<Object, Object> streamer =
                        application.client().dataStreamer(CACHE)) {
                      for (long i = 0; i < 2_000; i++) {
                        streamer.addData(step * 2_000 + i, value(100));
                      }
                    }
                    TimeUnit.MILLISECONDS.sleep(100);
                  }),
          of("healthy-compute", "jobs of a millisecond")
              .servers(Servers.WITH_CODE)
              .load(
                  (application, step) ->
                      application
                          .client()
                          .compute(application.client().cluster().forServers())
                          .call(new PlantedCode.Counting()))
              .threads(3));

  private static PlantedFault of(String name, String planted) {
    return PlantedFault.of(name, planted).load(PlantedFault.MIX);
  }
}
