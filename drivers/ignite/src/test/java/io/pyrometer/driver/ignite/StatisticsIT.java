package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.Poll;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.IgniteNodeAttributes;
import org.apache.ignite.internal.processors.performancestatistics.PerformanceStatisticsProcessor;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.transactions.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults planted into a cluster of two stock servers are found in what it recorded of itself. */
@Tag("extended")
class StatisticsIT {
  private static final Duration RECORDED = Duration.ofSeconds(8);
  private static final int ITEMS = 12_000;

  @TempDir static Path folder;

  private static StockNode first;
  private static StockNode second;
  private static Ignite client;
  private static IgniteClient thin;

  /** A step of an application's thread. */
  interface Step {
    void run(long step) throws Exception;
  }

  @BeforeAll
  static void start() throws Exception {
    String properties = "<property name=\"publicThreadPoolSize\" value=\"2\"/>";
    String flags = PlantedFault.ownClasses();
    first = StockNode.start(folder.resolve("first"), properties, flags, Optional.empty());
    second = StockNode.start(folder.resolve("second"), properties, flags, Optional.of(first));
    client = Ignition.start(first.client("application"));
    thin =
        Ignition.startClient(
            new ClientConfiguration()
                .setAddresses(
                    client.cluster().forServers().nodes().stream()
                        .map(node -> "127.0.0.1:" + node.attribute("clientListenerPort"))
                        .toArray(String[]::new)));
    IgniteCache<Object, Object> orders = client.createCache("orders");
    IntStream.range(0, 1_000).forEach(key -> orders.put(key, "x".repeat(100)));
    client.createCache(
        new CacheConfiguration<Object, Object>("accounts")
            .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    sql("create table ITEMS (ID int primary key, CUSTOMER int, PRICE int)");
    sql("create index BY_PRICE on ITEMS (PRICE)");
    for (int from = 0; from < ITEMS; from += 1_000) {
      StringBuilder rows = new StringBuilder();
      for (int id = from; id < from + 1_000; id++) {
        rows.append(id == from ? "" : ", ").append("(%d, %d, %d)".formatted(id, id % 500, id));
      }
      sql("insert into ITEMS (ID, CUSTOMER, PRICE) values " + rows);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    second.signal("-CONT");
    thin.close();
    client.close();
    first.close();
    second.close();
  }

  @Test
  void aHealthyClusterHasNoFinding() throws Exception {
    HealthReport report =
        examine(
            "healthy",
            step -> {
              Map<Object, Object> some = new TreeMap<>();
              IntStream.range(0, 20).forEach(i -> some.put((int) (step * 20 + i) % 1_000, "y"));
              IgniteCache<Object, Object> orders = client.cache("orders");
              orders.putAll(some);
              orders.getAll(some.keySet());
            },
            step -> {
              Map<Object, Object> some = Map.of(1, "a", 2, "b");
              thin.cache("orders").getAll(some.keySet());
              sql("select ID from ITEMS where PRICE = ?", (int) step % ITEMS);
            },
            step -> {
              transfer(true);
              TimeUnit.MILLISECONDS.sleep(10);
            },
            step -> client.compute(client.cluster().forServers()).call(new PlantedCode.Counting()));
    assertThat(report.diagnoses()).isEmpty();
    assertThat(report.unjudged()).isEmpty();
    assertThat(report.tables()).hasSize(2);
  }

  @Test
  void plantedCausesAreFound() throws Exception {
    IgniteCache<Object, Object> orders = client.cache("orders");
    HealthReport report =
        examine(
            "planted",
            step -> IntStream.range(0, 50).forEach(orders::get),
            step -> IntStream.range(0, 50).forEach(orders::get),
            step -> {
              sql("select ID from ITEMS where CUSTOMER = ?", (int) step % 500);
              TimeUnit.MILLISECONDS.sleep(50);
            },
            step -> {
              transfer(step % 10 > 0);
              TimeUnit.MILLISECONDS.sleep(20);
            },
            step -> {
              List<IgniteFuture<?>> jobs = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                jobs.add(
                    client
                        .compute(client.cluster().forServers())
                        .runAsync(() -> LockSupport.parkNanos(20_000_000)));
              }
              jobs.forEach(IgniteFuture::get);
              TimeUnit.MILLISECONDS.sleep(200);
            });
    assertThat(ids(report))
        .contains(
            "doctor.missing-index",
            "doctor.single-gets",
            "doctor.rolled-back-transactions",
            "doctor.thread-pools.jobs");
    assertThat(report.diagnoses())
        .filteredOn(found -> found.check().equals("missing-index"))
        .allMatch(found -> found.remedy().orElse("").contains("CREATE INDEX ON ITEMS (CUSTOMER)"));
  }

  @Test
  void aServerThatIsPausedIsFound() throws Exception {
    ClientCache<Object, Object> orders = thin.cache("orders");
    HealthReport report =
        examine(
            "slow",
            step -> orders.get((int) step % 1_000),
            step -> orders.get((int) (step * 7) % 1_000),
            step -> client.compute(client.cluster().forServers()).run(() -> {}),
            step -> {
              second.signal("-STOP");
              TimeUnit.MILLISECONDS.sleep(480);
              second.signal("-CONT");
              TimeUnit.MILLISECONDS.sleep(20);
            });
    String id = idOfSecond();
    assertThat(report.diagnoses())
        .filteredOn(found -> found.check().equals("uneven-load"))
        .isNotEmpty()
        .allMatch(found -> found.sentence().contains(id));
  }

  @Test
  void aSessionThatEndsStopsItsRecordingAndNoOther() throws Exception {
    PerformanceStatisticsProcessor recording =
        ((IgniteEx) client).context().performanceStatistics();
    GridSession observer = new IgniteDriver().openSession(first.attaching());
    Thread examining =
        new Thread(() -> observer.examineStatistics(Duration.ofMinutes(5), folder + "/ended"));
    examining.setUncaughtExceptionHandler((thread, ended) -> {});
    examining.start();
    assertThat(Poll.until(Duration.ofSeconds(30), recording::enabled)).isTrue();
    observer.close();
    assertThat(Poll.until(Duration.ofSeconds(30), () -> !recording.enabled())).isTrue();
    examining.interrupt();
    recording.startCollectStatistics();
    assertThat(Poll.until(Duration.ofSeconds(30), recording::enabled)).isTrue();
    try (GridSession other = new IgniteDriver().openSession(first.attaching())) {
      try {
        HealthReport read = other.examineStatistics(Duration.ofMillis(1), folder + "/of-others");
        assertThat(read.unjudged()).containsKey("statistics-from-before");
      } catch (GridException none) {
        // Records may all be in the buffers of the nodes yet.
        assertThat(none).hasMessageContaining("no record yet");
      }
      assertThat(recording.enabled()).isTrue();
    } finally {
      recording.stopCollectStatistics();
    }
    assertThat(Poll.until(Duration.ofSeconds(30), () -> !recording.enabled())).isTrue();
    Path unused = move("others");
  }

  private static String idOfSecond() {
    return client.cluster().forServers().nodes().stream()
        .filter(
            node ->
                String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_PID))
                    .equals(String.valueOf(second.pid())))
        .map(node -> node.id().toString().substring(0, 8))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> ids(HealthReport report) {
    return report.diagnoses().stream().map(Diagnosis::id).toList();
  }

