package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.affinity.Affinity;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server leaves and takes the only copies of its partitions with it. */
@Timeout(120)
class PartitionLossIT extends OnSharedCluster {
  private static final long KEYS = 1_500;

  @BeforeAll
  static void loseAServer() throws Exception {
    for (String client : new String[] {"thick", "thin"}) {
      for (PartitionLossPolicy policy :
          List.of(PartitionLossPolicy.READ_WRITE_SAFE, PartitionLossPolicy.READ_ONLY_SAFE)) {
        thick.createCache(
            TestCluster.<Long, Object>cache(client + policy)
                .setBackups(0)
                .setPartitionLossPolicy(policy));
      }
    }
    cluster.kill(2);
    Eventually.holds("left", () -> thick.cluster().forServers().nodes().size() == 2);
  }

  private static IgniteWriter<Long, Object> writer(String client, PartitionLossPolicy policy) {
    return OnSharedCluster.<Long, Object>to(client.equals("thin"), client + policy).open();
  }

  /** Writes all keys, and returns the failures by key. */
  private static Map<Long, WriteFailedException> write(IgniteWriter<Long, Object> writer)
      throws Exception {
    Map<Long, CompletableFuture<Void>> writes = new TreeMap<>();
    for (long key = 0; key < KEYS; key++) {
      writes.put(key, writer.write(key, "v"));
    }
    writer.flushAsync().handle((done, error) -> error).get(60, TimeUnit.SECONDS);
    Map<Long, WriteFailedException> failed = new TreeMap<>();
    writes.forEach(
        (key, write) -> {
          assertThat(write).isDone();
          if (write.isCompletedExceptionally()) {
            Throwable error = write.handle((done, e) -> e).join();
            failed.put(key, (WriteFailedException) Fault.unwrapped(error));
          }
        });
    return failed;
  }

  @ParameterizedTest
  @CsvSource({
    "thick, READ_WRITE_SAFE",
    "thin, READ_WRITE_SAFE",
    "thick, READ_ONLY_SAFE",
    "thin, READ_ONLY_SAFE"
  })
  void writesThatIgniteRefusesFailAloneAndSucceedWhenLostPartitionsAreReset(
      String client, PartitionLossPolicy policy) throws Exception {
    String name = client + policy;
    IgniteCache<Long, Object> cache = thick.cache(name);
    Eventually.holds("lost", () -> !cache.lostPartitions().isEmpty());
    Collection<Integer> lost = Set.copyOf(cache.lostPartitions());
    Affinity<Long> affinity = thick.affinity(name);
    boolean all = policy == PartitionLossPolicy.READ_ONLY_SAFE;
    try (IgniteWriter<Long, Object> writer = writer(client, policy)) {
      Map<Long, WriteFailedException> failed = write(writer);
      for (long key = 0; key < KEYS; key++) {
        assertThat(failed.containsKey(key))
            .as("key %s failed", key)
            .isEqualTo(all || lost.contains(affinity.partition(key)));
      }
      assertThat(failed.values().stream().map(WriterException::isRetriable).distinct())
          .as("a thin client is not told why")
          .containsExactly(client.equals("thick"));
      assertThat(writer.stats().keysInDoubt()).isZero();
      thick.resetLostPartitions(Set.of(name));
      assertThat(write(writer)).isEmpty();
    }
    assertThat(cache.size()).isEqualTo((int) KEYS);
  }
}
