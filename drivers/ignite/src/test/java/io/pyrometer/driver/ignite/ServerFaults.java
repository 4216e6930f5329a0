package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.persistent;
import static io.pyrometer.driver.ignite.PlantedFault.region;
import static io.pyrometer.driver.ignite.PlantedFault.value;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import io.pyrometer.driver.ignite.PlantedFault.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteRunnable;

/** Faults of the configuration of servers, and of the tasks that they execute. */
final class ServerFaults {
  private static final String GC_LOG = "-XX:+UseG1GC -Xlog:gc*:file=target/planted-gc-%p.log";

  /** Events of puts and reads, and a listener of every server. */
  private static final String EVENTS =
      """
      <property name="includeEventTypes"><list><value>63</value><value>64</value></list></property>
      <property name="localEventListeners">
        <map>
          <entry value="63,64">
            <key><bean class="io.pyrometer.driver.ignite.PlantedCode$Audit"/></key>
          </entry>
        </map>
      </property>
      """;

  private ServerFaults() {}

  static final List<PlantedFault> ALL =
      List.of(
          configured("region-nearly-full", "data region of 64 MiB nearly full", region(64, ""))
              .load(
                  (application, step) -> {
                    if (step < 700) {
                      fill(application, step, 50);
                    } else {
                      application.cache().get(step);
                    }
                  })
              .threads(1),
          configured(
                  "page-eviction",
                  "data region too small, RANDOM_LRU",
                  region(64, property("pageEvictionMode", "RANDOM_LRU")))
              .load((application, step) -> fill(application, step, 100))
              .threads(1),
          configured(
                  "page-replacement",
                  "persistent data larger than their region",
                  persistent(64, "", ""))
              .load((application, step) -> fill(application, step, 100))
              .threads(1),
          configured(
              "wal-mode", "WAL mode FSYNC", persistent(256, property("walMode", "FSYNC"), "")),
          configured(
              "wal-segment-size",
              "WAL segments of 1 MiB",
              persistent(256, property("walSegmentSize", "1048576"), "")),
          configured(
              "write-throttling",
              "checkpoint buffer of 4 MiB",
              persistent(256, "", property("checkpointPageBufferSize", "4194304"))),
          configured(
              "peer-class-loading",
              "peer class loading on",
              region(512, "") + property("peerClassLoadingEnabled", "true")),
          configured(
                  "striped-pool",
                  "striped pool of one thread under many writes",
                  region(512, "") + property("stripedPoolSize", "1"))
              .load(ServerFaults::manyAtOnce),
          PlantedFault.of("collector", "serial collector with a heap of 4 GiB")
              .servers(Servers.STOCK.flags("-Xmx4g -XX:+UseSerialGC")),
          PlantedFault.of("heap", "heap of 144 MiB, on-heap cache")
              .servers(Servers.STOCK.flags("-Xmx144m"))
              .cache(cache -> cache.setOnheapCacheEnabled(true))
              .load((application, step) -> fill(application, step % 70, 1_000)),
          PlantedFault.of("large-objects", "values of 2 MiB in heap regions of G1")
              .servers(Servers.STOCK.flags(GC_LOG))
              .load((application, step) -> application.cache().put(step % 20, new byte[2 << 20])),
          PlantedFault.of("different-servers", "a server with twice the heap of the other")
              .servers(Servers.STOCK.last("-Xmx1g", PlantedFault.Site.HERE)),
          inTasks(
              "deadlock",
              "two tasks that take two locks in opposite order",
              step -> new PlantedCode.Locking(step % 2 == 0)),
          inTasks(
              "contended-lock",
              "tasks that work under one lock",
              step -> new PlantedCode.Synchronized()),
          inTasks(
              "explicit-collections",
              "tasks that call `System.gc()`",
              step -> new PlantedCode.Collecting()),
          PlantedFault.of("thread-pools", "jobs that call others in a pool of one thread")
              .servers(
                  Servers.of(region(512, "") + property("publicThreadPoolSize", "1"))
                      .flags(PlantedFault.ownClasses()))
              .load(call(PlantedCode.Nested::new))
              .threads(4),
          PlantedFault.of("thread-pools", "jobs that wait for a slow service, without a queue")
              .servers(Servers.WITH_CODE)
              .load(call(PlantedCode.Calling::new))
              .threads(16),
          PlantedFault.of("recorded-events", "cache events that are recorded and listened to")
              .servers(Servers.of(region(512, "") + EVENTS).flags(PlantedFault.ownClasses()))
              .load(PlantedFault.MIX));

  private static PlantedFault configured(String check, String planted, String properties) {
    return PlantedFault.of(check, planted).servers(Servers.of(properties));
  }

  private static String property(String name, String value) {
    return "<property name=\"%s\" value=\"%s\"/>".formatted(name, value);
  }

  /** Tasks on all servers; they may never end. */
  private static PlantedFault inTasks(
      String check, String planted, LongFunction<IgniteRunnable> task) {
    return PlantedFault.of(check, planted)
        .servers(Servers.WITH_CODE.flags(GC_LOG))
        .load(
            (application, step) ->
                application
                    .client()
                    .compute(application.client().cluster().forServers())
                    .broadcastAsync(task.apply(step))
                    .get(3, TimeUnit.SECONDS))
        .threads(6);
  }

  /** Jobs on one server each; they may never end. */
  private static Step call(Supplier<IgniteCallable<Integer>> job) {
    return (application, step) ->
        application
            .client()
            .compute(application.client().cluster().forServers())
            .callAsync(job.get())
            .get(3, TimeUnit.SECONDS);
  }

  static void fill(Application application, long step, int records) {
    Map<Object, Object> some = new TreeMap<>();
    for (long i = 0; i < records; i++) {
      some.put(step * records + i, value(1_000));
    }
    application.cache().putAll(some);
  }

  /** Many writes wait for the servers at any time. */
  static void manyAtOnce(Application application, long step) throws InterruptedException {
    Map<Object, Object> some = new TreeMap<>();
    for (int i = 0; i < 50; i++) {
      some.put(key(), value(2_000));
    }
    application.free().acquire();
    application.cache().putAllAsync(some).listen(ended -> application.free().release());
  }
}
