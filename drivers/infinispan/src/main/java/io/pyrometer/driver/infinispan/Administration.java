package io.pyrometer.driver.infinispan;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

/** What clients may ask servers to do: make, name and remove caches, and tell their settings. */
final class Administration extends AdminOperationsHandler {
  private static final String CONTEXT = "pyrometer";
  private static final String OPERATION = "configuration";
  private static final String CACHE = "cache";

  Administration() {
    super(new CacheCreateTask(), new CacheNamesTask(), new CacheRemoveTask(), new ReadBack());
  }

  /** The settings of a running cache, as the server has them that answers. */
  static Map<String, String> configuration(RemoteCache<byte[], byte[]> cache) {
    DataFormat text =
        DataFormat.builder()
            .keyMarshaller(new UTF8StringMarshaller())
            .valueMarshaller(new UTF8StringMarshaller())
            .build();
    byte[] answer =
        cache
            .withDataFormat(text)
            .execute("@@" + CONTEXT + "@" + OPERATION, Map.of(CACHE, cache.getName()));
    return new String(answer, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(line -> line[0], line -> line[1]));
  }

  private static final class ReadBack extends AdminServerTask<byte[]> {
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
      Configuration cache =
          manager.getCache(requireParameter(parameters, CACHE)).getCacheConfiguration();
      Map<String, String> facts = new TreeMap<>();
      facts.put("cache.mode", cache.clustering().cacheMode().toString());
      facts.put("cache.backups", String.valueOf(cache.clustering().hash().numOwners() - 1));
      facts.put("cache.segments", String.valueOf(cache.clustering().hash().numSegments()));
      facts.put("cache.storage", cache.memory().storage().toString());
      facts.put("cache.key-encoding", String.valueOf(cache.encoding().keyDataType().mediaType()));
      facts.put("cache.statistics", String.valueOf(cache.statistics().enabled()));
      return facts.entrySet().stream()
          .map(fact -> fact.getKey() + "=" + fact.getValue())
          .collect(Collectors.joining("\n"))
          .getBytes(StandardCharsets.UTF_8);
    }
  }
}
