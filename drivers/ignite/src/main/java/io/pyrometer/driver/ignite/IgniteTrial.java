package io.pyrometer.driver.ignite;

import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.data.ReadBack;
import io.pyrometer.driver.ignite.data.StoredRecords;
import io.pyrometer.driver.ignite.data.TallyOfOwn;
import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.driver.ignite.path.Kind;
import io.pyrometer.driver.ignite.path.Surroundings;
import io.pyrometer.driver.ignite.port.CachePort;
import io.pyrometer.driver.ignite.port.ThinPort;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.configuration.ClientConfiguration;

/** A trial on a cache of its own. */
final class IgniteTrial implements TrialSession {
  private final Kind kind;
  private final Surroundings surroundings;
  private final boolean creator;
  private final Set<String> made;
  private Optional<StoredRecords> stored = Optional.empty();

  /**
   * @param creator whether this agent alone has begun with the trial so far
   * @param made the caches of this session that are there
   */
  IgniteTrial(Kind kind, Surroundings surroundings, boolean creator, Set<String> made) {
    this.kind = kind;
    this.surroundings = surroundings;
    this.creator = creator;
    this.made = made;
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>(Facts.of(surroundings.client()));
    facts.putAll(Facts.of(ignite().cache(surroundings.cacheName())));
    if (creator && surroundings.client().serversKnowUs() && surroundings.thin().connections() > 0) {
      facts.putAll(ThinConnections.of(ignite(), surroundings.thin().connections()));
    }
    new Effective(surroundings.trial().settings(), facts).mustBeAsAsked(surroundings.client());
    return facts;
  }

  @Override
  public void fill(long from, long to) {
    Values values = surroundings.stock().prebuilt();
    int different = surroundings.stock().records().size();
    try (IgniteDataStreamer<Long, Object> streamer =
        ignite().dataStreamer(surroundings.cacheName())) {
      streamer.keepBinary(true);
      for (long key = from; key < to; key++) {
        streamer.addData(key, values.get((int) (key % different)));
      }
    }
  }

  @Override
  public AccessPath path(LoadThread lane) {
    return kind.opening().open(surroundings, lane);
  }

  @Override
  public ContentDigest digest() {
    if (surroundings.client().serversKnowUs()) {
      return TallyOfOwn.over(ignite(), surroundings.cacheName(), surroundings.trial());
    }
    return ReadBack.tally(
        ignite().<Long, BinaryObject>cache(surroundings.cacheName()).withKeepBinary(),
        surroundings.stock().records());
  }

  @Override
  public StoredContents contents() {
    StoredRecords opened =
        new StoredRecords(
            ignite().<Long, BinaryObject>cache(surroundings.cacheName()).withKeepBinary(),
            surroundings.stock().records(),
            this::unawareClient);
    stored = Optional.of(opened);
    return opened;
  }

  private CachePort unawareClient() {
    return ThinPort.connect(
        new ClientConfiguration()
            .setAddresses(surroundings.client().thinAddresses())
            .setPartitionAwarenessEnabled(false),
        surroundings.cacheName(),
        true);
  }

  @Override
  public void destroy() {
    ignite().destroyCache(surroundings.cacheName());
    made.remove(surroundings.cacheName());
  }

  @Override
  public void close() {
    stored.ifPresent(StoredRecords::close);
  }

  private Ignite ignite() {
    return surroundings.ignite();
  }
}
