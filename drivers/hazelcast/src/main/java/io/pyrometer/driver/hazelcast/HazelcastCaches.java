package io.pyrometer.driver.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.MapLoader;
import com.hazelcast.map.MapStoreFactory;
import io.pyrometer.driver.GridException;
import io.pyrometer.jmh.Benchmark;
import io.pyrometer.jmh.BenchmarkSpec;
import io.pyrometer.jmh.CacheProvider;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps for benchmarks, of one member within the benchmark's JVM. */
public final class HazelcastCaches implements CacheProvider {
  private static final String LOOPBACK = "127.0.0.1";
  private static final SettingKey<Integer> NODES = HazelcastDriver.DECLARED.integer("jmh-nodes");

  static final List<PathDescription> DESCRIPTIONS =
      Stream.of(Benchmark.values()).map(benchmark -> benchmark.description(false, NODES)).toList();

  /** Found by {@link java.util.ServiceLoader}. */
  public HazelcastCaches() {}

  @Override
  public Caches start(BenchmarkSpec spec) {
    Member.raiseCommonPool();
    Settings settings = spec.trial().settings();
    Config config = new Config().setClusterName(spec.trial().id());
    config.setProperty("hazelcast.logging.type", "none");
    // The system picks a free port.
    NetworkConfig unused = Member.listen(config, settings, LOOPBACK, 0);
    return new OfMember(Hazelcast.newHazelcastInstance(config), settings);
  }

  private record OfMember(HazelcastInstance member, Settings settings) implements Caches {
    @Override
    public CacheUnderTest open(CacheSpec spec) {
      int partitions = settings.get(HazelcastDriver.PARTITIONS);
      if (spec.bound() < partitions) {
        throw GridException.of(
            "Hazelcast cannot bound a map below its %d partitions, and %d entries are asked for:"
                + " set 'partitions' to less.",
            partitions, spec.bound());
      }
      MapConfig map =
          new MapConfig(spec.name())
              .setBackupCount(0)
              .setEvictionConfig(
                  new EvictionConfig()
                      .setMaxSizePolicy(MaxSizePolicy.PER_NODE)
                      .setEvictionPolicy(EvictionPolicy.LRU)
                      .setSize(spec.bound()));
      spec.loader()
          .ifPresent(
              loader -> {
                Loaders.OF_MAP.put(spec.name(), loader);
                map.setMapStoreConfig(
                    new MapStoreConfig()
                        .setEnabled(true)
                        .setFactoryClassName(Loaders.class.getName()));
              });
      member.getConfig().addMapConfig(map);
      return new MapUnderTest(member, member.getMap(spec.name()));
    }

    @Override
    public Map<String, String> configuration() {
      return Member.configuration(member);
    }

    @Override
    public void close() {
      member.getLifecycleService().terminate();
    }
  }

  /**
   * Makes the loader of a map. Hazelcast serializes the configuration of a map that is added to a
   * running member, so that it must name a class and cannot hold the loader.
   */
  public static final class Loaders implements MapStoreFactory<Integer, Integer> {
    private static final Map<String, CacheSpec.Loader> OF_MAP = new ConcurrentHashMap<>();

    /** Made by Hazelcast, from its name. */
    public Loaders() {}

    @Override
    public MapLoader<Integer, Integer> newMapStore(String map, Properties none) {
      return new Loading(
          Objects.requireNonNull(OF_MAP.get(map), "The loader is noted before the map is made."));
    }
  }

  private record Loading(CacheSpec.Loader loader) implements MapLoader<Integer, Integer> {
    @Override
    public Integer load(Integer key) {
      return loader.load(key);
    }

    @Override
    public Map<Integer, Integer> loadAll(Collection<Integer> keys) {
      return loader.loadAll(keys);
    }

    @Override
    public Iterable<Integer> loadAllKeys() {
      return List.of();
    }
  }

  private record MapUnderTest(HazelcastInstance member, IMap<Integer, Integer> map)
      implements CacheUnderTest {
    @Override
    public @Nullable Integer get(Integer key) {
      return map.get(key);
    }

    @Override
    public void put(Integer key, Integer value) {
      map.set(key, value);
    }

    @Override
    public Integer getOrLoad(Integer key) {
      return Objects.requireNonNull(map.get(key), "The loader loads every key.");
    }

    @Override
    public Map<Integer, Integer> getAllOrLoad(Set<Integer> keys) {
      return map.getAll(keys);
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      for (Map.Entry<Integer, Integer> each : map) {
        entry.accept(each.getKey(), each.getValue());
      }
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public Map<String, String> configuration() {
      MapConfig config = member.getConfig().findMapConfig(map.getName());
      Map<String, String> facts = new TreeMap<>();
      facts.put("cache.eviction", config.getEvictionConfig().toString());
      return facts;
    }

    @Override
    public void close() {
      map.destroy();
    }
  }
}
