package io.pyrometer.ignite.writer;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCluster;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientOperationType;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryPolicyContext;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.ClientConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * What a thin client has no public methods for: its configuration, the binary form of an object,
 * and calls that go straight to a primary node. Ignite's thin client sends a call for one key to
 * the key's primary node, but {@code putAll} and {@code removeAll} to any node, which forwards most
 * of the entries.
 *
 * <p>Called by reflection. {@link #of} is empty where a version of Ignite, or a wrapper around the
 * cache, does not have these members.
 */
final class ThinInternals {
  /** The first byte of a marshalled object that has fields ({@code GridBinaryMarshaller.OBJ}). */
  private static final byte OBJECT = 103;

  private final ClientCache<?, ?> cache;
  private final int cacheId;
  private final Object channel;
  private final Object affinity;
  private final Object marshaller;
  private final ClientConfiguration configuration;
  private final ClientCluster cluster;
  private final boolean partitionAware;
  private final Method marshal;
  private final Method context;
  private final Constructor<?> binaryObject;
  private final Method send;
  private final Method refresh;
  private final Method owner;
  private final Method writeEntries;
  private final Method writeKeys;
  private final Object putAll;
  private final Object removeAll;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private ThinInternals(ClientCache<?, ?> cache) throws ReflectiveOperationException {
    this.cache = cache;
    cacheId = (Integer) read(cache, "cacheId");
    channel = read(cache, "ch");
    affinity = read(channel, "affinityCtx");
    configuration = (ClientConfiguration) read(channel, "clientCfg");
    partitionAware = (Boolean) read(channel, "partitionAwarenessEnabled");
    marshaller = read(cache, "marsh");
    marshal = method(marshaller, "marshal", types -> true);
    context = method(marshaller, "context", types -> true);
    binaryObject =
        Class.forName("org.apache.ignite.internal.binary.BinaryObjectImpl")
            .getConstructor(context.getReturnType(), byte[].class, int.class);
    Class<? extends Enum> operations =
        Class.forName("org.apache.ignite.internal.client.thin.ClientOperation")
            .asSubclass(Enum.class);
    putAll = Enum.valueOf(operations, "CACHE_PUT_ALL");
    removeAll = Enum.valueOf(operations, "CACHE_REMOVE_KEYS");
    send = method(channel, "affinityService", types -> types[1] == Object.class);
    refresh = method(channel, "affinityInfoIsUpToDate", types -> true);
    owner = method(affinity, "affinityNode", types -> types[1] == int.class);
    writeEntries = method(cache, "writeEntries", types -> types.length == 3);
    writeKeys = method(cache, "writeKeys", types -> types.length == 3);
    Constructor<?> ofCluster =
        Class.forName("org.apache.ignite.internal.client.thin.ClientClusterImpl")
            .getDeclaredConstructor(channel.getClass(), marshaller.getClass());
    ofCluster.setAccessible(true);
    cluster = (ClientCluster) ofCluster.newInstance(channel, marshaller);
  }

  static Optional<ThinInternals> of(ClientCache<?, ?> cache) {
    try {
      return Optional.of(new ThinInternals(cache));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Object read(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private static Method method(Object object, String name, Predicate<Class<?>[]> parameters)
      throws NoSuchMethodException {
    Method method =
        Stream.of(object.getClass().getDeclaredMethods())
            .filter(of -> of.getName().equals(name) && parameters.test(of.getParameterTypes()))
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException(name));
    method.setAccessible(true);
    return method;
  }

  boolean isPartitionAware() {
    return partitionAware;
  }

  /** The state of the cluster, asked of a server. */
  ClusterState state() {
    return cluster.state();
  }

  /** Whether the client repeats a write by itself when its connection breaks. */
  boolean repeatsWrites() {
    return repeatWrites(configuration);
  }

  static boolean repeatWrites(ClientConfiguration configuration) {
    ClientRetryPolicy policy = configuration.getRetryPolicy();
    return policy != null
        && configuration.getRetryLimit() != 1
        && Stream.of(ClientOperationType.CACHE_PUT_ALL, ClientOperationType.CACHE_REMOVE_MULTIPLE)
            .anyMatch(operation -> policy.shouldRetry(new Question(configuration, operation)));
  }

  private record Question(ClientConfiguration configuration, ClientOperationType operation)
      implements ClientRetryPolicyContext {
    @Override
    public int iteration() {
      return 0;
    }

    @Override
    public ClientConnectionException exception() {
      return new ClientConnectionException("would a write be repeated?");
    }
  }

  /** The binary form of an object with fields; other objects themselves, marshalled as a check. */
  Object toBinary(Object object) {
    byte[] bytes = (byte[]) Objects.requireNonNull(call(marshal, marshaller, object));
    if (bytes[0] != OBJECT) {
      return object;
    }
    try {
      return binaryObject.newInstance(call(context, marshaller), bytes, 0);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Ignite's binary object cannot be created", e);
    }
  }

  /**
   * The primary node of each partition as the client knows it now; may ask the cluster.
   *
   * @return empty if the client does not know it
   */
  Optional<Placement> placement() {
    if (!partitionAware) {
      return Optional.empty();
    }
    call(refresh, channel, cacheId);
    List<Object> owners =
        IntStream.iterate(0, partition -> partition + 1)
            .<@Nullable Object>mapToObj(this::owner)
            .takeWhile(Objects::nonNull)
            .toList();
    return owners.isEmpty() ? Optional.empty() : Optional.of(Placement.ofPrimaries(owners));
  }

  private @Nullable Object owner(int partition) {
    return owner.getParameterCount() == 2 // the operation is given since 2.18
        ? call(owner, affinity, cacheId, partition)
        : call(owner, affinity, cacheId, partition, putAll);
  }

  /** Writes or removes entries by a call to the primary node of the first key. */
  void send(BatchMap batch) {
    Consumer<?> writer =
        batch.isRemoval()
            ? out -> call(writeKeys, cache, batch.keySet(), out, null)
            : out -> call(writeEntries, cache, batch, out, null);
    Object operation = batch.isRemoval() ? removeAll : putAll;
    call(send, channel, cacheId, batch.first(), operation, writer, null);
  }

  /** Calls a method of Ignite's, and throws what it throws. */
  private static @Nullable Object call(
      Method method, Object target, @Nullable Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("Ignite's thin client failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Ignite's thin client cannot be called", e);
    }
  }
}
