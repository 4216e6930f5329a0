package io.pyrometer.driver.ignite;

import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.jmh.Benchmark;
import io.pyrometer.jmh.BenchmarkSpec;
import io.pyrometer.jmh.CacheProvider;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Caches for benchmarks: of a server node within the benchmark's JVM, alone or with other servers,
 * or of servers that it joins as a thick client. Benchmarks that need a bound in entries are
 * absent: a data region is bounded in bytes and evicts pages.
 */
public final class IgniteCaches implements CacheProvider {
  private static final Duration ACTIVE = Duration.ofSeconds(60);
  private static final SettingKey<Integer> NODES = GridSettings.DECLARED.integer("jmh-nodes");
  private static final SettingKey<String> FORK_NODE = GridSettings.DECLARED.text("fork-node");

  static final List<PathDescription> DESCRIPTIONS =
      Stream.of(Benchmark.POPULATE, Benchmark.READ, Benchmark.MIXED, Benchmark.ITERATE)
          .map(benchmark -> benchmark.description(false, NODES, FORK_NODE))
          .toList();

  /** Found by {@link java.util.ServiceLoader}. */
  public IgniteCaches() {}

  @Override
  public Caches start(BenchmarkSpec spec) {
    Settings settings = spec.trial().settings();
    return new OfNode(
        spec.servers().isEmpty() || !settings.get(FORK_NODE).equals("client")
            ? server(spec, settings)
            : client(spec, settings),
        settings);
  }

  private static Ignite server(BenchmarkSpec spec, Settings settings) {
    ServerNode node = ServerNode.join(spec.servers(), folder(spec), settings);
    node.awaitServers(spec.servers().size() + 1, ACTIVE);
    return node.ignite();
  }

  private static Ignite client(BenchmarkSpec spec, Settings settings) {
    return ClientNode.join(
            new Command.OpenSession(
                0,
                1,
                spec.servers(),
                spec.clientAddresses(),
                Optional.empty(),
                false,
                folder(spec),
                settings))
        .ignite();
  }

  private static String folder(BenchmarkSpec spec) {
    return Path.of(spec.folder()).resolve("ignite").toString();
  }

  private record OfNode(Ignite ignite, Settings settings) implements Caches {
    @Override
    public CacheUnderTest open(CacheSpec spec) {
      CacheConfiguration<Integer, Integer> configuration =
          TrialCache.configuration(spec.name(), settings);
      return new CacheOfNode(ignite, ignite.createCache(configuration));
    }

    @Override
    public Map<String, String> configuration() {
      return GridConfiguration.ofNode(ignite);
    }

    @Override
    public void close() {
      Ignition.stop(ignite.name(), true);
    }
  }

  private record CacheOfNode(Ignite ignite, IgniteCache<Integer, Integer> cache)
      implements CacheUnderTest {
    private static final int BATCH = 1_000;

    @Override
    public @Nullable Integer get(Integer key) {
      return cache.get(key);
    }

    @Override
    public void put(Integer key, Integer value) {
      cache.put(key, value);
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      cache.forEach(each -> entry.accept(each.getKey(), each.getValue()));
    }

    @Override
    public void fill(int count) {
      for (int from = 0; from < count; from += BATCH) {
        TreeMap<Integer, Integer> batch = new TreeMap<>();
        IntStream.range(from, Math.min(count, from + BATCH)).forEach(i -> batch.put(i, i));
        cache.putAll(batch);
      }
    }

    @Override
    public long size() {
      return cache.sizeLong(CachePeekMode.PRIMARY);
    }

    @Override
    public OptionalLong offHeapBytes() {
      return new NodeMetrics(ignite, false).storedBytes();
    }

    @Override
    public Map<String, String> configuration() {
      Map<String, String> facts = GridConfiguration.ofCache(cache);
      facts.put("cache.entries", String.valueOf(size()));
      facts.put(
          "cache.entries-in-this-jvm", String.valueOf(cache.localSizeLong(CachePeekMode.PRIMARY)));
      facts.put("cache.bound", "none");
      return facts;
    }

    @Override
    public void close() {
      cache.destroy();
    }
  }
}
