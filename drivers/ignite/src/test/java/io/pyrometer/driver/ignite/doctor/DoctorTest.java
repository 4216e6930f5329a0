package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.cache;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.checks;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.ids;
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

  @Test
  void pagesThatAreReadFromDiskShowARegionThatIsTooSmall() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("io.statistics.hashIndexes.orders.HASH_PK.PHYSICAL_READS_LEAF", 0, 5_000)
            .metric("io.dataregion.default.TotalAllocatedSize", 900_000_000, 950_000_000);
    assertThat(found(cluster)).as("in memory").isEmpty();
    cluster.region().setPersistenceEnabled(true);
    assertThat(ids(cluster)).contains("page-replacement.counted");
    cluster.metric("io.statistics.hashIndexes.orders.HASH_PK.PHYSICAL_READS_LEAF", 0, 0);
    assertThat(ids(cluster)).as("new data alone").contains("page-replacement.stored");
    cluster.metric("io.dataregion.default.TotalAllocatedSize", 90_000_000, 90_000_000);
    assertThat(found(cluster)).as("after a restart").doesNotContain("page-replacement");
  }

  @ParameterizedTest
  @CsvSource({
    "keysCount=1; implicit=true, keysCount=1; implicit=true, transactional-single-writes",
    "keysCount=1; implicit=true, keysCount=12; implicit=true, ''",
    "keysCount=1; implicit=false, keysCount=1; implicit=false, ''"
  })
  void transactionsOfOneEntryAreToldFromThoseThatMayReadAndChange(
      String one, String last, String found) {
    ObservedCluster cluster = new ObservedCluster().with(transactional());
    cluster.configuration.put("TransactionConfiguration.TxTimeoutOnPartitionMapExchange", "5000");
    IntStream.range(0, 10).forEach(i -> cluster.view(Observation.TRANSACTIONS, one + "; xid=" + i));
    cluster.view(Observation.TRANSACTIONS, last + "; xid=last");
    assertThat(String.join(",", found(cluster))).isEqualTo(found);
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
  void aLongTransactionIsCountedOnceHoweverOftenItIsSeen() {
    ObservedCluster cluster =
        new ObservedCluster()
            .view(Observation.TRANSACTIONS, "xid=a; keysCount=3; duration=9000")
            .view(Observation.TRANSACTIONS, "xid=a; keysCount=3; duration=11000")
            .view(Observation.TRANSACTIONS, "xid=a; keysCount=3; duration=13000");
    assertThat(found(cluster)).containsExactly("long-transactions");
    assertThat(report(cluster).diagnoses().get(0).values())
        .containsEntry("transactions", Value.count(1));
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
    String call = "keysCount=9; duration=12000; implicit=true; implicitSingle=false";
    ObservedCluster cluster =
        new ObservedCluster().view(Observation.TRANSACTIONS, call + "; xid=a");
    assertThat(found(cluster)).as("one may be long").isEmpty();
    cluster.view(Observation.TRANSACTIONS, call + "; xid=b");
    assertThat(found(cluster)).containsExactly("unordered-put-all");
    ObservedCluster slow =
        new ObservedCluster()
            .view(Observation.TRANSACTIONS, call + "; duration=6000; xid=a")
            .view(Observation.TRANSACTIONS, call + "; duration=6000; xid=b");
    assertThat(found(slow)).as("they ended meanwhile").isEmpty();
    ObservedCluster single =
        new ObservedCluster()
            .view(Observation.TRANSACTIONS, call + "; implicitSingle=true; xid=a")
            .view(Observation.TRANSACTIONS, call + "; implicitSingle=true; xid=b");
    assertThat(found(single)).as("no transaction holds the lock").containsExactly("explicit-locks");
    single.view(Observation.TRANSACTIONS, call + "; implicitSingle=true; implicit=false; xid=c");
    assertThat(found(single)).containsExactly("long-transactions");
  }

  @Test
  void aCallOfAClientIsNoTransactionThatItsServersTakeForOne() {
    String ofServer = "implicit=false; duration=12000; originatingNodeId=client";
    String ofClient = ofServer + "; implicit=true; implicitSingle=false; near=true";
    ObservedCluster cluster =
        new ObservedCluster()
            .view(Observation.TRANSACTIONS, ofServer + "; xid=a")
            .view(Observation.TRANSACTIONS, ofServer + "; xid=b");
    assertThat(found(cluster)).containsExactly("long-transactions");
    cluster
        .view(Observation.CLIENT_TRANSACTIONS, ofClient + "; xid=c")
        .view(Observation.CLIENT_TRANSACTIONS, ofClient + "; xid=d");
    assertThat(found(cluster)).containsExactly("unordered-put-all");
    ObservedCluster thin =
        new ObservedCluster()
            .view(Observation.TRANSACTIONS, ofServer + "; xid=a")
            .view(Observation.TRANSACTIONS, ofClient + "; xid=b");
    assertThat(found(thin)).as("one long call of a thin client").isEmpty();
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
            .metric(TransactionChecks.LOCKED_KEYS, 1, 1)
            .view(Observation.TRANSACTIONS, "xid=a; keysCount=1; duration=13000");
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
