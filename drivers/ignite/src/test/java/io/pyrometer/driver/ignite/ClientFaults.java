package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.keys;
import static io.pyrometer.driver.ignite.PlantedFault.value;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.FieldsQueryCursor;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.NearCacheConfiguration;

/** Faults of clients. */
final class ClientFaults {
  private ClientFaults() {}

  static final List<PlantedFault> ALL =
      List.of(
          PlantedFault.of("partition-awareness", "thin clients without partition awareness")
              .load((application, step) -> application.thin(2, false).put(key(), value(100)))
              .threads(4),
          PlantedFault.of("short-lived-connections", "a new thin client for each request")
              .load(
                  (application, step) -> {
                    try (IgniteClient once = application.connect(2, true)) {
                      once.cache(CACHE).put(key(), value(100));
                    }
                  })
              .threads(4),
          PlantedFault.of("thin-clients-of-one-server", "thin clients that know one of two servers")
              .load(
                  (application, step) -> {
                    application.thin(1, false).getAll(keys(50));
                    TimeUnit.MILLISECONDS.sleep(50);
                  })
              .threads(4),
          PlantedFault.of(
                  "partition-map-exchange", "thick clients that join and leave all the time")
              .load(
                  (application, step) -> {
                    try (Ignite other = application.join("passing-" + step)) {
                      other.cache(CACHE).get(1);
                    }
                  })
              .threads(1),
          PlantedFault.of(
                  "partition-map-exchange", "a cache that is made and destroyed for each job")
              .load(
                  (application, step) -> {
                    IgniteCache<Object, Object> passing =
                        application.client().createCache("job-" + step);
                    passing.putAll(Map.of(1L, value(100)));
                    passing.destroy();
                    TimeUnit.MILLISECONDS.sleep(200);
                  })
              .threads(1),
          PlantedFault.of("streamer-receiver", "streamer with `allowOverwrite`, entry by entry")
              .load(
                  (application, step) -> {
                    try (IgniteDataStreamer<Object, Object> streamer =
                        application.client().dataStreamer(CACHE)) {
                      streamer.allowOverwrite(true);
                      streamer.perNodeBufferSize(200);
                      for (int i = 0; i < 5_000; i++) {
                        streamer.addData(key(), value(100));
                      }
                    }
                  })
              .threads(1),
          PlantedFault.of("skipped-keys", "streamer without `allowOverwrite` over existing keys")
              .load(
                  (application, step) -> {
                    try (IgniteDataStreamer<Object, Object> streamer =
                        application.client().dataStreamer(CACHE)) {
                      streamer.perNodeBufferSize(10);
                      for (long i = 0; i < 100; i++) {
                        streamer.addData(i, value(100));
                      }
                    }
                  }),
          PlantedFault.of("blocked-listeners", "a local listener that calls a slow service")
              .ownJvm("-Xmx256m")
              .setup(
                  application -> {
                    ContinuousQuery<Object, Object> query = new ContinuousQuery<>();
                    query.setLocalListener(
                        events -> {
                          PlantedCode.callService(500);
                          long put = (Long) events.iterator().next().getValue();
                          if (System.nanoTime() - put > 2_000_000_000) {
                            application.saw("events come more than 2 s late");
                          }
                        });
                    application.hold(application.cache().query(query));
                  })
              .load((application, step) -> application.cache().put(key(), System.nanoTime()))
              .threads(4),
          PlantedFault.of("client-memory", "a thick client with a nearly full heap of 96 MiB")
              .ownJvm("-Xmx96m")
              .setup(
                  application -> {
                    System.gc();
                    Runtime heap = Runtime.getRuntime();
                    long free = heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
                    for (long kept = 0; kept < free - (10 << 20); kept += 64 << 10) {
                      application.hold(new byte[64 << 10]);
                    }
                  })
              .load(PlantedFault.MIX),
          PlantedFault.of("near-caches", "a near cache without eviction that holds all entries")
              .ownJvm("-Xmx256m")
              .setup(
                  application -> {
                    application
                        .client()
                        .getOrCreateNearCache(CACHE, new NearCacheConfiguration<>());
                    application.fill(30_000, value(1_000));
                    for (long from = 0; from < 30_000; from += 1_000) {
                      application
                          .cache()
                          .getAll(
                              LongStream.range(from, from + 1_000)
                                  .boxed()
                                  .collect(Collectors.toSet()));
                    }
                  })
              .load((application, step) -> application.cache().getAll(keys(20))),
          PlantedFault.of("open-cursors", "query cursors of thin clients that are never closed")
              .setup(SqlFaults::items)
              .load(
                  (application, step) -> {
                    application.hold(firstRow(application, step));
                    TimeUnit.MILLISECONDS.sleep(5);
                  }));

  private static FieldsQueryCursor<List<?>> firstRow(Application application, long step) {
    FieldsQueryCursor<List<?>> rows = application.thin(2, true).query(pages(step));
    rows.iterator().next();
    return rows;
  }

  private static SqlFieldsQuery pages(long from) {
    return new SqlFieldsQuery("select ID, CUSTOMER from ITEMS where ID > ?")
        .setArgs((int) (from % 1_000))
        .setSchema("PUBLIC")
        .setPageSize(10);
  }
}
