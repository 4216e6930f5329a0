package io.pyrometer.driver.infinispan;

import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.RegisterSession;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;

/**
 * Operations on a cache of numbers, whose history is checked. By "Read consistency" in Infinispan's
 * documentation, distributed caches are not linearizable even with synchronous replication, since
 * any owner may answer a read; by "Distributed caches", they survive the failure of one owner less
 * than there are.
 */
record InfinispanChaos(
    RemoteCacheManager client, RemoteCache<byte[], byte[]> cache, Promise promise)
    implements RegisterSession {
  /** After which FD_ALL3 takes a silent member for gone. */
  private static final double DETECTION_SECONDS = 10;

  /**
   * @param session whose client repeats calls that were not answered, which may take effect twice
   */
  static InfinispanChaos open(RemoteCacheManager session, TrialSpec trial, DataFacts data) {
    RemoteCacheManager client =
        new RemoteCacheManager(
            new ConfigurationBuilder().read(session.getConfiguration()).maxRetries(0).build());
    return new InfinispanChaos(client, client.getCache(trial.cacheName()), promise(trial, data));
  }

  /** A member that was silent for too long is a part of a split cluster. */
  private static Promise promise(TrialSpec trial, DataFacts data) {
    return ChaosSettings.anyOf(trial.settings(), List.of(FaultKind.PAUSE))
            && trial.settings().get(ChaosSettings.FAULT_FOR) >= DETECTION_SECONDS
        ? Promise.NONE
        : Promise.ofPrimaryCopies(trial, data);
  }

  @Override
  public Map<String, String> configuration() {
    return Administration.configuration(cache);
  }

  @Override
  public boolean whole(int servers) {
    boolean unused = cache.containsKey(RecordBytes.key(0));
    return cache.getCacheTopologyInfo().getSegmentsPerServer().size() == servers
        && Administration.settled(cache);
  }

  @Override
  public OptionalLong read(long key) {
    byte[] found = cache.get(RecordBytes.key(key));
    return found == null ? OptionalLong.empty() : OptionalLong.of(RecordBytes.key(found));
  }

  @Override
  public void write(long key, long value) {
    byte[] unused = cache.put(RecordBytes.key(key), RecordBytes.key(value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    MetadataValue<byte[]> found = cache.getWithMetadata(RecordBytes.key(key));
    return found != null
        && RecordBytes.key(found.getValue()) == expected
        && cache.replaceWithVersion(
            RecordBytes.key(key), RecordBytes.key(value), found.getVersion());
  }

  @Override
  public void destroy() {
    client.administration().removeCache(cache.getName());
    client.close();
  }
}