  private static void transfer(boolean commit) {
    try (Transaction open = client.transactions().txStart()) {
      client.cache("accounts").put(1, 1);
      client.cache("accounts").put(2, 2);
      if (commit) {
        open.commit();
      }
    }
  }

  private static void sql(String text, Object... arguments) {
    List<List<?>> unused =
        thin.query(new SqlFieldsQuery(text).setSchema("PUBLIC").setArgs(arguments)).getAll();
  }

  /** The report of the live recording; that of its files alone, moved away, must be the same. */
  private static HealthReport examine(String name, Step... steps) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(steps.length);
    List<Future<?>> running = new ArrayList<>();
    try (GridSession observer = new IgniteDriver().openSession(first.attaching())) {
      for (Step step : steps) {
        running.add(threads.submit(() -> repeat(step, ended)));
      }
      HealthReport report =
          observer.examineStatistics(RECORDED, folder.resolve(name + "-live").toString());
      ended.set(true);
      for (Future<?> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
      assertThat(((IgniteEx) client).context().performanceStatistics().enabled()).isFalse();
      HealthReport moved = new IgniteDriver().examine(move(name).toString());
      assertThat(ids(moved)).isEqualTo(ids(report));
      return moved;
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
  }

  private static Void repeat(Step step, AtomicBoolean ended) throws Exception {
    for (long i = 0; !ended.get(); i++) {
      step.run(i);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return null;
  }

  /** Moves the files of all nodes into one folder, some of them compressed. */
  private static Path move(String name) throws IOException {
    Path to = Files.createDirectories(folder.resolve(name));
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(each -> each.toString().contains("perf_stat/node-")).toList()) {
        if (file.toString().contains("/second/")) {
          try (OutputStream out =
              new GZIPOutputStream(Files.newOutputStream(to.resolve(file.getFileName() + ".gz")))) {
            long unused = Files.copy(file, out);
          }
          Files.delete(file);
        } else {
          Path unused = Files.move(file, to.resolve(file.getFileName()));
        }
      }
    }
    return to;
  }
}
