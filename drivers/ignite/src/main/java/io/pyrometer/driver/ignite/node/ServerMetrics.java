package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.internal.management.metric.MetricCommandArg;
import org.apache.ignite.internal.management.metric.MetricTask;
import org.apache.ignite.internal.visor.VisorTaskArgument;
import org.apache.ignite.internal.visor.VisorTaskResult;
import org.apache.ignite.lang.IgniteFuture;

/**
 * Metrics of a server that Pyrometer did not start, by the task behind {@code control.sh --metric}
 * of Ignite 2.17 and newer, so that the server needs no class of Pyrometer's.
 */
final class ServerMetrics implements GridMetrics {
  private final Ignite ignite;
  private final ClusterNode server;
  private final List<String> regions;

  ServerMetrics(Ignite ignite, ClusterNode server) {
    this.ignite = ignite;
    this.server = server;
    this.regions =
        ServerRoom.storage(ignite, server).stream()
            .flatMap(ServerRoom::regions)
            .map(DataRegionConfiguration::getName)
            .map(NodeMetrics::registryOfRegion)
            .toList();
  }

  @Override
  public List<GridMetric> read() {
    List<String> caches =
        ignite.cacheNames().stream()
            .filter(name -> name.startsWith(NodeMetrics.CACHE_PREFIX))
            .map(NodeMetrics::registryOfCache)
            .toList();
    Map<String, IgniteFuture<VisorTaskResult<Map<String, ?>>>> asked = new LinkedHashMap<>();
    try {
      Stream.of(NodeMetrics.registries(), regions, caches)
          .flatMap(names -> names.stream())
          .forEach(name -> asked.put(name, ask(name)));
      Map<String, Object> values = new LinkedHashMap<>();
      for (IgniteFuture<VisorTaskResult<Map<String, ?>>> answer : asked.values()) {
        Optional.<Map<String, ?>>ofNullable(answer.get().result()).ifPresent(values::putAll);
      }
      return NodeMetrics.read(
          regions,
          caches,
          (registry, metric) ->
              values.get(registry + "." + metric) instanceof Number number
                  ? Optional.of(number.doubleValue())
                  : Optional.empty());
    } catch (LinkageError older) {
      throw new GridException("Metrics of attached servers need Ignite 2.17 or newer.", older);
    } catch (Exception failed) { // VisorTaskResult declares no other
      throw GridException.of(
          "The server %s does not tell its metrics: %s.",
          server.consistentId(), GridException.cause(failed), failed);
    }
  }

  private IgniteFuture<VisorTaskResult<Map<String, ?>>> ask(String registry)
      throws IgniteException {
    MetricCommandArg wanted = new MetricCommandArg();
    wanted.name(registry);
    return ignite
        .compute(ignite.cluster().forNode(server))
        .executeAsync(MetricTask.class, new VisorTaskArgument<>(server.id(), wanted, false));
  }
}
