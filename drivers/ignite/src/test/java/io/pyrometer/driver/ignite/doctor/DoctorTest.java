package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the checks speak, and when they must not. */
class DoctorTest {
  private static final String REGION = "io.dataregion.default.";
  private static final String STRIPED = "threadPools.StripedExecutor.";

  @Test
  void everyCheckHasANameOfItsOwnAndAPage() {
    assertThat(Doctor.CHECKS).extracting(Check::name).doesNotHaveDuplicates();
    assertThat(Doctor.CHECKS)
        .allMatch(check -> check.source().startsWith("https://ignite.apache.org/docs/"));
    assertThat(Doctor.CHECKS).hasSizeGreaterThanOrEqualTo(30);
  }

  @Test
  void aClusterWithoutFaultsHasNoneAndEveryCheckIsAccountedFor() {
    HealthReport report = report(new Cluster());
    assertThat(report.diagnoses()).isEmpty();
    assertThat(report.healthy().size() + report.notMade().size()).isEqualTo(Doctor.CHECKS.size());
  }

  @Test
  void aFileHasNothingForTheChecksOfAClusterAndSaysSo() {
    HealthReport report =
        Doctor.examine(
            new IgniteConfiguration().setCacheConfiguration(cache().setBackups(0)), "ignite.xml");
    assertThat(checks(report)).containsExactly("backups", "region-of-default-size");
    assertThat(report.notMade()).containsEntry("heap", "needs a running cluster");
    assertThat(report.healthy()).doesNotContain("heap");
    assertThat(report.subject()).isEqualTo("ignite.xml with 1 cache");
  }

  @Test
  void staleReadsNeedABackupThatIsReadAndAWriteThatDoesNotWaitForIt() {
    CacheWriteSynchronizationMode primary = CacheWriteSynchronizationMode.PRIMARY_SYNC;
    assertThat(found(cache().setWriteSynchronizationMode(primary)))
        .containsExactly("stale-backup-reads");
    assertThat(found(cache().setWriteSynchronizationMode(primary).setReadFromBackup(false)))
        .isEmpty();
    assertThat(found(cache().setWriteSynchronizationMode(primary).setBackups(0)))
        .containsExactly("backups");
    assertThat(
            checks(report(new Cluster().of(1).with(cache().setWriteSynchronizationMode(primary)))))
        .isEmpty();
    assertThat(
            found(
                cache()
                    .setCacheMode(CacheMode.REPLICATED)
                    .setBackups(0)
                    .setWriteSynchronizationMode(primary)))
        .containsExactly("stale-backup-reads");
  }

