package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.apache.ignite.cluster.ClusterState;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An administrator deactivates the cluster, or makes it read-only, for a while. */
@Timeout(120)
class ClusterStateIT extends OnSharedCluster {
  private static final long KEYS = 1_000;

  private static IgniteWriterBuilder<Long, Object> to(String client, String cache) {
    return to(client.equals("thin"), cache);
  }

  @ParameterizedTest
  @CsvSource({
    "thick, ACTIVE_READ_ONLY",
    "thin, ACTIVE_READ_ONLY",
    "thick, INACTIVE",
    "thin, INACTIVE"
  })
  void writesWaitUntilTheClusterIsActive(String client, ClusterState state) throws Exception {
    String name = client + state;
    thick.createCache(TestCluster.<Long, Object>cache(name).setBackups(1));
    try (IgniteWriter<Long, Object> writer = to(client, name).open()) {
      writer.write(0L, "before").get(60, TimeUnit.SECONDS);
      thick.cluster().state(state);
      List<CompletableFuture<Void>> writes =
          LongStream.range(0, KEYS).mapToObj(key -> writer.write(key, "v")).toList();
      assertThatThrownBy(() -> writer.flushAsync().get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(writes).noneMatch(CompletableFuture::isDone);
      thick.cluster().state(ClusterState.ACTIVE);
      writer.flushAsync().get(60, TimeUnit.SECONDS);
      assertThat(writer.stats().keysInDoubt()).isZero();
    } finally {
      thick.cluster().state(ClusterState.ACTIVE);
    }
    assertThat(thick.cache(name).size()).isEqualTo((int) KEYS);
  }

  /**
   * A thick client has no call under way when the cluster becomes inactive: such a call may never
   * return in Ignite 2.17.0, and the change of the state waits for it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"thick", "thin"})
  void noWriteFailsWhileTheClusterBecomesInactiveAndActiveAgain(String client) throws Exception {
    String name = client + "-again";
    thick.createCache(TestCluster.cache(name));
    AtomicBoolean stop = new AtomicBoolean();
    Lock turn = new ReentrantLock(true);
    Map<String, Integer> failures = new ConcurrentHashMap<>();
    try (IgniteWriter<Long, Object> writer = to(client, name).linger(Duration.ZERO).open()) {
      Thread writing =
          new Thread(
              () -> {
                for (long key = 0; !stop.get(); key++) {
                  turn.lock();
                  writer
                      .write(key % KEYS, new UserKey(1, 2)) // its partition is asked for
                      .exceptionally(
                          e -> {
                            failures.merge(String.valueOf(e), 1, Integer::sum);
                            return null;
                          });
                  turn.unlock();
                }
              });
      writing.start();
      for (int i = 0; i < 3; i++) {
        turn.lock();
        if (client.equals("thick")) {
          writer.flush();
        }
        thick.cluster().state(ClusterState.INACTIVE);
        turn.unlock();
        Thread.sleep(100);
        thick.cluster().state(ClusterState.ACTIVE);
        long before = writer.stats().finishedEntries();
        Eventually.holds("writes go on", () -> writer.stats().finishedEntries() > before);
      }
      stop.set(true);
      writing.join();
      writer.flush();
    } finally {
      thick.cluster().state(ClusterState.ACTIVE);
    }
    assertThat(failures).isEmpty();
  }

  /**
   * The key of a failure is the application's own also where it writes binary values. The write
   * fails at once where the client knows already that the cache is gone, else later.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writesToACacheThatWasDestroyedFailAndSaySo(boolean overThin) throws Exception {
    String name = "destroyed-" + overThin;
    thick.createCache(TestCluster.cache(name));
    Object key = new UserKey(1, 2);
    Object value = thick.binary().toBinary(new StockOrder(1));
    try (IgniteWriter<Object, Object> writer =
        OnSharedCluster.<Object, Object>to(overThin, name).open()) {
      writer.write(key, value).get(60, TimeUnit.SECONDS);
      thick.destroyCache(name);
      assertThatThrownBy(
              () -> {
                try {
                  writer.write(key, value).get(60, TimeUnit.SECONDS);
                } catch (ExecutionException later) {
                  throw later.getCause();
                }
              })
          .hasMessageContaining(name)
          .isInstanceOfSatisfying(
              WriteFailedException.class,
              failed -> assertThat(failed.failures()).containsOnlyKeys(key));
    }
  }
}
