package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.node.ServerRoom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.internal.IgniteNodeAttributes;

/**
 * Facts about a server node.
 *
 * @param name its consistent id; of a file, the file's name
 * @param host what the nodes of one machine have in common
 * @param cpus of its machine, as its JVM sees them; 0 for a file
 * @param configuration properties of its configuration as text, by path
 * @param attributes of the node; empty for a file
 * @param storage empty where the node does not tell
 * @param samples its metrics at one instant after the other; empty for a file
 */
record Server(
    String name,
    String host,
    int cpus,
    Map<String, String> configuration,
    Map<String, Object> attributes,
    Optional<DataStorageConfiguration> storage,
    List<Map<String, Object>> samples) {
  /** A server of which no more than the name is known. */
  static Server named(String name) {
    return new Server(name, "", 0, Map.of(), Map.of(), Optional.empty(), List.of());
  }

  /** All regions that hold data of caches, the default one first. */
  List<DataRegionConfiguration> regions() {
    return storage.stream().flatMap(ServerRoom::regions).toList();
  }

  boolean persistent() {
    return regions().stream().anyMatch(DataRegionConfiguration::isPersistenceEnabled);
  }

  /** Flags of its JVM, separated by spaces; empty where they are not known. */
  String jvmFlags() {
    return String.valueOf(attributes.getOrDefault(IgniteNodeAttributes.ATTR_JVM_ARGS, ""))
        .replace("@@@", " ");
  }

  /** The values of a metric in the samples that have it. */
  double[] values(String metric) {
    return samples.stream()
        .map(sample -> sample.get(metric))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .toArray();
  }

  /** The last value of a metric; 0 where it is not known. */
  double last(String metric) {
    return last(metric, 0);
  }

  double last(String metric, double otherwise) {
    double[] values = values(metric);
    return values.length == 0 ? otherwise : values[values.length - 1];
  }

  /** By how much a counter grew, from 0 if the first sample lacks it; 0 where it is not known. */
  double growth(String metric) {
    double[] values = values(metric);
    if (values.length == 0) {
      return 0;
    }
    double before = samples.get(0).containsKey(metric) ? values[0] : 0;
    return values[values.length - 1] - before;
  }

  double mean(String metric) {
    return DoubleStream.of(values(metric)).average().orElse(0);
  }

  double least(String metric) {
    return DoubleStream.of(values(metric)).min().orElse(0);
  }

  double greatest(String metric) {
    return DoubleStream.of(values(metric)).max().orElse(0);
  }

  double maxHeap() {
    return greatest("sys.memory.heap.max");
  }

  /** The share of the samples in which a metric is above a limit. */
  double shareAbove(String metric, double limit) {
    return DoubleStream.of(values(metric)).map(n -> n > limit ? 1 : 0).average().orElse(0);
  }

  /** The last sample; empty where there is none. */
  Map<String, Object> lastSample() {
    return samples.isEmpty() ? Map.of() : samples.get(samples.size() - 1);
  }

  /**
   * The growth of a histogram's buckets from a bound on.
   *
   * @param bound the lower bound of the first bucket that counts, in the histogram's own unit
   */
  double growthFrom(String histogram, long bound) {
    Pattern bucket = Pattern.compile(Pattern.quote(histogram) + "_(\\d+)(_.*)?");
    return lastSample().keySet().stream()
        .map(bucket::matcher)
        .filter(name -> name.matches() && Long.parseLong(name.group(1)) >= bound)
        .mapToDouble(name -> growth(name.group()))
        .sum();
  }
}
