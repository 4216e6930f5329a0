package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.cache;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.report;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.transactional;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Map;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counters tell of how clients read and write. */
class ClientChecksTest {
  @Test
  void missesOfThinClientsCountFromTwoServersOn() {
    ObservedCluster cluster =
        new ObservedCluster().metric("client.connector.AffinityKeyRequestsMisses", 0, 1_600);
    assertThat(report(cluster).diagnoses().get(0).evidence().get(0).value()).isEqualTo("3,200");
    assertThat(found(cluster.of(1))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"thin, 4, true", "jdbc, 7, false", "jdbc, 8, true"})
  void connectionsThatChooseAServerMayAllChooseOne(String kind, double number, boolean found) {
    String sessions = "client.connector." + kind + ".ActiveSessions";
    ObservedCluster cluster = new ObservedCluster().metric(sessions, 0, 0);
    cluster.ofFirst.put(sessions, number);
    assertThat(found(cluster).contains("thin-clients-of-one-server")).isEqualTo(found);
  }

  @Test
  void connectionsThatEndSoonExplainRequestsToTheWrongServer() {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("client.connector.AffinityKeyRequestsMisses", 0, 800)
            .metric("client.connector.AffinityKeyRequestsHits", 0, 800)
            .metric("client.connector.thin.AcceptedSessions", 100, 900)
            .metric("threadPools.GridThinClientExecutor.CompletedTaskCount", 0, 4_000);
    assertThat(found(cluster)).containsExactly("short-lived-connections");
    assertThat(report(cluster).diagnoses().get(0).values())
        .containsEntry("connections", Value.count(1_600))
        .containsEntry("requests", Value.number(3));
    assertThat(report(cluster).unjudged())
        .containsKeys("partition-awareness", "thin-clients-of-one-server");
    cluster.metric("threadPools.GridThinClientExecutor.CompletedTaskCount", 0, 40_000);
    assertThat(found(cluster)).as("they last").containsExactly("partition-awareness");
    cluster
        .metric("threadPools.GridThinClientExecutor.CompletedTaskCount", 0, 100)
        .metric("client.connector.thin.AcceptedSessions", 100, 120);
    assertThat(found(cluster)).as("they are few").containsExactly("partition-awareness");
  }

  @Test
  void rowsThatAreInsertedOneByOneAreSmallWrites() {
    for (int times : new int[] {9_000, 900}) {
      ObservedCluster cluster = new ObservedCluster();
      cluster.view(
          Observation.STATEMENTS, "sql=insert into T values(?, ?); executionsSince=" + times);
      assertThat(found(cluster).contains("small-writes")).isEqualTo(times == 9_000);
    }
  }

  @Test
  void operationsThatCannotBeToldApartAreNotHealthy() {
    ObservedCluster mixed =
        new ObservedCluster()
            .metric("cache.orders.CachePuts", 0, 9_000)
            .metric("cache.orders.CacheGets", 0, 9_000)
            .metric("io.communication.ReceivedMessagesCount", 0, 18_000);
    assertThat(report(mixed).unjudged()).containsKeys("single-gets", "small-writes");
    ObservedCluster transactional =
        new ObservedCluster().metric("cache.orders.CachePuts", 0, 9_000).with(transactional());
    assertThat(report(transactional).unjudged()).containsKey("small-writes");
  }

  @Test
  void oneCacheThatCountsSaysNothingOfAnother() {
    ObservedCluster cluster =
        new ObservedCluster().metric("client.connector.thin.ActiveSessions", 2, 2);
    assertThat(report(cluster).healthy()).contains("single-gets", "partition-awareness");
    cluster.caches.add(
        new CacheConfiguration<>(cache()).setName("other").setStatisticsEnabled(false));
    for (String check : List.of("single-gets", "small-writes", "partition-awareness")) {
      assertThat(report(cluster).unjudged())
          .containsEntry(
              check, new Unjudged("statistics", Map.of("caches", Value.names(List.of("other")))));
    }
    cluster.metric("cache.other.OffHeapPrimaryEntriesCount", 0, 0);
    assertThat(report(cluster).healthy()).as("it is empty").contains("single-gets");
  }

  @Test
  void keysThatMayBeSkippedUnseenAreNotHealthy() {
    ObservedCluster expiring =
        streaming()
            .with(cache().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ONE_DAY)));
    assertThat(found(expiring)).isEmpty();
    assertThat(report(expiring).unjudged())
        .containsEntry(
            "skipped-keys",
            new Unjudged("expiry", Map.of("caches", Value.names(List.of("orders")))));
    ObservedCluster uncounted = streaming().with(cache().setStatisticsEnabled(false));
    assertThat(report(uncounted).unjudged()).containsKey("skipped-keys");
    assertThat(found(uncounted.metric("cache.orders.OffHeapPrimaryEntriesCount", 0, 0)))
        .as("the empty cache has no keys to skip")
        .containsExactly("skipped-keys");
  }

  private static ObservedCluster streaming() {
    return new ObservedCluster()
        .metric("threadPools.GridDataStreamExecutor.TotalCompletedTasksCount", 0, 200)
        .metric("cache.orders.OffHeapPrimaryEntriesCount", 900, 900);
  }

  @Test
  void recordsAreSkippedWithoutStatisticsWhereThreadsAreSeenToSkipThem() {
    ObservedCluster cluster = streaming().with(cache().setStatisticsEnabled(false));
    assertThat(report(cluster).unjudged()).containsKey("skipped-keys");
    cluster.dumped(
        """
        "data-streamer-stripe-1-#18" #33 daemon prio=5
           java.lang.Thread.State: RUNNABLE
        \tat org.apache.ignite.internal.processors.datastreamer.DataStreamerImpl$IsolatedUpdater.receive(DataStreamerImpl.java:2150)
        """);
    assertThat(found(cluster)).containsExactly("skipped-keys");
  }
}
