package io.pyrometer.driver.ignite;

import io.pyrometer.chaos.ChaosClient;
import io.pyrometer.chaos.ChaosMessages.Accepted;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.NearCacheConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtPartitionTopology;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.jspecify.annotations.Nullable;

/** Operations on a cache of numbers, or of lists of numbers, whose history is checked. */
record IgniteChaos(ClientNode client, TrialSpec trial, String cache) implements ChaosSession {
  private static final String TRANSACTIONS = "chaos-transactions";
  private static final String THIN = "chaos-thin-registers";
  private static final String NEAR = "chaos-near-registers";

  private static final SettingKey<String> CONCURRENCY =
      GridSettings.DECLARED.text("chaos-concurrency");
  private static final SettingKey<String> ISOLATION = GridSettings.DECLARED.text("chaos-isolation");
  private static final SettingKey<Double> TIMEOUT = GridSettings.DECLARED.seconds("chaos-timeout");

  private static final CacheEntryProcessor<Long, Long, Boolean> INCREMENT =
      (entry, none) -> {
        entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
        return true;
      };

  static final List<PathDescription> DESCRIPTIONS =
      List.of(
          path(ChaosSettings.REGISTERS),
          path(THIN),
          path(NEAR),
          path(ChaosSettings.COUNTERS),
          path(
              TRANSACTIONS,
              GridSettings.ATOMICITY.withDefault("TRANSACTIONAL"),
              CONCURRENCY,
              ISOLATION,
              TIMEOUT));

  private static PathDescription path(String name, SettingKey<?>... own) {
    return ChaosSettings.path(
        name, GridSettings.DECLARED.summary(name), List.of(FaultKind.values()), own);
  }

  /**
   * @param made caches of this session, to which this one is added
   */
  static IgniteChaos open(ClientNode client, TrialSpec trial, Set<String> made) {
    IgniteChaos opened = new IgniteChaos(client, trial, NodeMetrics.CACHE_PREFIX + trial.id());
    TrialCache.create(
        opened.cache,
        () -> {
          opened.ignite().destroyCache(opened.cache);
          CacheConfiguration<Long, Object> configuration =
              TrialCache.configuration(opened.cache, trial.settings());
          IgniteCache<Long, Object> unused =
              trial.path().equals(NEAR)
                  ? opened.ignite().createCache(configuration, new NearCacheConfiguration<>())
                  : opened.ignite().createCache(configuration);
        });
    made.add(opened.cache);
    return opened;
  }

  private Ignite ignite() {
    return client.ignite();
  }

  @Override
  public Map<String, String> configuration() {
    return GridConfiguration.of(client, ignite().cache(cache), trial.settings());
  }

  /** Locks that are held to the end, or a check of all that was read, make them serializable. */
  @Override
  public Optional<Isolation> isolation() {
    if (!trial.path().equals(TRANSACTIONS)) {
      return Optional.empty();
    }
    String isolation = trial.settings().get(ISOLATION);
    boolean locks = trial.settings().get(CONCURRENCY).equals("PESSIMISTIC");
    return Optional.of(
        isolation.equals("SERIALIZABLE") || (locks && isolation.equals("REPEATABLE_READ"))
            ? Isolation.STRICT_SERIALIZABLE
            : Isolation.READ_COMMITTED);
  }

  /**
   * A backup or a near cache may hold the old value after others have read the new one of an
   * unfinished write ({@code lab/ignite-defects.md}).
   */
  @Override
  public Promise promise() {
    DataFacts data = new IgniteDriver().describe().data(trial.settings());
    boolean primary = data.reads() == DataFacts.Reads.PRIMARY && !trial.path().equals(NEAR);
    return (primary ? Promise.LINEARIZABLE : Promise.REGULAR).given(trial, data);
  }

  @Override
  public ChaosClient client(int process) {
    boolean near = trial.path().equals(NEAR);
    if (trial.path().equals(THIN) || (near && process % 2 == 1)) {
      return thin(process);
    }
    if (trial.path().equals(TRANSACTIONS)) {
      return new Lists();
    }
    return new Numbers(
        key -> this.<Long>entries().get(key),
        (key, value) -> entries().put(key, value),
        (key, expected, value) -> entries().replace(key, expected, value),
        key -> this.<Long>entries().invoke(key, INCREMENT),
        () -> {});
  }

  /** All partitions are owned by all servers that the affinity names; none is being moved. */
  @Override
  public boolean whole(int servers) {
    if (ignite().cluster().forServers().nodes().size() != servers) {
      return false;
    }
    GridDhtPartitionTopology topology =
        ((IgniteEx) ignite()).context().cache().internalCache(cache).context().topology();
    return topology.partitionMap(false).values().stream()
            .noneMatch(map -> map.hasMovingPartitions())
        && topology.partitionMap(false).size() == servers;
  }

