package io.pyrometer.driver.ignite.node;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.internal.GridKernalContext;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.spi.metric.Metric;
import org.apache.ignite.spi.metric.ReadOnlyMetricRegistry;

/**
 * Metrics of an Ignite node, from its metric registries: messages and bytes between nodes and of
 * thin clients, tasks and queues of its pools, its data regions, and the caches that Pyrometer
 * made.
 *
 * @param enables whether this process, and not another, switches statistics of caches on in the
 *     whole cluster
 */
public record NodeMetrics(Ignite ignite, boolean enables) implements GridMetrics {
  /** Registries of regions of Ignite's own, which hold none of the trial's data. */
  private static final Set<String> SYSTEM_REGIONS =
      Set.of(
          "io.dataregion.sysMemPlc",
          "io.dataregion.volatileDsMemPlc",
          "io.dataregion.TxLog",
          "io.dataregion.metastoreMemPlc");

  /** So late can be the clock of {@code IgniteUtils.currentTimeMillis()}. */
  private static final long CLOCK_MILLIS = 10;

  private static final List<Source> SOURCES =
      Resource.read(NodeMetrics.class, "metrics.json", new TypeReference<>() {});

  /**
   * An entry of the file {@code metrics.json}: a figure of ours and where Ignite has it.
   *
   * @param registry with a star at its end for all that begin so, whose values are added up
   */
  private record Source(String name, String unit, Kind kind, String registry, String metric) {
    boolean isExact() {
      return !registry.endsWith("*");
    }

    boolean isIn(String name) {
      return isExact()
          ? name.equals(registry)
          : name.startsWith(registry.substring(0, registry.length() - 1));
    }
  }

  /** Caches of Pyrometer are made without statistics, which cost time in every operation. */
  @Override
  public void enable() {
    List<String> made = own(ignite).toList();
    if (!enables || made.isEmpty()) {
      return;
    }
    try {
      ignite.cluster().enableStatistics(made, true);
    } catch (IgniteException failure) {
      throw GridException.of(
          "Ignite did not switch the statistics of its caches on: %s.",
          GridException.cause(failure), failure);
    }
  }

  /** The caches that Pyrometer made. */
  static Stream<String> own(Ignite ignite) {
    return ignite.cacheNames().stream().filter(name -> name.startsWith(TrialSpec.CACHE_PREFIX));
  }

  @Override
  @SuppressWarnings("deprecation") // nothing else switches the metrics of checkpoints
  public Map<String, Optional<GridActivity>> activities() {
    GridKernalContext context = ((IgniteEx) ignite).context();
    DataStorageConfiguration configured = ignite.configuration().getDataStorageConfiguration();
    if (context.clientNode() || configured == null || !configured.isMetricsEnabled()) {
      return Map.of();
    }
    Function<String, Optional<Double>> storage =
        registries().getOrDefault("io.datastorage", metric -> Optional.empty());
    long start = storage.apply("LastCheckpointStart").orElse(0.0).longValue();
    long millis = storage.apply("LastCheckpointDuration").orElse(0.0).longValue();
    // A segment of the write-ahead log is full, synchronised, and the next one begins.
    long rotated = storage.apply("WalLastRollOverTime").orElse(0.0).longValue();
    return Map.of(
        "checkpoint",
        Optional.of(new GridActivity(start, millis)).filter(it -> start > 0),
        "WAL rotation",
        Optional.of(new GridActivity(rotated, CLOCK_MILLIS)).filter(it -> rotated > 0));
  }

  /** Bytes of the pages in use in all regions that can hold data of users; empty for a client. */
  public OptionalLong storedBytes() {
    return read().stream()
        .filter(metric -> metric.name().equals("data-region.used"))
        .mapToLong(metric -> (long) metric.value())
        .findFirst();
  }

  @Override
  public List<GridMetric> read() {
    return read(registries());
  }

  /** The registries that are read, but those of data regions and caches. */
  static Stream<String> fixedRegistries() {
    return SOURCES.stream().filter(Source::isExact).map(Source::registry).distinct();
  }

  /**
   * The figures of a node.
   *
   * @param registries by name, the values of their metrics, which are empty where there is none
   */
  static List<GridMetric> read(Map<String, Function<String, Optional<Double>>> registries) {
    List<GridMetric> read = new ArrayList<>();
    for (Source source : SOURCES) {
      DoubleSummaryStatistics values =
          registries.entrySet().stream()
              .filter(each -> source.isIn(each.getKey()))
              .flatMap(each -> each.getValue().apply(source.metric).stream())
              .mapToDouble(Double::doubleValue)
              .summaryStatistics();
      if (values.getCount() > 0) {
        read.add(new GridMetric(source.name, values.getSum(), source.unit, source.kind));
      }
    }
    return read;
  }

  /**
   * The registries of the node. They are gone through and not looked up by name, because the type
   * that {@code GridMetricManager.registry} returns is another one before 2.17.
   */
  private Map<String, Function<String, Optional<Double>>> registries() {
    Map<String, Function<String, Optional<Double>>> found = new LinkedHashMap<>();
    for (ReadOnlyMetricRegistry registry : ((IgniteEx) ignite).context().metric()) {
      if (!SYSTEM_REGIONS.contains(registry.name())) {
        found.put(registry.name(), metric -> value(registry, metric));
      }
    }
    return found;
  }

  private static Optional<Double> value(ReadOnlyMetricRegistry registry, String name) {
    return Optional.ofNullable(registry.<Metric>findMetric(name))
        .map(metric -> Double.valueOf(metric.getAsString()));
  }
}
