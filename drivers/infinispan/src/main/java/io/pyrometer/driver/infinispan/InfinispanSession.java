package io.pyrometer.driver.infinispan;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.Ports;
import io.pyrometer.driver.PropertyTree;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.api.CacheContainerAdmin.AdminFlag;
import org.infinispan.commons.configuration.StringConfiguration;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.infinispan.manager.DefaultCacheManager;

/** A Hot Rod client, and from the first embedded path on a member without data beside it. */
final class InfinispanSession implements GridSession, ChaosGrid {
  private static final int ANSWER_MILLIS = 15_000;
  private static final Duration CREATED_WITHIN = Duration.ofSeconds(30);

  private final Command.OpenSession spec;
  private final RemoteCacheManager client;
  private Optional<DefaultCacheManager> member = Optional.empty();
  private Optional<String> last = Optional.empty();

  private InfinispanSession(Command.OpenSession spec, RemoteCacheManager client) {
    this.spec = spec;
    this.client = client;
  }

  static InfinispanSession open(Command.OpenSession spec) {
    ConfigurationBuilder config = new ConfigurationBuilder();
    config
        .addServers(String.join(";", spec.clientAddresses()))
        .marshaller(IdentityMarshaller.INSTANCE)
        .socketTimeout(ANSWER_MILLIS);
    config.security().authentication().disable();
    config.statistics().disable();
    RemoteCacheManager client = new RemoteCacheManager(config.build());
    try {
      var unused = client.getCacheNames();
      return new InfinispanSession(spec, client);
    } catch (HotRodClientException e) {
      client.close();
      throw GridException.of(
          "The Hot Rod client did not connect to %s: %s",
          spec.clientAddresses(), e.getMessage(), e);
    }
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("client.routing", client.getConfiguration().clientIntelligence().toString());
    facts.put("client.socket-timeout", client.getConfiguration().socketTimeout() + " ms");
    return facts;
  }

  /** Number of servers that hold the cache of the last trial, which a client learns by a call. */
  @Override
  public OptionalInt servers() {
    if (last.isEmpty()) {
      return OptionalInt.empty();
    }
    RemoteCache<byte[], byte[]> cache = client.getCache(last.get());
    try {
      boolean unused = cache.containsKey(RecordBytes.key(0));
    } catch (HotRodClientException e) {
      throw new GridException("The grid does not answer: " + e.getMessage(), e);
    }
    return OptionalInt.of(cache.getCacheTopologyInfo().getSegmentsPerServer().size());
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    String name = trial.cacheName();
    if (creator) {
      create(name, trial.settings());
    }
    last = Optional.of(name);
    return new InfinispanTrial(client, this::member, name, trial, records);
  }

  private void create(String name, Settings complete) {
    try {
      client.administration().removeCache(name);
      client
          .administration()
          .withFlags(AdminFlag.VOLATILE)
          .createCache(name, new StringConfiguration(cache(name, complete)));
      if (!Poll.until(CREATED_WITHIN, () -> settled(name))) {
        throw GridException.of(
            "The servers and clients did not all join cache '%s' within %d s.",
            name, CREATED_WITHIN.toSeconds());
      }
    } catch (HotRodClientException e) {
      throw GridException.of(
          "Cache '%s' could not be made: %s",
          name, GridException.withProperties(String.valueOf(e.getMessage()), complete), e);
    }
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    create(trial.cacheName(), trial.settings());
    return InfinispanChaos.open(
        client, trial, new InfinispanDriver().describe().data(trial.settings()));
  }

  /** The configuration of a cache, JSON. */
  private static String cache(String name, Settings complete) {
    ObjectNode cache = PropertyTree.of(complete.cacheProperties());
    cache.putIfAbsent("statistics", BooleanNode.FALSE);
    cache.put("mode", complete.get(InfinispanDriver.MODE));
    cache.withObject("/memory").put("storage", complete.get(InfinispanDriver.STORAGE));
    cache.put("owners", complete.get(InfinispanDriver.BACKUPS) + 1);
    cache.withObject("/encoding").put("media-type", "application/octet-stream");
    try {
      return Json.LINES.writeValueAsString(Map.of(name, Map.of("distributed-cache", cache)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server may still remove the former cache of the name when others have created this one. */
  private boolean settled(String name) {
    try {
      RemoteCache<byte[], byte[]> cache = client.getCache(name);
      return Administration.settled(cache) && cache.isEmpty();
    } catch (HotRodClientException notYet) {
      return false;
    }
  }

  /** Joins the cluster the first time it is asked. */
  private DefaultCacheManager member() {
    String host = Address.host(spec.peers().get(0));
    DefaultCacheManager joined =
        member.orElseGet(
            () ->
                InfinispanMember.start(
                    "agent-" + spec.index(),
                    spec.peers(),
                    host + ":" + Ports.free(host), // JGroups cannot choose a port by itself.
                    false,
                    1 + spec.peers().size(),
                    spec.settings()));
    member = Optional.of(joined);
    return joined;
  }

  @Override
  public void close() {
    member.ifPresent(DefaultCacheManager::stop);
    client.close();
  }
}
