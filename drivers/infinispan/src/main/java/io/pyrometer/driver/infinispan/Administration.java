package io.pyrometer.driver.infinispan;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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
  private static final String CONFIGURATION = "configuration";
  private static final String SETTLED = "settled";
  private static final String CACHE = "cache";

  Administration() {
    super(
        new CacheCreateTask(),
        new CacheNamesTask(),
        new CacheRemoveTask(),
        new Question(CONFIGURATION, Administration::configuration),
        new Question(SETTLED, cache -> String.valueOf(settled(cache))));
  }

  /** The settings of a running cache, as the server has them that answers. */
  static Map<String, String> configuration(RemoteCache<byte[], byte[]> cache) {
    return ask(cache, CONFIGURATION)
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(line -> line[0], line -> line[1]));
  }

  /**
   * Returns whether every member of the cluster has joined a cache and no segment is on its way to
   * another. A call may fail while members still join.
   */
  static boolean settled(RemoteCache<byte[], byte[]> cache) {
    return Boolean.parseBoolean(ask(cache, SETTLED));
  }

  private static String ask(RemoteCache<byte[], byte[]> cache, String operation) {
    DataFormat text =
        DataFormat.builder()
            .keyMarshaller(new UTF8StringMarshaller())
            .valueMarshaller(new UTF8StringMarshaller())
            .build();
    byte[] answer =
        cache
            .withDataFormat(text)
            .execute("@@" + CONTEXT + "@" + operation, Map.of(CACHE, cache.getName()));
    return new String(answer, StandardCharsets.UTF_8);
  }

  private static boolean settled(AdvancedCache<?, ?> cache) {
    CacheTopology topology = cache.getDistributionManager().getCacheTopology();
    return topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
        && topology.getMembers().size() == cache.getCacheManager().getMembers().size();
  }

  private static String configuration(AdvancedCache<?, ?> of) {
    Configuration cache = of.getCacheConfiguration();
    Map<String, String> facts = new TreeMap<>();
    facts.put("cache.mode", cache.clustering().cacheMode().toString());
    facts.put("cache.backups", String.valueOf(cache.clustering().hash().numOwners() - 1));
    facts.put("cache.lock-striping", String.valueOf(cache.locking().useLockStriping()));
    facts.put("cache.segments", String.valueOf(cache.clustering().hash().numSegments()));
    facts.put("cache.key-encoding", String.valueOf(cache.encoding().keyDataType().mediaType()));
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + "=" + fact.getValue())
        .collect(Collectors.joining("\n"));
  }

  /** One question about a cache, which the server that is asked answers with a text. */
  private static final class Question extends AdminServerTask<byte[]> {
    private final String operation;
    private final Function<AdvancedCache<?, ?>, String> answer;

    Question(String operation, Function<AdvancedCache<?, ?>, String> answer) {
      this.operation = operation;
      this.answer = answer;
    }

    @Override
    public String getTaskContextName() {
      return CONTEXT;
    }

    @Override
    public String getTaskOperationName() {
      return operation;
    }

    @Override
    protected byte[] execute(
        EmbeddedCacheManager manager,
        Map<String, List<String>> parameters,
        EnumSet<AdminFlag> flags) {
      AdvancedCache<?, ?> cache =
          manager.getCache(requireParameter(parameters, CACHE)).getAdvancedCache();
      return answer.apply(cache).getBytes(StandardCharsets.UTF_8);
    }
  }
}