  @Test
  void anExpiryFromCreationIsNoExpiryOnAccess() {
    assertThat(
            found(cache().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_DAY))))
        .isEmpty();
  }

  @Test
  void anIndexOfTextHasNoLengthThatItsInlineSizeMustHave() {
    QueryEntity entity =
        new QueryEntity(Long.class.getName(), "Order")
            .setFields(
                new LinkedHashMap<>(
                    Map.of("id", "java.util.UUID", "name", "java.lang.String", "n", "int")));
    assertThat(found(cache().setQueryEntities(List.of(indexed(entity, "id")))))
        .containsExactly("index-inline-size");
    assertThat(found(cache().setQueryEntities(List.of(indexed(entity, "name"))))).isEmpty();
    assertThat(found(cache().setQueryEntities(List.of(indexed(entity, "n"))))).isEmpty();
  }

  private static QueryEntity indexed(QueryEntity entity, String field) {
    return new QueryEntity(entity).setIndexes(List.of(new QueryIndex(field)));
  }

  @Test
  void aFullRegionIsAProblemOnlyWhereNothingMakesRoom() {
    Cluster full = new Cluster().metric(REGION + "TotalUsedSize", 90e6, 95e6);
    assertThat(checks(report(full))).containsExactly("region-nearly-full");
    assertThat(report(full).diagnoses().get(0).impact())
        .hasValueSatisfying(text -> assertThat(text).contains("full in 10 s"));
    full.region().setPageEvictionMode(DataPageEvictionMode.RANDOM_LRU);
    assertThat(checks(report(full))).containsExactly("page-eviction");
    Cluster half = new Cluster().metric(REGION + "TotalUsedSize", 50e6, 50e6);
    half.region().setPageEvictionMode(DataPageEvictionMode.RANDOM_LRU);
    assertThat(checks(report(half))).isEmpty();
  }

  @Test
  void memoryOfOneMachineIsThatOfAllItsServers() {
    Cluster cluster = new Cluster().metric("sys.memory.heap.max", 4e9, 4e9);
    cluster.attributes.put("org.apache.ignite.phy.ram", 16_000_000_000L);
    assertThat(checks(report(cluster))).isEmpty();
    assertThat(checks(report(cluster.of(4)))).containsExactly("memory-of-hosts");
  }

  @Test
  void theModesOfTheLogAreToldByWhatTheyLose() {
    for (WALMode mode : WALMode.values()) {
      Cluster cluster = new Cluster();
      cluster.region().setPersistenceEnabled(true).setMetricsEnabled(true);
      cluster.storage.setWalMode(mode);
      cluster.configuration.put("DataStorageConfiguration.MetricsEnabled", "true");
      List<Diagnosis> found = report(cluster).diagnoses();
      switch (mode) {
        case LOG_ONLY -> assertThat(found).isEmpty();
        case FSYNC, DEFAULT -> {
          assertThat(found).allMatch(each -> each.severity() == Severity.ADVICE);
          assertThat(found).allMatch(each -> each.loses().isPresent());
        }
        default -> assertThat(found).allMatch(each -> each.severity() == Severity.RISK);
      }
    }
  }

  @Test
  void theSystemOfAnotherMachineIsNotKnown() {
    Cluster here = new Cluster();
    here.host = Map.of("vm.swappiness", "60", "transparent_hugepage", "[always] madvise never");
    assertThat(checks(report(here))).containsExactly("huge-pages");
    here.region().setPersistenceEnabled(true).setMetricsEnabled(true);
    assertThat(checks(report(here))).contains("operating-system");
    here.host = Map.of();
    assertThat(report(here).notMade()).containsKeys("operating-system", "huge-pages");
  }

  @Test
  void countersThatAreOffAreNotHealth() {
    Cluster cluster = new Cluster();
    cluster.region().setPersistenceEnabled(true);
    cluster.caches.set(0, cache().setStatisticsEnabled(false));
    Map<String, String> notMade = report(cluster).notMade();
    assertThat(notMade)
        .containsKeys("page-replacement", "wal-fsync-time", "checkpoint-buffer", "single-gets");
    assertThat(report(cluster).healthy()).doesNotContainAnyElementsOf(notMade.keySet());
  }

  @Test
  void aCheckThatFailsIsNotMadeAndTheOthersAre() {
    HealthReport report =
        report(
            new Cluster()
                .with(
                    cache()
                        .setBackups(0)
                        .setExpiryPolicyFactory(
                            () -> {
                              throw new NoClassDefFoundError("com/mine/Policy");
                            })));
    assertThat(report.notMade()).containsEntry("expiry-on-access", "failed: com/mine/Policy");
    assertThat(checks(report)).containsExactly("backups");
  }

  @Test
  void aQueueIsAProblemIfItLasts() {
    assertThat(checks(report(new Cluster().metric(STRIPED + "TotalQueueSize", 0, 500, 0, 0, 0))))
        .isEmpty();
    assertThat(
            checks(report(new Cluster().metric(STRIPED + "TotalQueueSize", 90, 500, 80, 70, 95))))
        .containsExactly("striped-pool");
  }

  @Test
  void whatIsTrueOfSeveralServersIsOneDiagnosis() {
    Cluster cluster = new Cluster().of(3).metric(STRIPED + "TotalQueueSize", 90, 95);
    assertThat(report(cluster).diagnoses())
        .singleElement()
        .satisfies(found -> assertThat(found.symptom()).endsWith("The same is true of s1, s2."));
  }

  @Test
  void aQueueOfOneStripeIsNoLackOfThreads() {
    Cluster cluster =
        new Cluster().of(1).metric(STRIPED + "TotalQueueSize", 90, 95).queued(3, 100, 20);
    assertThat(checks(report(cluster))).containsExactly("hot-stripe");
  }

  @Test
  void aPoolIsStuckOnlyIfNoTaskOfItEnds() {
    String pool = "threadPools.GridExecutionExecutor.";
    Cluster stuck =
        new Cluster()
            .metric(pool + "CorePoolSize", 2, 2, 2)
            .metric(pool + "ActiveCount", 2, 2, 2)
            .metric(pool + "QueueSize", 10, 10, 10)
            .metric(pool + "CompletedTaskCount", 7, 7, 7);
    assertThat(report(stuck).diagnoses().get(0).symptom()).contains("none has ended a task");
    Cluster slow = stuck.metric(pool + "CompletedTaskCount", 7, 9, 12);
    assertThat(report(slow).diagnoses().get(0).symptom()).startsWith("Tasks wait for a thread");
    assertThat(checks(report(slow.metric(pool + "ActiveCount", 2, 0, 2)))).isEmpty();
  }

  @Test
  void oneStripeIsHotIfMostOfManyWaitingTasksAreItsOwn() {
    assertThat(checks(report(new Cluster().queued(3, 100, 20)))).containsExactly("hot-stripe");
    assertThat(checks(report(new Cluster().queued(3, 30, 0)))).isEmpty();
    assertThat(checks(report(new Cluster().queued(3, 60, 60)))).isEmpty();
  }

  @Test
  void missesOfThinClientsCountFromTwoServersOn() {
    Cluster cluster =
        new Cluster()
            .metric("client.connector.AffinityKeyRequestsMisses", 0, 800)
            .metric("client.connector.AffinityKeyRequestsHits", 0, 800);
    assertThat(checks(report(cluster))).containsExactly("partition-awareness");
    assertThat(report(cluster).diagnoses().get(0).evidence().get(0).value()).isEqualTo("1,600");
    assertThat(checks(report(cluster.of(1)))).isEmpty();
    Cluster few = new Cluster().metric("client.connector.AffinityKeyRequestsMisses", 0, 100);
    assertThat(checks(report(few))).isEmpty();
  }

  @Test
  void slowTasksOfTheStripedPoolAreCountedFrom100Milliseconds() {
    String time = STRIPED + "TaskExecutionTime";
    Cluster cluster =
        new Cluster().metric(time + "_50_100", 0, 5_000).metric(time + "_100_500", 0, 4);
    assertThat(checks(report(cluster))).isEmpty();
    assertThat(checks(report(cluster.metric(time + "_100_500", 10, 80))))
        .containsExactly("slow-cache-operations");
  }

  @Test
  void transactionsOfOneEntryAreToldFromLargerOnes() {
    Cluster cluster =
        new Cluster().with(cache().setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    cluster.configuration.put("TransactionConfiguration.TxTimeoutOnPartitionMapExchange", "5000");
    IntStream.range(0, 10)
        .forEach(
            i -> cluster.view(Observation.TRANSACTIONS, Map.of("xid", "" + i, "keysCount", "1")));
    assertThat(checks(report(cluster))).containsExactly("transactional-single-writes");
    cluster.view(Observation.TRANSACTIONS, Map.of("xid", "last", "keysCount", "12"));
    assertThat(checks(report(cluster))).isEmpty();
  }

  @Test
  void whatWasNotCountedIsNotHealthy() {
    Cluster cluster =
        new Cluster().with(cache().setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    assertThat(report(cluster).notMade())
        .containsKeys("transactional-single-writes", "skewed-entries");
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 20_000, 20_000);
    assertThat(report(cluster).healthy()).contains("skewed-entries");
  }

  @Test
  void aLongTransactionIsCountedOnceHoweverOftenItIsSeen() {
    Cluster cluster = new Cluster();
    for (int millis : new int[] {9_000, 11_000, 13_000}) {
      cluster.view(
          Observation.TRANSACTIONS, Map.of("xid", "a", "keysCount", "3", "duration", "" + millis));
    }
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("long-transactions");
    assertThat(report.diagnoses().get(0).symptom()).startsWith("1 transaction has been open");
  }

  @Test
  void callsOfSeveralKeysThatDoNotEndLockThemInDifferentOrders() {
    Map<String, String> call =
        Map.of(
            "keysCount", "9", "duration", "12000", "implicit", "true", "implicitSingle", "false");
    Cluster cluster = new Cluster();
    cluster.view(Observation.TRANSACTIONS, with(call, "xid", "a"));
    assertThat(checks(report(cluster))).as("one may be long").isEmpty();
    cluster.view(Observation.TRANSACTIONS, with(call, "xid", "b"));
    assertThat(checks(report(cluster))).containsExactly("unordered-put-all");
    Cluster single = new Cluster();
    single.view(Observation.TRANSACTIONS, with(with(call, "implicitSingle", "true"), "xid", "a"));
    single.view(Observation.TRANSACTIONS, with(with(call, "implicitSingle", "true"), "xid", "b"));
    assertThat(checks(report(single))).containsExactly("long-transactions");
  }

  private static Map<String, String> with(Map<String, String> row, String name, String value) {
    Map<String, String> changed = new HashMap<>(row);
    changed.put(name, value);
    return changed;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select c.NAME from ORDERS o join CUSTOMER c on o.CUSTOMER = c.ID | ''",
        "select c.NAME from ORDERS o join CUSTOMER c on o.NOTE = c.NAME | non-collocated-join",
        "select * from Orders o, PUBLIC.Customer AS c where o.id = c.id and o.N > 1 | non-collocated-join",
        "select * from Orders o, Customer c where o.id = c.id and c.Id = o.customer | ''",
        "select * from ORDERS o join COUNTRY x on o.NOTE = x.NAME | ''",
        "select * from ORDERS a join ORDERS b on a.NOTE = b.NOTE | ''",
        "select NOTE, CUSTOMER from ORDERS where NOTE = 'a.b = c.d' | ''"
      })
  void aJoinMustUseTheAffinityKeysOfPartitionedTables(String sql, String found) {
    Cluster cluster = new Cluster();
    cluster.caches.add(new CacheConfiguration<>(cache()).setName("customers"));
    cluster.caches.add(
        new CacheConfiguration<>(cache()).setName("countries").setCacheMode(CacheMode.REPLICATED));
    table(cluster, "ORDERS", "orders", "CUSTOMER", "");
    table(cluster, "CUSTOMER", "customers", "_KEY", "ID");
    table(cluster, "COUNTRY", "countries", "_KEY", "ID");
    cluster.view(Observation.STATEMENTS, Map.of("sql", sql));
    assertThat(String.join(",", checks(report(cluster)))).isEqualTo(found);
    assertThat(checks(report(cluster.of(1)))).as("of one server").isEmpty();
  }

  private static void table(
      Cluster cluster, String name, String cache, String affinityKey, String keyAlias) {
    cluster.view(
        Observation.TABLES,
        Map.of(
            "tableName", name,
            "cacheName", cache,
            "affinityKeyColumn", affinityKey,
            "keyAlias", keyAlias));
  }

  @Test
  void statementsThatDifferInLiteralsAreOne() {
    List<Row> history = new ArrayList<>();
    IntStream.range(0, 60)
        .forEach(
            i ->
                history.add(
                    new Row(
                        "s0",
                        Map.of(
                            "sql",
                            "select * from T where id = " + i + " and n = 'a''" + i + "'"))));
    Cluster cluster = new Cluster();
    cluster.views.put(Observation.STATEMENTS, history);
    assertThat(checks(report(cluster))).containsExactly("sql-literals");
    cluster.views.put(Observation.STATEMENTS, history.subList(0, 40));
    assertThat(checks(report(cluster))).isEmpty();
  }

  @Test
  void problemsComeBeforeRisksAndTheLargestShareFirst() {
    Cluster cluster =
        new Cluster()
            .with(cache().setBackups(0))
            .metric("sys.GcCpuLoad", 0.05, 0.05)
            .metric("sys.memory.heap.max", 1e9, 1e9)
            .metric("client.connector.AffinityKeyRequestsMisses", 0, 8_000);
    assertThat(checks(report(cluster)))
        .startsWith("partition-awareness", "heap")
        .endsWith("backups");
  }

  private static String thread(String name, String state, String... frames) {
    return "\"%s\" #12 prio=5 tid=0x1 nid=0x2 [0x3]%n   java.lang.Thread.State: %s%n%s%n"
        .formatted(
            name,
            state,
            Stream.of(frames).map(frame -> "\t" + frame + "\n").collect(Collectors.joining()));
  }

  private static String sleeping(String name) {
    return thread(
        name,
        "TIMED_WAITING (sleeping)",
        "at java.lang.Thread.sleep(java.base@17/Native Method)",
        "at com.mine.Pricing.process(Pricing.java:42)",
        "at org.apache.ignite.internal.processors.cache.CacheInvokeResult.x(X.java:1)");
  }

  private static String idle(String name) {
    return thread(
        name,
        "WAITING (parking)",
        "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
        "at org.apache.ignite.internal.util.StripedExecutor$Stripe.run(S.java:1)");
  }

  @Test
  void aThreadThatStandsInCodeOfTheUserIsNamedAndIdleOnesAreNot() {
    String idle = idle("sys-stripe-1-#3") + idle("sys-stripe-2-#4") + idle("sys-stripe-3-#5");
    String stuck = sleeping("sys-stripe-0-#2") + idle;
    Cluster cluster = new Cluster().dumped(stuck, stuck, stuck);
    cluster.metric(STRIPED + "TotalQueueSize", 90, 95);
    cluster.dumps.put("s1", cluster.dumps.get("s0"));
    Diagnosis found = report(cluster).diagnoses().get(0);
    assertThat(checks(report(cluster))).containsExactly("slow-cache-operations");
    assertThat(found.evidence())
        .anyMatch(each -> each.value().equals("com.mine.Pricing.process(Pricing.java:42)"));
    assertThat(found.impact()).hasValue("25 % of its threads wait there, in 3 of 3 thread dumps");
    String none = idle("sys-stripe-0-#2") + idle;
    assertThat(checks(report(new Cluster().dumped(none, none, none)))).isEmpty();
    assertThat(checks(report(new Cluster().dumped(none, stuck, none))))
        .as("once is no finding")
        .isEmpty();
    String elsewhere = sleeping("pub-#7") + none;
    assertThat(checks(report(new Cluster().dumped(elsewhere, elsewhere)))).isEmpty();
  }

  @Test
  void aDeadlockIsThatOfTheLastDump() {
    String dump =
        sleeping("pub-#1")
            + """
            Found one Java-level deadlock:
            =============================
            "pub-#1":
              waiting to lock monitor 0x1 (object 0x2, a java.lang.Object),
              which is held by "pub-#2"

            "pub-#2":
              waiting to lock monitor 0x3 (object 0x4, a java.lang.Object),
              which is held by "pub-#1"

            Java stack information for the threads listed above:
            "pub-#9":
            """;
    HealthReport report = report(new Cluster().dumped(dump, dump, dump));
    assertThat(checks(report)).containsExactly("deadlock");
    assertThat(report.diagnoses().get(0).symptom()).startsWith("2 threads of s0");
    assertThat(report.diagnoses().get(0).evidence())
        .anyMatch(each -> each.value().contains("Pricing.java:42"));
    assertThat(checks(report(new Cluster().dumped(dump, idle("pub-#1"))))).isEmpty();
  }

  @Test
  void aLockIsContendedIfThreadsWaitForItInEveryDump() {
    String waiting =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    thread(
                        "pub-#" + i,
                        "BLOCKED (on object monitor)",
                        "at com.mine.Task.run(Task.java:7)",
                        "- waiting to lock <0x00000000e1> (a com.mine.Task)"))
            .collect(Collectors.joining());
    assertThat(checks(report(new Cluster().dumped(waiting, waiting, waiting))))
        .containsExactly("contended-lock");
    assertThat(checks(report(new Cluster().dumped(waiting, idle("pub-#1"), waiting)))).isEmpty();
  }

  @Test
  void aLogOfCollectionsTellsWhatCausedThem() {
    assertThat(
            found(
                "[1.0s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 20M->5M(64M) 3.0ms",
                "[60.0s][info][gc] GC(2) Pause Full (G1 Compaction Pause) 60M->59M(64M) 90.0ms",
                "[90.0s][info][gc] GC(3) Pause Full (G1 Compaction Pause) 60M->59M(64M) 90.0ms"))
        .containsExactly("full-collections");
    assertThat(
            found(
                "[2026-11-26T05:00:00.000+0000][info][gc     ] GC(1) Pause Full (System.gc()) 20M->5M(64M) 30.0ms",
                "[2026-11-26T05:00:50.000+0000][info][gc     ] GC(2) Pause Full (System.gc()) 20M->5M(64M) 30.0ms"))
        .containsExactly("explicit-collections");
    assertThat(
            found(
                "[1.0s][info][gc] GC(1) Pause Full (Metadata GC Threshold) 20M->5M(64M) 30.0ms",
                "[900.0s][info][gc] GC(2) Pause Young (Allocation Failure) 20M->5M(64M) 3.0ms"))
        .isEmpty();
    assertThat(
            found(
                "[1.0s][info][gc] GC(1) Pause Full (System.gc()) 20M->5M(64M) 30.0ms",
                "[900.0s][info][gc] GC(2) Pause Full (System.gc()) 20M->5M(64M) 30.0ms"))
        .as("the first is long ago")
        .isEmpty();
    String large =
        "GC(1) Pause Young (Concurrent Start) (G1 Humongous Allocation) 20M->5M(64M) 2.0ms";
    assertThat(
            found(
                IntStream.range(0, 5)
                    .mapToObj(i -> "[%d.0s][info][gc] %s".formatted(10 + i, large))
                    .toArray(String[]::new)))
        .containsExactly("large-objects");
    assertThat(report(new Cluster()).notMade()).containsKeys("full-collections", "deadlock");
  }

  private static List<String> found(String... lines) {
    return checks(report(new Cluster().logged(lines)));
  }

  private static CacheConfiguration<Object, Object> cache() {
    return new CacheConfiguration<>("orders")
        .setBackups(1)
        .setStatisticsEnabled(true)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
  }

  private static List<String> found(CacheConfiguration<Object, Object> cache) {
    return checks(report(new Cluster().with(cache)));
  }

  private static List<String> checks(HealthReport report) {
    return report.diagnoses().stream().map(Diagnosis::check).distinct().toList();
  }

  private static HealthReport report(Cluster cluster) {
    return Doctor.report(cluster.facts(), "test");
  }

  /** Two equal servers that were observed for 10 s; what a test does not set is as it should be. */
  private static final class Cluster {
    private final Map<String, double[]> metrics = new HashMap<>();
    private final Map<String, String> configuration = new HashMap<>();
    private final Map<String, Object> attributes = new HashMap<>();
    private final Map<String, List<Row>> views = new HashMap<>();
    private final List<CacheConfiguration<?, ?>> caches = new ArrayList<>(List.of(cache()));
    private final DataStorageConfiguration storage = new DataStorageConfiguration();
    private Map<String, String> host =
        Map.of("vm.swappiness", "1", "transparent_hugepage", "always [madvise] never");
    private final Map<String, List<ThreadDump>> dumps = new HashMap<>();
    private final Map<String, GcLog> logs = new HashMap<>();
    private int servers = 2;

    private Cluster() {
      region().setName("default").setMaxSize(100_000_000);
    }

    private DataRegionConfiguration region() {
      return storage.getDefaultDataRegionConfiguration();
    }

    private Cluster of(int number) {
      servers = number;
      return this;
    }

    private Cluster with(CacheConfiguration<Object, Object> cache) {
      caches.set(0, cache);
      return this;
    }

    /** Of every server, sample by sample. */
    private Cluster metric(String name, double... values) {
      metrics.put(name, values);
      return this;
    }

    private Cluster dumped(String... texts) {
      dumps.put("s0", Stream.of(texts).map(ThreadDump::parse).toList());
      return this;
    }

    private Cluster logged(String... lines) {
      logs.put("s0", GcLog.parse(Stream.of(lines)));
      return this;
    }

    private Cluster queued(int stripe, int waiting, int others) {
      IntStream.range(0, waiting).forEach(i -> queue(stripe));
      IntStream.range(0, others).forEach(i -> queue(10 + i % 8));
      return this;
    }

    private void queue(int stripe) {
      view(Observation.QUEUES, Map.of("stripeIndex", "" + stripe));
    }

    private void view(String name, Map<String, String> row) {
      views.computeIfAbsent(name, n -> new ArrayList<>()).add(new Row("s0", row));
    }

    private Facts facts() {
      int samples = metrics.values().stream().mapToInt(values -> values.length).max().orElse(2);
      List<Map<String, Object>> all = new ArrayList<>();
      for (int i = 0; i < samples; i++) {
        Map<String, Object> sample = new HashMap<>();
        int now = i;
        metrics.forEach(
            (name, values) -> sample.put(name, values[Math.min(now, values.length - 1)]));
        all.add(sample);
      }
      return new Facts(
          true,
          10,
          IntStream.range(0, servers)
              .mapToObj(
                  i ->
                      new Server(
                          "s" + i, "host", 4, configuration, attributes, Optional.of(storage), all))
              .toList(),
          caches,
          views,
          host,
          dumps,
          logs);
    }
  }
}
