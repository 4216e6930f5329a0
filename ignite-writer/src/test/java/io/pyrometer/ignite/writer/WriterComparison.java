package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * Compares the writer with the standard paths that keep the order per key, by the clock and by the
 * CPU time of all processes, in rounds of random order on one cluster. For developers of the
 * writer: one cluster is one replicate.
 */
final class WriterComparison {
  private final Map<String, String> options;
  private final Ignite ignite;
  private final IgniteClient thin;
  private final TestCluster cluster;
  private final Random random = new Random(1);
  private final Map<String, List<double[]>> results = new LinkedHashMap<>();
  private long cacheNumber;

  private WriterComparison(TestCluster cluster, Map<String, String> options) {
    this.cluster = cluster;
    this.options = options;
    this.ignite = cluster.thick();
    this.thin = cluster.thin();
  }

  /** Arguments: name=value, any of those with a default here; lists with commas. */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    options.putAll(Map.of("writes", "300000", "rounds", "6", "warmups", "8", "servers", "3"));
    options.putAll(Map.of("backups", "1", "bytes", "0", "workloads", "unique"));
    options.put("paths", "putall,putall-sorted,putall-async,streamer,writer");
    for (String arg : args) {
      options.put(arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
    }
    try (TestCluster cluster = TestCluster.start(Integer.parseInt(options.get("servers")))) {
      WriterComparison comparison = new WriterComparison(cluster, options);
      for (int round = -comparison.number("warmups");
          round < comparison.number("rounds");
          round++) {
        comparison.round(round);
      }
      System.out.println(options);
      comparison.list("workloads").forEach(comparison::print);
      comparison.thin.close();
      comparison.ignite.close();
    }
  }

  private int number(String option) {
    return Integer.parseInt(options.get(option));
  }

  private List<String> list(String option) {
    return List.of(options.get(option).split(","));
  }

  private void round(int round) throws Exception {
    List<String[]> trials = new ArrayList<>();
    list("workloads")
        .forEach(load -> list("paths").forEach(path -> trials.add(new String[] {load, path})));
    Collections.shuffle(trials, random);
    for (String[] trial : trials) {
      Long[] keys = KeyStream.of(trial[0], number("writes"), random);
      double[] figures = trial(keys, trial[1]);
      if (round >= 0) {
        results.computeIfAbsent(trial[0] + " " + trial[1], k -> new ArrayList<>()).add(figures);
      }
    }
  }

  private double[] trial(Long[] keys, String path) throws Exception {
    CacheConfiguration<Long, Object> settings = new CacheConfiguration<>("c" + cacheNumber++);
    settings
        .setBackups(number("backups"))
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
    IgniteCache<Long, Object> cache = ignite.createCache(settings);
    try {
      double[] before = cpuMicros();
      long start = System.nanoTime();
      StockOrder.padding(number("bytes"));
      WritePaths.run(path, ignite, cache, thin.cache(cache.getName()), keys);
      long wall = System.nanoTime() - start;
      double[] after = cpuMicros();
      WritePaths.check(cache, keys);
      return new double[] {
        keys.length * 1e9 / wall,
        (after[0] - before[0]) / keys.length,
        (after[1] - before[1]) / keys.length
      };
    } finally {
      cache.destroy();
    }
  }

  private double[] cpuMicros() throws IOException {
    double own = cpuMicros(ProcessHandle.current().pid());
    double servers = 0;
    for (long pid : cluster.pids()) {
      servers += cpuMicros(pid);
    }
    return new double[] {own, servers};
  }

  private static double cpuMicros(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 1e4;
  }

  private void print(String workload) {
    System.out.printf(
        "%n%-34s %9s %9s %9s %7s %7s %7s%n",
        workload, "median/s", "min", "max", "cpu us", "client", "servers");
    results.forEach(
        (name, figures) -> {
          if (name.startsWith(workload + " ")) {
            double[] rates = figures.stream().mapToDouble(f -> f[0]).sorted().toArray();
            double client = median(figures.stream().mapToDouble(f -> f[1]).sorted().toArray());
            double servers = median(figures.stream().mapToDouble(f -> f[2]).sorted().toArray());
            System.out.printf(
                Locale.ROOT,
                "%-34s %9.0f %9.0f %9.0f %7.2f %7.2f %7.2f%n",
                name.substring(workload.length() + 1),
                median(rates),
                rates[0],
                rates[rates.length - 1],
                client + servers,
                client,
                servers);
          }
        });
  }

  private static double median(double[] sorted) {
    return Arrays.stream(sorted).skip((sorted.length - 1) / 2).findFirst().orElseThrow();
  }
}
