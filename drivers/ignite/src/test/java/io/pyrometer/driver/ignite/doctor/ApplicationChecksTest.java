package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.checks;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.ids;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Facts.Surroundings;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.message.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.Test;

/** Nodes and machines beside the servers, and the queries and types of an application. */
class ApplicationChecksTest {
  private final ObservedCluster cluster = new ObservedCluster();

  @Test
  void anInactiveClusterIsJudgedByNothingElse() {
    HealthReport report =
        Doctor.report(Facts.inactive(List.of("s0", "s1").stream()), "an inactive cluster");
    assertThat(checks(report)).containsExactly("cluster-state");
    assertThat(report.healthy()).isEmpty();
  }

  @Test
  void aReadOnlyClusterComesBeforeWhatItsWritesSuffer() {
    cluster.metric("tx.txRollbacks", 0, 900).metric("tx.txCommits", 0, 100);
    cluster.around = around("ACTIVE_READ_ONLY", List.of(), Map.of(), Optional.empty());
    assertThat(ids(cluster))
        .containsExactly("cluster-state.read-only", "rolled-back-transactions.counted");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() {
    cluster.around = around("ACTIVE", List.of("s2"), Map.of(), Optional.empty());
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("silent-server");
    assertThat(report.diagnoses().get(0).values())
        .containsEntry("servers", Value.names(List.of("s2")));
  }

  @Test
  void cpusThatOthersUseExplainWhatIsSlow() {
    cluster
        .metric("ignite.longJVMPausesCount", 0, 4)
        .metric("ignite.longJVMPausesTotalDuration", 0, 4_000);
    assertThat(found(cluster)).containsExactly("pauses");
    cluster.around = around(new HostCpu.Use(0.02, 0.1, 0.05, 9));
    assertThat(found(cluster)).as("the grid's own load").containsExactly("pauses");
    cluster.around = around(new HostCpu.Use(0.4, 0.5, 0, 2));
    assertThat(found(cluster)).as("some is free").containsExactly("pauses");
    cluster.around = around(new HostCpu.Use(0.01, 0.5, 0, 12));
    List<Diagnosis> found = report(cluster).diagnoses();
    assertThat(found).extracting(Diagnosis::check).containsExactly("free-cpu", "pauses");
    assertThat(found.get(1).explainedBy()).hasValue("doctor.free-cpu");
  }

  @Test
  void rollbacksOfClientsCount() {
    cluster.metric("tx.txCommits", 0, 100);
    cluster.around = clients(Map.of("tx.txRollbacks", 400.0, "tx.txCommits", 500.0));
    HealthReport report = report(cluster);
    assertThat(checks(report)).containsExactly("rolled-back-transactions");
    assertThat(report.diagnoses().get(0).values())
        .containsEntry("rolledBack", Value.share(400.0 / 1_100));
    cluster.around = clients(Map.of("tx.txRollbacks", 4.0));
    assertThat(found(cluster)).as("few").isEmpty();
  }

  @Test
  void aClientThatDoesNotAnswerExplainsLocksThatOthersWaitFor() {
    cluster.around =
        new Surroundings("ACTIVE", List.of(), List.of("app"), List.of(), Optional.empty());
    cluster.metric(TransactionChecks.LOCKING, 12, 11).metric(TransactionChecks.LOCKED_KEYS, 1, 1);
    List<Diagnosis> found = report(cluster).diagnoses();
    assertThat(found)
        .extracting(Diagnosis::check)
        .containsExactly("silent-client", "contended-keys");
    assertThat(found.get(1).explainedBy()).hasValue("doctor.silent-client");
  }

  @Test
  void aFullHeapOrALargeNearCacheOfAClientIsFound() {
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 20_000, 20_000);
    cluster.around = clients(Map.of("sys.memory.heap.max", 1e9, "sys.memory.heap.used", 0.95e9));
    assertThat(found(cluster)).as("of garbage").isEmpty();
    cluster.around =
        clients(
            Map.of(
                "sys.memory.heap.max", 1e9, "sys.memory.heap.used", 0.95e9, "sys.GcCpuLoad", 0.2));
    assertThat(found(cluster)).containsExactly("client-memory");
    cluster.around = clients(Map.of("cache.orders.near.HeapEntriesCount", 30_000.0));
    assertThat(found(cluster)).containsExactly("near-caches");
    cluster.around = clients(Map.of("cache.orders.near.HeapEntriesCount", 1_000.0));
    assertThat(found(cluster)).as("a limited one").isEmpty();
  }

