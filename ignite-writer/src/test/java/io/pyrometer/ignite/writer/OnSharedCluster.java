package io.pyrometer.ignite.writer;

import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests on the cluster that all share, with a thick and a thin client. */
abstract class OnSharedCluster {
  static TestCluster cluster;
  static Ignite thick;
  static IgniteClient thin;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    thick = cluster.thick();
    thin = cluster.thin();
  }

  @AfterAll
  static void stop() {
    thin.close();
    thick.destroyCaches(thick.cacheNames());
    thick.close();
  }

  /** A cache with one backup, in which an acknowledged write is in both copies. */
  static <K, V> CacheConfiguration<K, V> fullSync(String name) {
    return TestCluster.<K, V>cache(name)
        .setBackups(1)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
  }

  /** Begins a writer over the thin client or the thick one. */
  static <K, V> IgniteWriterBuilder<K, V> to(boolean overThin, String cache) {
    return overThin
        ? IgniteWriter.to(thin.<K, V>cache(cache))
        : IgniteWriter.to(thick.<K, V>cache(cache));
  }
}
