package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.client.CachePort;
import io.pyrometer.driver.ignite.data.PrimaryDigest;
import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.driver.ignite.data.StoredRecords;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.path.PathContext;
import io.pyrometer.driver.ignite.path.PathDefinition;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.ContentDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.binary.BinaryObject;

/** A trial on a cache of its own. */
final class IgniteTrial implements TrialSession {
  /** To each server while records are filled in; together they are one page. */
  private static final int BUFFERS_IN_FLIGHT = 8;

  private final PathDefinition kind;
  private final PathContext context;
  private final boolean creator;
  private final Set<String> made;
  private Optional<StoredRecords> stored = Optional.empty();

  /**
   * @param creator whether this agent alone has begun with the trial so far
   * @param made the caches of this session that are there
   */
  IgniteTrial(PathDefinition kind, PathContext context, boolean creator, Set<String> made) {
    this.kind = kind;
    this.context = context;
    this.creator = creator;
    this.made = made;
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>(ClusterConfiguration.of(context.client()));
    facts.putAll(ClusterConfiguration.of(ignite().cache(context.cacheName())));
    if (creator && context.client().serversKnowUs() && context.thinConnections() > 0) {
      facts.putAll(ThinConnections.of(ignite(), context.thinConnections()));
    }
    new ConfigurationCheck(context.trial().settings(), facts)
        .mustBeAsAsked(context.client(), kind.cache().isOurs());
    return facts;
  }

  @Override
  public void fill(long from, long to) {
    RecordValues values = context.stock().prebuilt();
    int different = context.records().size();
    try (IgniteDataStreamer<Long, Object> streamer = ignite().dataStreamer(context.cacheName())) {
      streamer.keepBinary(true);
      int buffer =
          PageSize.of(
              BUFFERS_IN_FLIGHT * context.records().bytes(),
              IgniteDataStreamer.DFLT_PER_NODE_BUFFER_SIZE);
      streamer.perNodeBufferSize(buffer);
      streamer.perThreadBufferSize(buffer);
      streamer.perNodeParallelOperations(BUFFERS_IN_FLIGHT);
      for (long key = from; key < to; key++) {
        streamer.addData(key, values.get((int) (key % different)));
      }
    }
    if (kind.cache() == PathDefinition.Cache.TABLES) {
      Details.fill(ignite(), context.cacheName(), context.trial().settings(), from, to);
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    AccessPath opened = kind.opening().apply(context);
    if (kind.cache().isOurs()
        && GridSettings.mayDrop(context.trial().settings())
        && !opened.mayDrop()) {
      opened.close();
      throw new GridException(
          "Path '%s' cannot be verified where records may be gone, as with 'ttl' or 'page-eviction': take 'mixed', 'put' or another of cache.put and putAll."
              .formatted(context.trial().path()));
    }
    return opened;
  }

  @Override
  public ContentDigest digest() {
    if (context.client().serversKnowUs()) {
      return PrimaryDigest.over(ignite(), context.cacheName(), context.trial());
    }
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    StoredRecords opened =
        new StoredRecords(
            ignite().<Long, BinaryObject>cache(context.cacheName()).withKeepBinary(),
            context.records(),
            this::unawareClient);
    stored = Optional.of(opened);
    return opened.contents();
  }

  private CachePort<Long> unawareClient() {
    ClientNode client = context.client();
    return CachePort.thin(
        client
            .thinClient()
            .setAddresses(client.thinAddresses())
            .setPartitionAwarenessEnabled(false),
        context.cacheName(),
        true);
  }

  @Override
  public void destroy() {
    if (!kind.cache().isOurs()) {
      return;
    }
    if (kind.cache() == PathDefinition.Cache.TABLES) {
      ignite().destroyCache(Details.cacheOf(context.cacheName()));
      made.remove(Details.cacheOf(context.cacheName()));
    }
    ignite().destroyCache(context.cacheName());
    made.remove(context.cacheName());
  }

  @Override
  public void close() {
    stored.ifPresent(StoredRecords::close);
  }

  private Ignite ignite() {
    return context.ignite();
  }
}
