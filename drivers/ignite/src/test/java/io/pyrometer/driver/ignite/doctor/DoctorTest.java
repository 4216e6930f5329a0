package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.cache;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.checks;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.report;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.transactional;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.junit.jupiter.api.Test;

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
  void everyDiagnosisHasWords() {
    Messages messages = Messages.bundled();
    for (Check check : Doctor.CHECKS) {
      String id = Diagnosis.id(check.name());
      List<String> ids =
          messages.ids().stream()
              .filter(each -> each.equals(id) || each.startsWith(id + "."))
              .toList();
      assertThat(ids).as(check.name()).isNotEmpty();
      assertThat(ids)
          .allSatisfy(
              each -> {
                for (String part : List.of("", ".cause", ".remedy", ".meaning")) {
                  assertThat(messages.template(each + part)).as(each + part).isPresent();
                }
                assertThat(Check.explaining(each)).as("declared: " + each).isNotNull();
              });
    }
  }

  @Test
  void aClusterWithoutFaultsHasNoneAndEveryCheckIsAccountedFor() {
    HealthReport report = report(new ObservedCluster());
    assertThat(report.diagnoses()).isEmpty();
    assertThat(report.healthy().size() + report.unjudged().size()).isEqualTo(Doctor.CHECKS.size());
  }

  @Test
  void aFileHasNothingForTheChecksOfAClusterAndSaysSo() {
    HealthReport report =
        Doctor.examine(
            new IgniteConfiguration().setCacheConfiguration(cache().setBackups(0)), "ignite.xml");
    assertThat(checks(report)).containsExactly("region-of-default-size", "backups");
    assertThat(report.unjudged()).containsEntry("heap", new Unjudged("cluster", Map.of()));
    assertThat(report.healthy()).doesNotContain("heap");
    assertThat(report.subject()).isEqualTo("ignite.xml with 1 cache");
  }

  @Test
  void staleReadsNeedABackupThatIsReadAndAWriteThatDoesNotWaitForIt() {
    CacheWriteSynchronizationMode primary = CacheWriteSynchronizationMode.PRIMARY_SYNC;
    assertThat(ofCache(cache().setWriteSynchronizationMode(primary)))
        .containsExactly("stale-backup-reads");
    assertThat(ofCache(cache().setWriteSynchronizationMode(primary).setReadFromBackup(false)))
        .isEmpty();
    assertThat(ofCache(cache().setWriteSynchronizationMode(primary).setBackups(0)))
        .containsExactly("backups");
    assertThat(
            found(new ObservedCluster().of(1).with(cache().setWriteSynchronizationMode(primary))))
        .isEmpty();
    assertThat(
            ofCache(
                cache()
                    .setCacheMode(CacheMode.REPLICATED)
                    .setBackups(0)
                    .setWriteSynchronizationMode(primary)))
        .containsExactly("stale-backup-reads");
  }

  @Test
  void writesThatWaitForNoServerAreARiskWhereverReadsGo() {
    CacheWriteSynchronizationMode none = CacheWriteSynchronizationMode.FULL_ASYNC;
    assertThat(ofCache(cache().setWriteSynchronizationMode(none).setReadFromBackup(false)))
        .containsExactly("asynchronous-writes");
    assertThat(ofCache(cache().setWriteSynchronizationMode(none)))
        .containsExactlyInAnyOrder("asynchronous-writes", "stale-backup-reads");
  }

  @Test
  void anExpiryFromCreationIsNoExpiryOnAccess() {
    assertThat(
            ofCache(
                cache().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_DAY))))
        .isEmpty();
  }

  @Test
  void anIndexOfTextHasNoLengthThatItsInlineSizeMustHave() {
    QueryEntity entity =
        new QueryEntity(Long.class.getName(), "Order")
            .setFields(
                new LinkedHashMap<>(
                    Map.of("id", "java.util.UUID", "name", "java.lang.String", "n", "int")));
    assertThat(ofCache(cache().setQueryEntities(List.of(indexed(entity, "id", 10)))))
        .containsExactly("index-inline-size");
    for (String field : List.of("id", "name", "n")) {
      assertThat(ofCache(cache().setQueryEntities(List.of(indexed(entity, field, -1)))))
          .as("by default")
          .isEmpty();
    }
    assertThat(ofCache(cache().setQueryEntities(List.of(indexed(entity, "name", 10))))).isEmpty();
  }

  private static QueryEntity indexed(QueryEntity entity, String field, int inlineSize) {
    return new QueryEntity(entity)
        .setIndexes(List.of(new QueryIndex(field).setInlineSize(inlineSize)));
  }

  @Test
  void aFullRegionIsAProblemOnlyWhereNothingMakesRoom() {
    ObservedCluster full = new ObservedCluster().metric(REGION + "TotalUsedSize", 90e6, 95e6);
    assertThat(found(full)).containsExactly("region-nearly-full");
    assertThat(report(full).diagnoses().get(0).values()).containsEntry("full", Value.seconds(10));
    full.region().setPageEvictionMode(DataPageEvictionMode.RANDOM_LRU);
    assertThat(found(full)).containsExactly("page-eviction");
    ObservedCluster half = new ObservedCluster().metric(REGION + "TotalUsedSize", 50e6, 50e6);
    half.region().setPageEvictionMode(DataPageEvictionMode.RANDOM_LRU);
    assertThat(found(half)).isEmpty();
  }

  @Test
  void memoryOfOneMachineIsThatOfAllItsServers() {
    ObservedCluster cluster = new ObservedCluster().metric("sys.memory.heap.max", 4e9, 4e9);
    cluster.attributes.put("org.apache.ignite.phy.ram", 16_000_000_000L);
    assertThat(found(cluster)).isEmpty();
    assertThat(found(cluster.of(4))).containsExactly("memory-of-hosts");
  }

  @Test
  void theModesOfTheLogAreToldByWhatTheyLose() {
    for (WALMode mode : WALMode.values()) {
      ObservedCluster cluster = new ObservedCluster();
      cluster.region().setPersistenceEnabled(true).setMetricsEnabled(true);
      cluster.storage.setWalMode(mode);
      cluster.configuration.put("DataStorageConfiguration.MetricsEnabled", "true");
      List<Diagnosis> found = report(cluster).diagnoses();
      switch (mode) {
        case LOG_ONLY -> assertThat(found).isEmpty();
        case FSYNC, DEFAULT -> {
          assertThat(found).allMatch(each -> each.severity() == Severity.ADVICE);
        }
        default -> assertThat(found).allMatch(each -> each.severity() == Severity.RISK);
      }
    }
  }

  @Test
  void theSystemOfAnotherMachineIsNotKnown() {
    ObservedCluster here = new ObservedCluster();
    here.host = Map.of("vm.swappiness", "60", "transparent_hugepage", "[always] madvise never");
    assertThat(found(here)).containsExactly("huge-pages");
    here.region().setPersistenceEnabled(true).setMetricsEnabled(true);
    assertThat(found(here)).contains("operating-system");
    here.host = Map.of();
    assertThat(report(here).unjudged()).containsKeys("operating-system", "huge-pages");
  }

  @Test
  void countersThatAreOffAreNotHealth() {
    ObservedCluster cluster = new ObservedCluster();
    cluster.region().setPersistenceEnabled(true);
    cluster.caches.set(0, cache().setStatisticsEnabled(false));
    Map<String, Unjudged> unjudged = report(cluster).unjudged();
    assertThat(unjudged)
        .containsKeys("page-replacement", "wal-fsync-time", "checkpoint-buffer", "single-gets")
        .containsKeys("slow-cache-operations", "deadlock");
    assertThat(report(cluster).healthy()).doesNotContainAnyElementsOf(unjudged.keySet());
  }

  @Test
  void aCheckThatFailsIsNotMadeAndTheOthersAre() {
    HealthReport report =
        report(
            new ObservedCluster()
                .with(
                    cache()
                        .setBackups(0)
                        .setExpiryPolicyFactory(
                            () -> {
                              throw new NoClassDefFoundError("com/mine/Policy");
                            })));
    assertThat(report.unjudged()).containsKey("expiry-on-access");
    assertThat(checks(report)).containsExactly("backups");
  }

  @Test
  void aQueueIsAProblemIfItLasts() {
    assertThat(found(new ObservedCluster().metric(STRIPED + "TotalQueueSize", 0, 500, 0, 0, 0)))
        .isEmpty();
    assertThat(found(new ObservedCluster().metric(STRIPED + "TotalQueueSize", 90, 500, 80, 70, 95)))
        .containsExactly("striped-pool");
  }

  @Test
  void whatIsTrueOfSeveralServersIsOneDiagnosis() {
    ObservedCluster cluster =
        new ObservedCluster().of(3).metric(STRIPED + "TotalQueueSize", 90, 95);
    assertThat(report(cluster).diagnoses())
        .singleElement()
        .satisfies(
            found ->
                assertThat(found.values())
                    .containsEntry("servers", Value.names(List.of("s0", "s1", "s2"))));
  }

  @Test
  void oneStripeIsHotIfMostOfManyWaitingTasksAreItsOwnAndNoLackOfThreads() {
    assertThat(found(new ObservedCluster().queued(1, 2, 30, 3))).containsExactly("hot-stripe");
    assertThat(found(new ObservedCluster().queued(0, 0, 4, 0))).isEmpty();
    assertThat(found(new ObservedCluster().queued(30, 0, 30, 0))).isEmpty();
    ObservedCluster queue = new ObservedCluster().of(1).metric(STRIPED + "TotalQueueSize", 90, 95);
    assertThat(found(queue.queued(1, 2, 30, 3))).containsExactly("hot-stripe");
    assertThat(found(queue.metric(STRIPED + "StripesCount", 1, 1).queued(50)))
        .as("of one")
        .containsExactly("striped-pool");
  }

  @Test
  void serversThatUseAllCpusOfTheirMachineAreAdvice() {
    assertThat(found(new ObservedCluster().metric("sys.CpuLoad", 0.45, 0.46)))
        .containsExactly("server-cpu");
    assertThat(found(new ObservedCluster().metric("sys.CpuLoad", 0.2, 0.3))).isEmpty();
  }

  @Test
  void cachesThatComeAndGoAreFoundAndThoseOfADeploymentAreNot() {
    String exchanges = Observation.CACHE_EXCHANGES;
    ObservedCluster jobs = new ObservedCluster().metric(exchanges, 2, 6, 10, 14);
    assertThat(report(jobs).diagnoses())
        .extracting(Diagnosis::id)
        .containsExactly("doctor.partition-map-exchange.caches");
    assertThat(found(jobs.metric(exchanges, 2, 62, 62, 62))).as("of one deployment").isEmpty();
    assertThat(found(jobs.metric(exchanges, 2, 3, 4, 5))).as("few").isEmpty();
  }

  @Test
  void aServerIsSlowIfEachOfItsAnswersTakesMuchLonger() {
    String millis = Observation.ANSWER_MILLIS;
    ObservedCluster cluster = new ObservedCluster().metric(millis, 40, 60);
    cluster.ofFirst.put(millis, 600.0);
    assertThat(found(cluster)).containsExactly("uneven-load");
    cluster.ofFirst.put(millis, 200.0);
    assertThat(found(cluster)).as("a few times").isEmpty();
    cluster.metric(millis, 1, 1).ofFirst.put(millis, 30.0);
    assertThat(found(cluster)).as("a few milliseconds").isEmpty();
    assertThat(found(cluster.of(1))).as("of one server").isEmpty();
  }

  @Test
  void bytesAreSkewedIfOneServerHasMoreAndEntriesAreNot() {
    String used = REGION + "TotalUsedSize";
    ObservedCluster cluster = new ObservedCluster().metric(used, 50e6, 50e6);
    assertThat(found(cluster)).isEmpty();
    cluster.ofFirst.put(used, 75e6);
    assertThat(found(cluster)).containsExactly("skewed-memory");
    cluster.ofFirst.put(used, 58e6);
    assertThat(found(cluster)).as("a little").isEmpty();
    cluster.ofFirst.put(used, 75e6);
    cluster.ofFirst.put("cache.orders.OffHeapPrimaryEntriesCount", 40_000.0);
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 20_000, 20_000);
    assertThat(found(cluster)).containsExactly("skewed-entries");
  }

  /** Of 256 partitions on 2 servers the counts vary by 9 %, of 5 by 63 %, of 1,024 by 4 %. */
  @Test
  void entriesThatVaryNoMoreThanPartitionsDoByChanceAreAdvice() {
    Diagnosis many = skewed(256, 110_000, 90_000);
    assertThat(many.severity()).isEqualTo(Severity.ADVICE);
    assertThat(many.change()).containsExactly(new Change("partitions", "256", "1024"));
    Diagnosis few = skewed(5, 120_000, 80_000);
    assertThat(few.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(few.change()).containsExactly(new Change("partitions", "5", "1024"));
    Diagnosis ofKeys = skewed(1_024, 120_000, 80_000);
    assertThat(ofKeys.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(ofKeys.id()).isEqualTo("doctor.skewed-entries");
  }

  private static Diagnosis skewed(int partitions, double first, double second) {
    String entries = "cache.orders.OffHeapPrimaryEntriesCount";
    ObservedCluster cluster = new ObservedCluster().metric(entries, second, second);
    cluster.ofFirst.put(entries, first);
    cluster.caches.forEach(
        cache -> cache.setAffinity(new RendezvousAffinityFunction(false, partitions)));
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("skewed-entries");
    return report.diagnoses().get(0);
  }

  @Test
  void aPoolIsStuckOnlyIfNoTaskOfItEnds() {
    String pool = "threadPools.GridExecutionExecutor.";
    ObservedCluster stuck =
        new ObservedCluster()
            .metric(pool + "CorePoolSize", 2, 2, 2)
            .metric(pool + "ActiveCount", 2, 2, 2)
            .metric(pool + "QueueSize", 10, 10, 10)
            .metric(pool + "CompletedTaskCount", 7, 7, 7);
    assertThat(report(stuck).diagnoses().get(0).id()).isEqualTo("doctor.thread-pools.stuck");
    ObservedCluster slow = stuck.metric(pool + "CompletedTaskCount", 7, 9, 12);
    assertThat(report(slow).diagnoses().get(0).id()).isEqualTo("doctor.thread-pools");
    assertThat(found(slow.metric(pool + "ActiveCount", 2, 0, 2))).isEmpty();
  }

  @Test
  void slowTasksOfTheStripedPoolAreCountedFrom100Milliseconds() {
    String time = STRIPED + "TaskExecutionTime";
    ObservedCluster cluster =
        new ObservedCluster().metric(time + "_50_100", 0, 5_000).metric(time + "_100_500", 0, 4);
    assertThat(found(cluster)).isEmpty();
    assertThat(found(cluster.metric(time + "_100_500", 10, 80)))
        .containsExactly("slow-cache-operations");
  }

  @Test
  void tasksOf10MillisecondsAreSlowIfThreadsAreSeenToWaitInCodeOfTheUsers() {
    String waiting =
        """
        "sys-stripe-1-#2" #16 prio=5
           java.lang.Thread.State: TIMED_WAITING (sleeping)
        \tat java.lang.Thread.sleep(java.base@17/Native Method)
        \tat shop.Discount.process(Discount.java:12)
        """;
    String idle =
        IntStream.range(0, 15)
            .mapToObj(
                i ->
                    """
                    "sys-stripe-%1$d-#3" #%1$d prio=5
                       java.lang.Thread.State: WAITING (parking)
                    \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
                    """
                        .formatted(20 + i))
            .collect(Collectors.joining());
    ObservedCluster cluster =
        new ObservedCluster()
            .metric(STRIPED + "StripesCount", 8, 8)
            .dumped(waiting + idle, waiting.replace("stripe-1-", "stripe-2-") + idle);
    assertThat(found(cluster)).as("by chance").isEmpty();
    assertThat(found(cluster.metric(STRIPED + "TaskExecutionTime_10_50", 0, 900)))
        .containsExactly("slow-cache-operations");
  }

  private static List<String> ids(ObservedCluster cluster) {
    return report(cluster).diagnoses().stream().map(Diagnosis::id).toList();
  }

  @Test
  void pagesThatAreReadFromDiskShowARegionThatIsTooSmall() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("io.statistics.hashIndexes.orders.HASH_PK.PHYSICAL_READS_LEAF", 0, 5_000)
            .metric("io.dataregion.default.TotalAllocatedSize", 900_000_000, 950_000_000);
    assertThat(found(cluster)).as("in memory").isEmpty();
    cluster.region().setPersistenceEnabled(true);
    assertThat(ids(cluster)).contains("doctor.page-replacement.counted");
    cluster.metric("io.statistics.hashIndexes.orders.HASH_PK.PHYSICAL_READS_LEAF", 0, 0);
    assertThat(ids(cluster)).as("new data alone").contains("doctor.page-replacement.stored");
    cluster.metric("io.dataregion.default.TotalAllocatedSize", 90_000_000, 90_000_000);
    assertThat(found(cluster)).as("after a restart").doesNotContain("page-replacement");
  }

  @Test
  void transactionsOfOneEntryAreToldFromLargerOnes() {
    ObservedCluster cluster = new ObservedCluster().with(transactional());
    cluster.configuration.put("TransactionConfiguration.TxTimeoutOnPartitionMapExchange", "5000");
    IntStream.range(0, 10)
        .forEach(i -> cluster.view(Observation.TRANSACTIONS, transaction("" + i, "1", true)));
    assertThat(found(cluster)).containsExactly("transactional-single-writes");
    cluster.view(Observation.TRANSACTIONS, transaction("last", "12", true));
    assertThat(found(cluster)).isEmpty();
    cluster.views.clear();
    IntStream.range(0, 10)
        .forEach(i -> cluster.view(Observation.TRANSACTIONS, transaction("" + i, "1", false)));
    assertThat(found(cluster)).as("it may read and change an entry under its lock").isEmpty();
  }

  private static Map<String, String> transaction(String id, String keys, boolean implicit) {
    return Map.of("xid", id, "keysCount", keys, "implicit", "" + implicit);
  }

  @Test
  void whatWasNotCountedIsNotHealthy() {
    ObservedCluster cluster = new ObservedCluster().with(transactional());
    assertThat(report(cluster).unjudged())
        .containsKeys("transactional-single-writes", "skewed-entries");
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 20_000, 20_000);
    assertThat(report(cluster).healthy()).contains("skewed-entries");
  }

  @Test
  void transactionsWhoseApplicationWaitsHoldTheirLocks() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("tx.txCommits", 0, 50)
            .metric("tx.totalNodeUserTime", 0, 100_000)
            .metric("tx.totalNodeSystemTime", 0, 1_000)
            .metric("tx.TransactionsHoldingLockNumber", 6, 6);
    assertThat(report(cluster).diagnoses())
        .extracting(Diagnosis::id)
        .containsExactly("doctor.long-transactions.application");
    assertThat(found(cluster.metric("tx.TransactionsHoldingLockNumber", 0, 0)))
        .as("no locks are held")
        .isEmpty();
    cluster.metric("tx.TransactionsHoldingLockNumber", 6, 6).metric("tx.txCommits", 0, 5_000);
    assertThat(found(cluster)).as("short ones").isEmpty();
  }

  @Test
  void pausesThatCollectionsDoNotExplainAreThoseOfTheMachine() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("ignite.longJVMPausesCount", 0, 3)
            .metric("ignite.longJVMPausesTotalDuration", 0, 6_000)
            .metric("sys.GcCpuLoad", 0.2, 0.2);
    assertThat(report(cluster).diagnoses())
        .extracting(Diagnosis::id)
        .doesNotContain("doctor.pauses.stopped");
    cluster.metric("sys.GcCpuLoad", 0.01, 0.01);
    assertThat(report(cluster).diagnoses())
        .extracting(Diagnosis::id)
        .containsExactly("doctor.pauses.stopped");
  }

  @Test
  void aLongTransactionIsCountedOnceHoweverOftenItIsSeen() {
    ObservedCluster cluster = new ObservedCluster();
    for (int millis : new int[] {9_000, 11_000, 13_000}) {
      cluster.view(
          Observation.TRANSACTIONS, Map.of("xid", "a", "keysCount", "3", "duration", "" + millis));
    }
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("long-transactions");
    assertThat(report.diagnoses().get(0).values()).containsEntry("transactions", Value.count(1));
  }

  @Test
  void transactionsThatOutnumberTheLockedKeysWaitForEachOther() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric(TransactionChecks.LOCKING, 12, 11)
            .metric(TransactionChecks.LOCKED_KEYS, 12, 30);
    assertThat(found(cluster)).as("each has its own").isEmpty();
    cluster.metric(TransactionChecks.LOCKED_KEYS, 1, 1);
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("contended-keys");
    assertThat(report.diagnoses().get(0).severity()).isEqualTo(Severity.PROBLEM);
    // Each of two servers began eight for thin clients, and half of their keys are the other's.
    cluster.metric(TransactionChecks.LOCKED_KEYS, 8, 8).metric("tx.OwnerTransactionsNumber", 8, 8);
    assertThat(found(cluster)).as("they hold keys of the other").isEmpty();
  }

  @Test
  void aCounterThatTheFirstSampleLacksGrewFromZero() {
    Map<String, Object> later = Map.of("puts", 5.0);
    assertThat(observed(List.of(Map.of(), later)).growth("puts")).isEqualTo(5);
    assertThat(observed(List.of(later)).growth("puts")).as("nothing is known before").isZero();
  }

  private static Server observed(List<Map<String, Object>> samples) {
    return new Server("s", "", 2, Map.of(), Map.of(), Optional.empty(), samples);
  }

  @Test
  void callsOfSeveralKeysThatDoNotEndLockThemInDifferentOrders() {
    Map<String, String> call =
        Map.of(
            "keysCount", "9", "duration", "12000", "implicit", "true", "implicitSingle", "false");
    ObservedCluster cluster = new ObservedCluster();
    cluster.view(Observation.TRANSACTIONS, with(call, "xid", "a"));
    assertThat(found(cluster)).as("one may be long").isEmpty();
    cluster.view(Observation.TRANSACTIONS, with(call, "xid", "b"));
    assertThat(found(cluster)).containsExactly("unordered-put-all");
    ObservedCluster slow = new ObservedCluster();
    for (String xid : List.of("a", "b")) {
      slow.view(Observation.TRANSACTIONS, with(with(call, "duration", "6000"), "xid", xid));
    }
    assertThat(found(slow)).as("they ended meanwhile").isEmpty();
    ObservedCluster single = new ObservedCluster();
    single.view(Observation.TRANSACTIONS, with(with(call, "implicitSingle", "true"), "xid", "a"));
    single.view(Observation.TRANSACTIONS, with(with(call, "implicitSingle", "true"), "xid", "b"));
    assertThat(found(single)).as("no transaction holds the lock").containsExactly("explicit-locks");
    single.view(Observation.TRANSACTIONS, with(with(call, "implicit", "false"), "xid", "c"));
    assertThat(found(single)).containsExactly("long-transactions");
  }

  @Test
  void aCallOfAClientIsNoTransactionThatItsServersTakeForOne() {
    Map<String, String> ofServer =
        Map.of("implicit", "false", "duration", "12000", "originatingNodeId", "client");
    Map<String, String> ofClient =
        Map.of(
            "implicit",
            "true",
            "implicitSingle",
            "false",
            "duration",
            "12000",
            "near",
            "true",
            "originatingNodeId",
            "client");
    ObservedCluster cluster = new ObservedCluster();
    for (String xid : List.of("a", "b")) {
      cluster.view(Observation.TRANSACTIONS, with(ofServer, "xid", xid));
    }
    assertThat(found(cluster)).containsExactly("long-transactions");
    for (String xid : List.of("c", "d")) {
      cluster.view(Observation.CLIENT_TRANSACTIONS, with(ofClient, "xid", xid));
    }
    assertThat(found(cluster)).containsExactly("unordered-put-all");
    ObservedCluster thin = new ObservedCluster();
    thin.view(Observation.TRANSACTIONS, with(ofServer, "xid", "a"));
    thin.view(Observation.TRANSACTIONS, with(ofClient, "xid", "b"));
    assertThat(found(thin)).as("one long call of a thin client").isEmpty();
  }

  private static Map<String, String> with(Map<String, String> row, String name, String value) {
    Map<String, String> changed = new HashMap<>(row);
    changed.put(name, value);
    return changed;
  }

  @Test
  void problemsComeBeforeRisksAndTheLargestShareFirst() {
    ObservedCluster cluster =
        new ObservedCluster()
            .with(cache().setBackups(0))
            .metric("sys.GcCpuLoad", 0.05, 0.05)
            .metric("sys.memory.heap.max", 1e9, 1e9)
            .metric("client.connector.AffinityKeyRequestsMisses", 0, 8_000);
    assertThat(found(cluster)).startsWith("partition-awareness", "heap").endsWith("backups");
  }

  @Test
  void aTransactionThatStaysOpenExplainsThoseThatWait() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric(TransactionChecks.LOCKING, 12, 11)
            .metric(TransactionChecks.LOCKED_KEYS, 1, 1);
    cluster.view(
        Observation.TRANSACTIONS, Map.of("xid", "a", "keysCount", "1", "duration", "13000"));
    List<Diagnosis> found = report(cluster).diagnoses();
    assertThat(found)
        .extracting(Diagnosis::check)
        .containsExactly("long-transactions", "contended-keys");
    assertThat(found.get(1).explainedBy()).hasValue("doctor.long-transactions");
  }

  private static List<String> ofCache(CacheConfiguration<Object, Object> cache) {
    return found(new ObservedCluster().with(cache));
  }
}
