package io.pyrometer.driver.ignite;

import io.pyrometer.chaos.ChaosClient;
import io.pyrometer.chaos.ChaosMessages.Accepted;
import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.RegisterSession;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
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
import java.util.function.IntFunction;
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
import org.jspecify.annotations.Nullable;

/** Operations on a cache of numbers, or of lists of numbers, whose history is checked. */
record IgniteChaos(
    ClientNode client, TrialSpec trial, String cache, IntFunction<Transaction> transactions)
    implements RegisterSession {
  private static final String TRANSACTIONS = "chaos-transactions";
  private static final String THIN = "chaos-thin-registers";
  private static final String NEAR = "chaos-near-registers";

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
              GridSettings.DECLARED.text("chaos-concurrency"),
              GridSettings.DECLARED.text("chaos-isolation"),
              GridSettings.DECLARED.seconds("chaos-timeout")));

  private static PathDescription path(String name, SettingKey<?>... own) {
    return ChaosSettings.path(
        name, GridSettings.DECLARED.summary(name), List.of(FaultKind.values()), own);
  }

  /**
   * @param made caches of this session, to which this one is added
   */
  static IgniteChaos open(ClientNode client, TrialSpec trial, Set<String> made) {
    String cache = trial.cacheName();
    Ignite ignite = client.ignite();
    TrialCache.create(
        cache,
        () -> {
          ignite.destroyCache(cache);
          CacheConfiguration<Long, Object> configuration =
              TrialCache.configuration(cache, trial.settings());
          IgniteCache<Long, Object> unused =
              trial.path().equals(NEAR)
                  ? ignite.createCache(configuration, new NearCacheConfiguration<>())
                  : ignite.createCache(configuration);
        });
    made.add(cache);
    return new IgniteChaos(client, trial, cache, client.transactions(trial.settings()));
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
    String isolation = trial.settings().get(GridSettings.ISOLATION);
    boolean locks = trial.settings().get(GridSettings.CONCURRENCY).equals("PESSIMISTIC");
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
    boolean thin = trial.path().equals(THIN) || (trial.path().equals(NEAR) && process % 2 == 1);
    return thin ? thin(process) : this;
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
          ? new NotCommittedException(failure)
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
          ? new NotCommittedException(refused)
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
                .thin()
                .get()
                .setAddresses(own)
                .setPartitionAwarenessEnabled(false)
                .setRetryPolicy(new ClientRetryReadPolicy()));
    return new Thin(thin, thin.cache(cache));
  }

  private record Thin(IgniteClient client, ClientCache<Long, Long> numbers) implements ChaosClient {
    @Override
    public OptionalLong read(long key) {
      return attempt(() -> optional(numbers.get(key)));
    }

    @Override
    public void write(long key, long value) {
      attempt(
          () -> {
            numbers.put(key, value);
            return true;
          });
    }

    @Override
    public boolean replace(long key, long expected, long value) {
      return attempt(() -> numbers.replace(key, expected, value));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @Override
  public OptionalLong read(long key) {
    return attempt(() -> optional(this.<Long>entries().get(key)));
  }

  @Override
  public void write(long key, long value) {
    attempt(
        () -> {
          entries().put(key, value);
          return true;
        });
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return attempt(() -> entries().replace(key, expected, value));
  }

  @Override
  public void increment(long key) {
    boolean unused = attempt(() -> this.<Long>entries().invoke(key, INCREMENT));
  }

  @Override
  public List<List<Long>> transact(long[] keys, long[] appended) {
    return attempt(() -> transaction(keys, appended));
  }

  private List<List<Long>> transaction(long[] keys, long[] appended) {
    boolean committing = false;
    IgniteCache<Long, List<Long>> lists = entries();
    List<List<Long>> found = new ArrayList<>();
    try (Transaction transaction = transactions.apply(keys.length)) {
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
