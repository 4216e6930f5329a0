package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When metrics of servers alone make checks speak, and when they must not. */
class MetricChecksTest {
  /**
   * @param metrics of both servers, each with its values in one sample after the other; those of a
   *     thread pool begin with its constant
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a queue that lasts   | striped-pool   | STRIPED.TotalQueueSize 90 500 80 70 95
          a burst              | ''             | STRIPED.TotalQueueSize 0 500 0 0 0
          tasks of 100 ms      | slow-cache-operations | STRIPED.TaskExecutionTime_100_500 10 80
          tasks of 50 ms       | ''             | STRIPED.TaskExecutionTime_50_100 0 5000
          few tasks of 100 ms  | ''             | STRIPED.TaskExecutionTime_100_500 0 4
          no job ends          | thread-pools.stuck | PUBLIC.CorePoolSize 2, PUBLIC.ActiveCount 2 2 2, PUBLIC.QueueSize 10, PUBLIC.CompletedTaskCount 7 7 7
          jobs wait            | thread-pools   | PUBLIC.CorePoolSize 2, PUBLIC.ActiveCount 2 2 2, PUBLIC.QueueSize 10, PUBLIC.CompletedTaskCount 7 9 12
          threads are free     | ''             | PUBLIC.CorePoolSize 2, PUBLIC.ActiveCount 2 0 2, PUBLIC.QueueSize 10, PUBLIC.CompletedTaskCount 7 9 12
          busy machine         | server-cpu     | sys.CpuLoad 0.45 0.46
          idle machine         | ''             | sys.CpuLoad 0.2 0.3
          region nearly full   | region-nearly-full | io.dataregion.default.TotalUsedSize 90e6 95e6
          caches come and go   | partition-map-exchange.caches | pyrometer.cache-exchanges 2 6 10 14
          caches of one rollout | ''            | pyrometer.cache-exchanges 2 62 62 62
          few caches           | ''             | pyrometer.cache-exchanges 2 3 4 5
          partition is lost    | lost-partitions | cacheGroups.orders.MinimumNumberOfPartitionCopies 0 0
          partitions have copies | ''           | cacheGroups.orders.MinimumNumberOfPartitionCopies 2 2
          machine stops        | pauses.stopped | ignite.longJVMPausesCount 0 3, ignite.longJVMPausesTotalDuration 0 6000, sys.GcCpuLoad 0.01
          collections pause    | heap pauses    | ignite.longJVMPausesCount 0 3, ignite.longJVMPausesTotalDuration 0 6000, sys.GcCpuLoad 0.2
          application waits    | long-transactions.application | tx.txCommits 0 50, tx.totalNodeUserTime 0 100000, tx.totalNodeSystemTime 0 1000, tx.TransactionsHoldingLockNumber 6
          without locks        | ''             | tx.txCommits 0 50, tx.totalNodeUserTime 0 100000, tx.totalNodeSystemTime 0 1000
          short transactions   | ''             | tx.txCommits 0 5000, tx.totalNodeUserTime 0 100000, tx.TransactionsHoldingLockNumber 6
          each has its key     | ''             | tx.TransactionsHoldingLockNumber 12 11, tx.LockedKeysNumber 12 30
          waiting for one key  | contended-keys | tx.TransactionsHoldingLockNumber 12 11, tx.LockedKeysNumber 1 1
          keys of other server | ''             | tx.TransactionsHoldingLockNumber 12 11, tx.LockedKeysNumber 8 8, tx.OwnerTransactionsNumber 8 8
          misses               | partition-awareness | client.connector.AffinityKeyRequestsMisses 0 800, client.connector.AffinityKeyRequestsHits 0 800
          few misses           | ''             | client.connector.AffinityKeyRequestsMisses 0 100
          puts one by one      | small-writes   | cache.orders.CachePuts 0 9000, io.communication.ReceivedMessagesCount 0 9000
          keys are skipped     | skipped-keys   | STREAMER.TotalCompletedTasksCount 0 200, cache.orders.OffHeapPrimaryEntriesCount 900
          keys are new         | ''             | STREAMER.TotalCompletedTasksCount 0 200, cache.orders.OffHeapPrimaryEntriesCount 900 990
          few buffers          | ''             | STREAMER.TotalCompletedTasksCount 0 20, cache.orders.OffHeapPrimaryEntriesCount 900
          streamer that removes | ''            | STREAMER.TotalCompletedTasksCount 0 200, cache.orders.OffHeapPrimaryEntriesCount 900, cache.orders.CacheRemovals 0 500
          batches              | ''             | cache.orders.CachePuts 0 9000, io.communication.ReceivedMessagesCount 0 2000
          few puts             | ''             | cache.orders.CachePuts 0 90, io.communication.ReceivedMessagesCount 0 9000
          """)
  void metricsThemselvesAreJudged(String what, String found, String metrics) {
    assertThat(judged(new ObservedCluster(), metrics)).isEqualTo(found);
  }

  /** As by default; messages are those of gets (116), puts (125), copies (-36) and buffers (62). */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          passed on to others  | partition-awareness small-writes | client.connector.thin.ActiveSessions 2, THIN.CompletedTaskCount 0 9000, communication.tcp.receivedMessagesByType.125 0 4500
          jobs may put         | small-writes   | client.connector.thin.ActiveSessions 2, THIN.CompletedTaskCount 0 9000, communication.tcp.receivedMessagesByType.125 0 4500, PUBLIC.CompletedTaskCount 0 4000
          few are passed on    | ''             | client.connector.thin.ActiveSessions 2, THIN.CompletedTaskCount 0 9000, communication.tcp.receivedMessagesByType.125 0 600
          small buffers        | small-writes.buffers | communication.tcp.receivedMessagesByType.62 0 5000, communication.tcp.receivedMessagesCount 0 6000, communication.tcp.receivedBytes 0 3500000
          full buffers         | ''             | communication.tcp.receivedMessagesByType.62 0 5000, communication.tcp.receivedMessagesCount 0 6000, communication.tcp.receivedBytes 0 600000000
          copies one by one    | streamer-receiver | STREAMER.TotalCompletedTasksCount 0 200, communication.tcp.receivedMessagesByType.-36 0 9000
          copies of puts       | small-writes   | STREAMER.TotalCompletedTasksCount 0 200, communication.tcp.receivedMessagesByType.-36 0 9000, communication.tcp.receivedMessagesByType.125 0 9000
          """)
  void messagesAreJudgedWhereCachesCountNothing(String what, String found, String metrics) {
    ObservedCluster cluster =
        new ObservedCluster()
            .metric("cache.orders.OffHeapPrimaryEntriesCount", 900)
            .with(ObservedCluster.cache().setStatisticsEnabled(false));
    assertThat(judged(cluster, metrics)).isEqualTo(found);
  }

  /** The ids of what is found in a cluster with metrics, separated by spaces. */
  private static String judged(ObservedCluster cluster, String metrics) {
    for (String metric : metrics.split(", ", -1)) {
      String name = metric.substring(0, metric.indexOf(' '));
      for (ThreadPool pool : ThreadPool.values()) {
        name = name.replace(pool.name() + ".", pool.metric(""));
      }
      cluster.metric(
          name, Stream.of(metric.split(" ", -1)).skip(1).mapToDouble(Double::valueOf).toArray());
    }
    return String.join(" ", ObservedCluster.ids(cluster));
  }
}