  @Override
  public void accept(Accepted accepted) {
    ignite()
        .cluster()
        .state(
            switch (accepted) {
              case ALL -> ClusterState.ACTIVE;
              case READS -> ClusterState.ACTIVE_READ_ONLY;
              case NOTHING -> ClusterState.INACTIVE;
            });
  }

  @Override
  public void destroy() {
    ignite().destroyCache(cache);
  }

  @Override
  public void close() {}

  /** A client that the grid has dropped waits until it is connected again. */
  private static <T> T attempt(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (IgniteException | CacheException | ClientException failure) {
      IgniteClientDisconnectedException dropped =
          X.cause(failure, IgniteClientDisconnectedException.class);
      if (dropped != null) {
        Object unused = dropped.reconnectFuture().get();
      }
      // A write was refused, and not begun, because the cluster is read-only.
      throw X.hasCause(failure, "read-only mode", Throwable.class)
          ? new ChaosClient.NotCommittedException(failure)
          : failure;
    }
  }

  /**
   * The cache, not kept: calls of one that was got before the cluster was inactive never return
   * ({@code lab/ignite-defects.md}).
   *
   * @throws NotCommittedException if the cluster is inactive, so that no operation begins
   */
  private <V> IgniteCache<Long, V> entries() {
    try {
      return ignite().cache(cache);
    } catch (IgniteException refused) {
      throw X.hasCause(refused, "the cluster is inactive", Throwable.class)
          ? new ChaosClient.NotCommittedException(refused)
          : refused;
    }
  }

  /** Connected to one server, which may answer reads from its own copy; never repeats a write. */
  private ChaosClient thin(int process) {
    String[] addresses = client.thinAddresses();
    Arrays.sort(addresses);
    // A server that is gone is replaced by the next one.
    String[] own =
        Stream.concat(Stream.of(addresses).skip(process % addresses.length), Stream.of(addresses))
            .distinct()
            .toArray(String[]::new);
    IgniteClient thin =
        Ignition.startClient(
            client
                .thinClient()
                .setAddresses(own)
                .setPartitionAwarenessEnabled(false)
                .setRetryPolicy(new ClientRetryReadPolicy()));
    ClientCache<Long, Long> numbers = thin.cache(cache);
    return new Numbers(
        numbers::get,
        numbers::put,
        numbers::replace,
        key -> {
          throw new UnsupportedOperationException();
        },
        thin::close);
  }

  private interface Replacing {
    boolean replace(long key, long expected, long value);
  }

  private record Numbers(
      LongFunction<@Nullable Long> get,
      BiConsumer<Long, Long> put,
      Replacing replacing,
      LongFunction<?> adding,
      Runnable closing)
      implements ChaosClient {

    @Override
    public OptionalLong read(long key) {
      Long value = attempt(() -> get.apply(key));
      return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    @Override
    public void write(long key, long value) {
      attempt(
          () -> {
            put.accept(key, value);
            return true;
          });
    }

    @Override
    public boolean replace(long key, long expected, long value) {
      return attempt(() -> replacing.replace(key, expected, value));
    }

    @Override
    public void increment(long key) {
      Object unused = attempt(() -> adding.apply(key));
    }

    @Override
    public void close() {
      closing.run();
    }
  }

  private final class Lists implements ChaosClient {
    private final TransactionConcurrency concurrency =
        TransactionConcurrency.valueOf(trial.settings().get(CONCURRENCY));
    private final TransactionIsolation isolation =
        TransactionIsolation.valueOf(trial.settings().get(ISOLATION));
    private final long timeoutMillis = Math.max(1, Math.round(1e3 * trial.settings().get(TIMEOUT)));

    @Override
    public List<List<Long>> transact(long[] keys, long[] appended) {
      return attempt(() -> transaction(keys, appended));
    }

    private List<List<Long>> transaction(long[] keys, long[] appended) {
      boolean committing = false;
      IgniteCache<Long, List<Long>> lists = entries();
      List<List<Long>> found = new ArrayList<>();
      try (Transaction transaction =
          ignite().transactions().txStart(concurrency, isolation, timeoutMillis, keys.length)) {
        for (int i = 0; i < keys.length; i++) {
          List<Long> before = lists.get(keys[i]);
          found.add(before == null ? List.of() : List.copyOf(before));
          if (appended[i] != READ) {
            List<Long> after = new ArrayList<>(found.get(i));
            after.add(appended[i]);
            lists.put(keys[i], after);
          }
        }
        committing = true;
        transaction.commit();
        return found;
      } catch (IgniteException | CacheException failure) {
        if (committing) {
          throw failure;
        }
        // What was not told to commit is rolled back.
        throw new NotCommittedException(failure);
      }
    }
  }
}
