package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.management.metric.MetricCommandArg;
import org.apache.ignite.internal.management.metric.MetricTask;
import org.apache.ignite.internal.visor.VisorTaskArgument;
import org.apache.ignite.internal.visor.VisorTaskResult;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a server that Pyrometer did not start, by the task behind {@code control.sh --metric}
 * of Ignite 2.17 and newer, so that the server needs no class of Pyrometer's.
 */
public record ServerMetrics(Ignite ignite, ClusterNode server) implements GridMetrics {

  @Override
  public List<GridMetric> read() {
    Map<String, Function<String, Optional<Double>>> registries = new LinkedHashMap<>();
    try {
      names()
          .forEach(
              name -> {
                Map<String, ?> values = values(name);
                registries.put(name, metric -> number(values.get(name + "." + metric)));
              });
    } catch (LinkageError older) {
      throw new GridException("Metrics of attached servers need Ignite 2.17 or newer.", older);
    } catch (IgniteException failed) {
      throw GridException.of(
          "The server %s does not tell its metrics: %s.",
          server.consistentId(), GridException.cause(failed), failed);
    }
    return NodeMetrics.read(registries);
  }

  private Stream<String> names() {
    Stream<String> regions =
        ServerRoom.storage(ignite, server).stream()
            .flatMap(ServerRoom::regions)
            .map(region -> ServerRoom.REGISTRY + region.getName());
    Stream<String> caches = NodeMetrics.own(ignite).map(name -> "cache." + name);
    return Stream.of(NodeMetrics.fixedRegistries(), regions, caches).flatMap(names -> names);
  }

  private static Optional<Double> number(@Nullable Object value) {
    return value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
  }

  /**
   * Values of metrics by their whole names.
   *
   * @param name of a metric, or of a registry for all of its metrics
   */
  public Map<String, ?> values(String name) {
    MetricCommandArg wanted = new MetricCommandArg();
    wanted.name(name);
    Map<String, ?> values =
        result(
            ignite
                .compute(ignite.cluster().forNode(server))
                .execute(MetricTask.class, new VisorTaskArgument<>(server.id(), wanted, false)));
    return values == null ? Map.of() : values;
  }

  /**
   * The result of a task; null where the node has nothing of the name.
   *
   * @throws IgniteException if the task failed
   */
  public static <T> @Nullable T result(VisorTaskResult<T> task) {
    try {
      return task.result();
    } catch (Exception failed) {
      throw new IgniteException(failed);
    }
  }
}
