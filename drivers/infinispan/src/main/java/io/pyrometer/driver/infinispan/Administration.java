package io.pyrometer.driver.infinispan;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.commons.api.CacheContainerAdmin.AdminFlag;
import org.infinispan.commons.marshall.UTF8StringMarshaller;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.server.core.admin.AdminOperationsHandler;
import org.infinispan.server.core.admin.AdminServerTask;
import org.infinispan.server.core.admin.embeddedserver.CacheCreateTask;
import org.infinispan.server.core.admin.embeddedserver.CacheNamesTask;
import org.infinispan.server.core.admin.embeddedserver.CacheRemoveTask;
import org.infinispan.topology.CacheTopology;

/** Administration by clients: they make, list and remove caches, and read their state. */
final class Administration extends AdminOperationsHandler {
  private static final String CONTEXT = "pyrometer";
  private static final String OPERATION = "state";
  private static final String CACHE = "cache";
  private static final String SETTLED = "settled";

  Administration() {
    super(new CacheCreateTask(), new CacheNamesTask(), new CacheRemoveTask(), new State());
  }

  /** The settings of a running cache, as the server has them that answers. */
  static Map<String, String> configuration(RemoteCache<byte[], byte[]> cache) {
    Map<String, String> facts = state(cache);
    facts.remove(SETTLED);
    return facts;
  }

  /**
   * Returns whether every member of the cluster has joined a cache and no segment is on its way to
   * another. A call may fail while members still join.
   */
  static boolean settled(RemoteCache<byte[], byte[]> cache) {
    return Boolean.parseBoolean(state(cache).get(SETTLED));
  }

  private static Map<String, String> state(RemoteCache<byte[], byte[]> cache) {
    DataFormat text =
        DataFormat.builder()
            .keyMarshaller(new UTF8StringMarshaller())
            .valueMarshaller(new UTF8StringMarshaller())
            .build();
    byte[] answer =
        cache
            .withDataFormat(text)
            .execute("@@" + CONTEXT + "@" + OPERATION, Map.of(CACHE, cache.getName()));
    Map<String, String> facts = new TreeMap<>();
    new String(answer, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(fact -> facts.put(fact[0], fact[1]));
    return facts;
  }

  /** The state of a cache as lines of text, which the server that is asked tells. */
  private static final class State extends AdminServerTask<byte[]> {
    @Override
    public String getTaskContextName() {
      return CONTEXT;
    }

    @Override
    public String getTaskOperationName() {
      return OPERATION;
    }

    @Override
    protected byte[] execute(
        EmbeddedCacheManager manager,
        Map<String, List<String>> parameters,
        EnumSet<AdminFlag> flags) {
      AdvancedCache<?, ?> cache =
          manager.getCache(requireParameter(parameters, CACHE)).getAdvancedCache();
      CacheTopology topology = cache.getDistributionManager().getCacheTopology();
      boolean settled =
          topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
              && topology.getMembers().size() == manager.getMembers().size();
      Configuration of = cache.getCacheConfiguration();
      return Map.of(
              SETTLED,
              settled,
              "cache.mode",
              of.clustering().cacheMode(),
              "cache.backups",
              of.clustering().hash().numOwners() - 1,
              "cache.lock-striping",
              of.locking().useLockStriping(),
              "cache.segments",
              of.clustering().hash().numSegments(),
              "cache.key-encoding",
              of.encoding().keyDataType().mediaType())
          .entrySet()
          .stream()
          .map(Object::toString)
          .collect(Collectors.joining("\n"))
          .getBytes(StandardCharsets.UTF_8);
    }
  }
}
