package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * The partitions of a thick cache and the nodes that hold them, by its public affinity.
 *
 * <p>Implementation note: the affinity of a cache passes several locks and look-ups for each key.
 * Keys of the JDK's own classes are their own affinity keys, so their partition is asked of the
 * cache's affinity function directly.
 */
final class ThickTopology implements Topology {
  private static final Set<Class<?>> PLAIN =
      Set.of(
          Long.class,
          Integer.class,
          String.class,
          UUID.class,
          Short.class,
          Byte.class,
          Character.class,
          Double.class,
          Float.class);
  private static final List<?> NOBODY = List.of("no node");

  private final Supplier<Affinity<Object>> ask;
  private volatile Affinity<Object> affinity;
  private final AffinityFunction function;
  private final boolean knowsFunction;
  private final List<Integer> partitions;

  private ThickTopology(Supplier<Affinity<Object>> ask, CacheConfiguration<?, ?> settings) {
    this.ask = ask;
    this.affinity = ask.get();
    boolean known = settings.getAffinity() != null && isDefaultMapper(settings);
    this.function = known ? settings.getAffinity() : new RendezvousAffinityFunction();
    this.knowsFunction = known && function.partitions() == affinity.partitions();
    this.partitions = IntStream.range(0, affinity.partitions()).boxed().toList();
  }

  @SuppressWarnings("unchecked")
  static ThickTopology of(IgniteCache<?, ?> cache) {
    Ignite ignite = cache.unwrap(Ignite.class);
    return new ThickTopology(
        () -> ignite.affinity(cache.getName()), cache.getConfiguration(CacheConfiguration.class));
  }

  @SuppressWarnings("deprecation")
  private static boolean isDefaultMapper(CacheConfiguration<?, ?> settings) {
    Object mapper = settings.getAffinityMapper();
    return mapper == null || mapper.getClass().getName().startsWith("org.apache.ignite.internal.");
  }

  @Override
  public int partitions() {
    return partitions.size();
  }

  @Override
  public int partition(Object key) {
    boolean plain = knowsFunction && PLAIN.contains(key.getClass());
    return plain ? function.partition(key) : affinity.partition(key);
  }

  /** Asks anew each time: a client that has reconnected has new caches with new affinities. */
  @Override
  public Placement placement() {
    affinity = ask.get();
    return new Placement(partitions.stream().map(this::owners).toList());
  }

  private List<?> owners(int partition) {
    Collection<ClusterNode> nodes = affinity.mapPartitionToPrimaryAndBackups(partition);
    return nodes.isEmpty() ? NOBODY : nodes.stream().map(ClusterNode::id).toList();
  }
}