  @Test
  void scansWithAFilterAreFoundWhereTheyRunAllTheTime() {
    cluster.metric("sys.GcCpuLoad", 0, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
      cluster.view(Observation.SCANS, "cacheName=orders; filter=null; sample=" + i);
    }
    assertThat(found(cluster)).as("an export").isEmpty();
    for (int sample : new int[] {1, 1, 1, 2}) {
      assertThat(found(cluster)).as("in one sample").isEmpty();
      cluster.view(
          Observation.SCANS, "cacheName=orders; filter=com.mine.ById@1f; sample=" + sample);
    }
    assertThat(found(cluster)).containsExactly("scan-queries");
  }

  @Test
  void cursorsThatStayOpenAreThoseThatSeveralSamplesShow() {
    open(30, 60_000);
    assertThat(found(cluster)).as("long queries of one sample").isEmpty();
    open(30, 62_000);
    assertThat(found(cluster)).containsExactly("open-cursors");
  }

  private void open(int queries, int millis) {
    for (int i = 0; i < queries; i++) {
      cluster.view(Observation.RUNNING, "queryId=q" + i + "; sql=select 1; duration=" + millis);
    }
  }

  @Test
  void schemasOfOneTypeAndRecordedEventsAreCounted() {
    cluster.view(Observation.METADATA, "typeName=Order; schemasIds=" + schemas(20));
    assertThat(found(cluster)).isEmpty();
    cluster.view(Observation.METADATA, "typeName=Event; schemasIds=" + schemas(21));
    assertThat(found(cluster)).containsExactly("binary-schemas");
    cluster.views.clear();
    cluster.configuration.put("IncludeEventTypes", "[63, 64]");
    assertThat(found(cluster)).containsExactly("recorded-events");
  }

  @Test
  void entriesThatExpireAtOnceAreMoreThanAFewThatExpireAllTheTime() {
    cluster.with(
        ObservedCluster.cache()
            .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_MINUTE)));
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 99_000, 90_000, 81_000);
    assertThat(found(cluster)).isEmpty();
    cluster.metric("cache.orders.OffHeapPrimaryEntriesCount", 99_000, 2_000, 50_000);
    assertThat(found(cluster)).containsExactly("expiry-at-once");
  }

  @Test
  void aStripeWithMostOfTheCpuTimeOfItsPoolIsHot() {
    String before = stripes(80, 50, 40, 30, 20);
    assertThat(found(cluster.dumped(before, stripes(90, 9_050, 140, 230, 120))))
        .containsExactly("hot-stripe");
    assertThat(found(cluster.dumped(before, stripes(90, 2_050, 2_140, 2_230, 3_120)))).isEmpty();
    assertThat(found(cluster.dumped(before, stripes(90, 350, 50, 40, 30)))).as("idle").isEmpty();
    assertThat(found(cluster.dumped(stripes(90, 9_050, 40, 30, 20)))).as("one dump").isEmpty();
  }

  private static String stripes(int age, double... cpuMillis) {
    return IntStream.range(0, cpuMillis.length)
        .mapToObj(
            i ->
                """
                "sys-stripe-%1$d-#%1$d" #2%1$d prio=5 os_prio=0 cpu=%2$.2fms elapsed=%3$d.06s tid=0x1
                   java.lang.Thread.State: RUNNABLE
                """
                    .formatted(i, cpuMillis[i], age))
        .collect(Collectors.joining());
  }

  private static String schemas(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> String.valueOf(i - 5))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static Surroundings around(HostCpu.Use cpu) {
    return around("ACTIVE", List.of(), Map.of(), Optional.of(cpu));
  }

  private static Surroundings clients(Map<String, Double> metrics) {
    return around("ACTIVE", List.of(), metrics, Optional.empty());
  }

  /** One client whose counters begin with 0, and whose heap is the same in both samples. */
  private static Surroundings around(
      String state, List<String> silent, Map<String, Double> metrics, Optional<HostCpu.Use> cpu) {
    Map<String, Object> first = new HashMap<>();
    metrics.forEach((name, value) -> first.put(name, name.startsWith("tx.") ? 0.0 : value));
    Server client =
        new Server(
            "app",
            "host",
            4,
            Map.of(),
            Map.of(),
            Optional.empty(),
            new ArrayList<>(List.of(first, Map.copyOf(metrics))));
    return new Surroundings(state, silent, List.of(), List.of(client), cpu);
  }
}
