package io.pyrometer.driver.ignite.node;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.GridMetrics.GridMetric;
import io.pyrometer.protocol.GridActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
  /** Prefix of the caches that Pyrometer makes, by which it knows its own. */
  public static final String CACHE_PREFIX = "pyrometer-";

  /** Regions of Ignite's own, which hold none of the trial's data. */
  private static final Set<String> SYSTEM_REGIONS =
      Set.of("sysMemPlc", "volatileDsMemPlc", "TxLog", "metastoreMemPlc");

  /** Prefix of the metrics of the JVM, whose registry is {@code sys}. */
  private static final String SYSTEM = "sys.";

  private static final String STORAGE = "io.datastorage";

  /** A segment of the write-ahead log is full, synchronised, and the next one begins. */
  static final String WAL_ROTATION = "WAL rotation";

  /** So late can be the clock of {@code IgniteUtils.currentTimeMillis()}. */
  private static final long CLOCK_MILLIS = 10;

  private static final String REGION = "io.dataregion.";

  private static final String CACHE = "cache.";

  private static final Sources SOURCES =
      Resource.read(NodeMetrics.class, "metrics.json", new TypeReference<>() {});

  /** The file {@code metrics.json}: figures of a node, and sums over regions and caches. */
  private record Sources(List<Source> ofNode, List<Source> ofRegions, List<Source> ofCaches) {}

  /** A figure of ours and where Ignite has it: registry and metric, or a metric of several. */
  private record Source(String name, String unit, Kind kind, String metric) {

    String registry() {
      return metric.startsWith(SYSTEM) ? "sys" : metric.substring(0, metric.lastIndexOf('.'));
    }
  }

  /** The metrics of a node, of this process or another. */
  @FunctionalInterface
  interface Registries {
    /**
     * @param registry such as {@code cache.orders}
     * @param metric its name without that of the registry
     * @return empty where the node has none
     */
    Optional<Double> value(String registry, String metric);
  }

  /** Caches of Pyrometer are made without statistics, which cost time in every operation. */
  @Override
  public void enable() {
    List<String> made = own(ignite);
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
  static List<String> own(Ignite ignite) {
    return ignite.cacheNames().stream().filter(name -> name.startsWith(CACHE_PREFIX)).toList();
  }

  @Override
  @SuppressWarnings("deprecation") // nothing else switches the metrics of checkpoints
  public Map<String, Optional<GridActivity>> activities() {
    GridKernalContext context = ((IgniteEx) ignite).context();
    DataStorageConfiguration configured = ignite.configuration().getDataStorageConfiguration();
    if (context.clientNode() || configured == null || !configured.isMetricsEnabled()) {
      return Map.of();
    }
    Registries now = registriesNow();
    long start = now.value(STORAGE, "LastCheckpointStart").orElse(0.0).longValue();
    long millis = now.value(STORAGE, "LastCheckpointDuration").orElse(0.0).longValue();
    long rotated = now.value(STORAGE, "WalLastRollOverTime").orElse(0.0).longValue();
    return Map.of(
        "checkpoint",
        Optional.of(new GridActivity(start, millis)).filter(it -> start > 0),
        WAL_ROTATION,
        Optional.of(new GridActivity(rotated, CLOCK_MILLIS)).filter(it -> rotated > 0));
  }

  /** Bytes of the pages in use in all regions that can hold a trial's data. */
  Optional<Long> storedBytes() {
    return sums(
            SOURCES.ofRegions,
            names(REGION).filter(NodeMetrics::holdsData).toList(),
            registriesNow())
        .stream()
        .filter(sum -> sum.name().equals("data-region.used"))
        .map(sum -> (long) sum.value())
        .findFirst();
  }

  private static boolean holdsData(String registry) {
    return !SYSTEM_REGIONS.contains(registry.substring(REGION.length()));
  }

  @Override
  public List<GridMetric> read() {
    return read(
        names(REGION).filter(NodeMetrics::holdsData).toList(),
        names(CACHE + CACHE_PREFIX).toList(),
        registriesNow());
  }

  /** The registries that {@link #read(List, List, Registries)} reads besides regions and caches. */
  static Set<String> registries() {
    return SOURCES.ofNode.stream()
        .map(Source::registry)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static String registryOfRegion(String region) {
    return REGION + region;
  }

  static String registryOfCache(String cache) {
    return CACHE + cache;
  }

  /**
   * The figures of a node.
   *
   * @param regions the registries of its data regions
   * @param caches the registries of the caches that Pyrometer made
   */
  static List<GridMetric> read(List<String> regions, List<String> caches, Registries of) {
    List<GridMetric> read = new ArrayList<>();
    for (Source source : SOURCES.ofNode) {
      of.value(source.registry(), source.metric.substring(source.registry().length() + 1))
          .ifPresent(v -> read.add(new GridMetric(source.name, v, source.unit, source.kind)));
    }
    read.addAll(sums(SOURCES.ofRegions, regions, of));
    read.addAll(sums(SOURCES.ofCaches, caches, of));
    return read;
  }

  private Stream<String> names(String beginning) {
    return registries(((IgniteEx) ignite).context())
        .map(ReadOnlyMetricRegistry::name)
        .filter(name -> name.startsWith(beginning));
  }

  /**
   * The registries of the node. They are gone through and not looked up by name, because the type
   * that {@code GridMetricManager.registry} returns is another one before 2.17.
   */
  private static Stream<ReadOnlyMetricRegistry> registries(GridKernalContext context) {
    return StreamSupport.stream(context.metric().spliterator(), false);
  }

  private Registries registriesNow() {
    Map<String, ReadOnlyMetricRegistry> named =
        registries(((IgniteEx) ignite).context())
            .collect(
                Collectors.toMap(
                    ReadOnlyMetricRegistry::name, Function.identity(), (first, second) -> first));
    return (registry, name) ->
        Optional.ofNullable(named.get(registry))
            .map(found -> found.<Metric>findMetric(name))
            .map(metric -> Double.valueOf(metric.getAsString()));
  }

  private static List<GridMetric> sums(
      List<Source> sources, List<String> registries, Registries of) {
    List<GridMetric> sums = new ArrayList<>();
    for (Source source : sources) {
      double sum = 0;
      boolean found = false;
      for (String registry : registries) {
        Optional<Double> value = of.value(registry, source.metric);
        found |= value.isPresent();
        sum += value.orElse(0.0);
      }
      if (found) {
        sums.add(new GridMetric(source.name, sum, source.unit, source.kind));
      }
    }
    return sums;
  }
}
