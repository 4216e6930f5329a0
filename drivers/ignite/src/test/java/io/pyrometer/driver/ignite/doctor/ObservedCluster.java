package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;

/** Two equal servers that were observed for 10 s; what a test does not set is as it should be. */
final class ObservedCluster {
  final Map<String, Object[]> metrics = new HashMap<>();
  final Map<String, String> configuration = new HashMap<>();
  final Map<String, Object> attributes = new HashMap<>();
  final Map<String, List<Row>> views = new HashMap<>();
  final List<String> unread = new ArrayList<>();
  final List<CacheConfiguration<?, ?>> caches = new ArrayList<>(List.of(cache()));
  final DataStorageConfiguration storage = new DataStorageConfiguration();
  Map<String, String> host =
      Map.of("vm.swappiness", "1", "transparent_hugepage", "always [madvise] never");
  final Map<String, List<ThreadDump>> dumps = new HashMap<>();
  final Map<String, GcLog> logs = new HashMap<>();
  Facts.Surroundings around = Facts.Surroundings.NONE;

  /** Values that the first server has in place of those of every one. */
  final Map<String, Object> ofFirst = new HashMap<>();

  int servers = 2;

  ObservedCluster() {
    region().setName("default").setMaxSize(100_000_000);
  }

  DataRegionConfiguration region() {
    return storage.getDefaultDataRegionConfiguration();
  }

  ObservedCluster of(int number) {
    servers = number;
    return this;
  }

  ObservedCluster with(CacheConfiguration<Object, Object> cache) {
    caches.set(0, cache);
    return this;
  }

  /** Of every server, sample by sample. */
  ObservedCluster metric(String name, double... values) {
    return samples(name, DoubleStream.of(values).boxed().toArray());
  }

  /** Values of any type, which are no numbers. */
  ObservedCluster samples(String name, Object... values) {
    metrics.put(name, values);
    return this;
  }

  ObservedCluster dumped(String... texts) {
    dumps.put("s0", Stream.of(texts).map(ThreadDump::parse).toList());
    return this;
  }

  ObservedCluster logged(String... lines) {
    logs.put("s0", GcLog.parse(Stream.of(lines)));
    return this;
  }

  /** Tasks that wait in each stripe of the first server, in each of two samples. */
  ObservedCluster queued(int... stripes) {
    for (int sample = 0; sample < 2; sample++) {
      for (int stripe = 0; stripe < stripes.length; stripe++) {
        for (int task = 0; task < stripes[stripe]; task++) {
          view(Observation.QUEUES, "stripeIndex=" + stripe + "; sample=" + sample);
        }
      }
    }
    return this;
  }

  /** Adds a row of the first server, as {@code column=value; column=value}. */
  ObservedCluster view(String name, String row) {
    views.computeIfAbsent(name, n -> new ArrayList<>()).add(new Row("s0", row(row)));
    return this;
  }

  /** Values by column; of a column that is named twice the last one. */
  static Map<String, String> row(String text) {
    Map<String, String> values = new HashMap<>();
    for (String each : text.split("; ", -1)) {
      values.put(each.replaceFirst("=.*", ""), each.replaceFirst("[^=]*=", ""));
    }
    return values;
  }

  Facts facts() {
    int samples = metrics.values().stream().mapToInt(values -> values.length).max().orElse(2);
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      Map<String, Object> sample = new HashMap<>();
      int now = i;
      metrics.forEach((name, values) -> sample.put(name, values[Math.min(now, values.length - 1)]));
      all.add(sample);
    }
    return new Facts(
        true,
        10,
        IntStream.range(0, servers)
            .mapToObj(
                i ->
                    new Server(
                        "s" + i,
                        "host",
                        4,
                        configuration,
                        attributes,
                        Optional.of(storage),
                        i > 0 ? all : first(all)))
            .toList(),
        caches,
        views,
        unread,
        host,
        dumps,
        logs,
        around);
  }

  private List<Map<String, Object>> first(List<Map<String, Object>> all) {
    return all.stream()
        .map(
            sample -> {
              Map<String, Object> own = new HashMap<>(sample);
              own.putAll(ofFirst);
              return own;
            })
        .toList();
  }

  /** A node of a cluster with these answers of its methods. */
  static ClusterNode node(Map<String, Object> answers) {
    return (ClusterNode)
        Proxy.newProxyInstance(
            ClusterNode.class.getClassLoader(),
            new Class<?>[] {ClusterNode.class},
            (proxy, method, arguments) ->
                method.getName().equals("equals")
                    ? proxy == arguments[0]
                    : answers.get(method.getName()));
  }

  static CacheConfiguration<Object, Object> cache() {
    return new CacheConfiguration<>("orders")
        .setBackups(1)
        .setStatisticsEnabled(true)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
  }

  static CacheConfiguration<Object, Object> transactional() {
    return cache().setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL);
  }

  static HealthReport report(ObservedCluster cluster) {
    HealthReport report = Doctor.report(cluster.facts(), "test");
    report.diagnoses().forEach(ObservedCluster::read);
    report.unjudged().values().forEach(why -> assertThat(why.phrase()).contains(" "));
    return report;
  }

  /** Renders all words, which needs their values. */
  private static void read(Diagnosis found) {
    assertThat(found.sentence()).hasSizeLessThan(180).endsWith(".");
    assertThat(found.cause()).isPresent();
    assertThat(found.remedy()).isPresent();
  }

  /** The names of the checks that find something in a cluster. */
  static List<String> found(ObservedCluster cluster) {
    return checks(report(cluster));
  }

  /** The names of the checks that found something. */
  static List<String> checks(HealthReport report) {
    return report.diagnoses().stream().map(Diagnosis::check).distinct().toList();
  }

  /** The ids of what is found in a cluster, without that of the doctor. */
  static List<String> ids(ObservedCluster cluster) {
    return report(cluster).diagnoses().stream()
        .map(found -> found.id().substring(Diagnosis.id("").length()))
        .toList();
  }
}
