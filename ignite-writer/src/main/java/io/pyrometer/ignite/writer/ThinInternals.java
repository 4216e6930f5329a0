package io.pyrometer.ignite.writer;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCluster;
import org.apache.ignite.client.ClientRetryNonePolicy;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.client.ClientTransactions;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.internal.binary.BinaryContext;
import org.apache.ignite.internal.binary.BinaryObjectImpl;
import org.apache.ignite.internal.client.thin.ClientOperation;
import org.jspecify.annotations.Nullable;

/**
 * Access to what a thin client has no public methods for: its configuration, the binary form of an
 * object, and calls that go straight to a primary node. Ignite's thin client sends a call for one
 * key to the key's primary node, but {@code putAll} and {@code removeAll} to any node, which
 * forwards most of the entries.
 *
 * <p>Called by reflection.
 */
final class ThinInternals {
  /** The first byte of a marshalled object that has fields ({@code GridBinaryMarshaller.OBJ}). */
  private static final byte OBJECT = 103;

  final ClientCluster cluster;
  final ClientTransactions transactions;
  final boolean partitionAware;
  private final ClientCache<?, ?> cache;
  private final int cacheId;
  private final Object channel;
  private final Object affinity;
  private final Object marshaller;
  private final ClientConfiguration configuration;
  private final Map<String, Method> methods = new HashMap<>();

  private ThinInternals(ClientCache<?, ?> cache) throws ReflectiveOperationException {
    this.cache = cache;
    cacheId = (Integer) read(cache, "cacheId");
    channel = read(cache, "ch");
    affinity = read(channel, "affinityCtx");
    configuration = (ClientConfiguration) read(channel, "clientCfg");
    partitionAware = (Boolean) read(channel, "partitionAwarenessEnabled");
    transactions = (ClientTransactions) read(cache, "transactions");
    marshaller = read(cache, "marsh");
    find(marshaller, "marshal", types -> true);
    find(marshaller, "context", types -> true);
    find(channel, "affinityService", types -> types[1] == Object.class);
    find(channel, "affinityInfoIsUpToDate", types -> true);
    find(affinity, "affinityNode", types -> types[1] == int.class);
    find(cache, "writeEntries", types -> types.length == 3);
    find(cache, "writeKeys", types -> types.length == 3);
    Constructor<?> ofCluster =
        Class.forName("org.apache.ignite.internal.client.thin.ClientClusterImpl")
            .getDeclaredConstructor(channel.getClass(), marshaller.getClass());
    ofCluster.setAccessible(true);
    cluster = (ClientCluster) ofCluster.newInstance(channel, marshaller);
  }

  /** Internals of a cache; refuses a version of Ignite or a wrapper that does not have them. */
  static ThinInternals of(ClientCache<?, ?> cache) {
    try {
      return new ThinInternals(cache);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "the configuration of the thin client cannot be read from "
              + cache.getClass().getName()
              + "; give the writer the client's own cache, not one that wraps it",
          e);
    }
  }

  private static Object read(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private void find(Object object, String name, Predicate<Class<?>[]> parameters)
      throws NoSuchMethodException {
    Method method =
        Stream.of(object.getClass().getDeclaredMethods())
            .filter(of -> of.getName().equals(name) && parameters.test(of.getParameterTypes()))
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException(name));
    method.setAccessible(true);
    methods.put(name, method);
  }

  /** Refuses a client that repeats a write by itself when its connection breaks, or may do so. */
  void requireNoRetries() {
    ClientRetryPolicy policy = configuration.getRetryPolicy();
    if (policy != null
        && configuration.getRetryLimit() != 1
        && policy.getClass() != ClientRetryReadPolicy.class
        && policy.getClass() != ClientRetryNonePolicy.class) {
      throw new IllegalStateException(
          "the thin client repeats writes by itself when their connection breaks, so that an"
              + " acknowledged write may later be overwritten by an older one; configure the"
              + " client with setRetryPolicy(new ClientRetryReadPolicy())");
    }
  }

  /** The binary form of an object with fields; other objects themselves, marshalled as a check. */
  Object toBinary(Object object) {
    byte[] bytes = (byte[]) Objects.requireNonNull(call("marshal", marshaller, object));
    return bytes[0] == OBJECT
        ? new BinaryObjectImpl((BinaryContext) call("context", marshaller), bytes, 0)
        : object;
  }

  /**
   * The primary node of each partition as the client knows it now; may ask the cluster.
   *
   * @return empty if the client does not know it
   */
  List<?> primaries() {
    if (!partitionAware) {
      return List.of();
    }
    call("affinityInfoIsUpToDate", channel, cacheId);
    return IntStream.iterate(0, partition -> partition + 1)
        .<@Nullable Object>mapToObj(this::owner)
        .takeWhile(Objects::nonNull)
        .collect(Collectors.toList());
  }

  private @Nullable Object owner(int partition) {
    Object[] arguments = {cacheId, partition, ClientOperation.CACHE_PUT_ALL}; // that since 2.18
    int count = Objects.requireNonNull(methods.get("affinityNode")).getParameterCount();
    return call("affinityNode", affinity, Arrays.copyOf(arguments, count));
  }

  /** Writes or removes entries by a call to the primary node of the first key. */
  void send(BatchMap batch) {
    boolean removal = batch.isRemoval();
    Consumer<?> body =
        removal
            ? out -> call("writeKeys", cache, batch.keySet(), out, null)
            : out -> call("writeEntries", cache, batch, out, null);
    ClientOperation operation =
        removal ? ClientOperation.CACHE_REMOVE_KEYS : ClientOperation.CACHE_PUT_ALL;
    call(
        "affinityService",
        channel,
        cacheId,
        batch.writes().get(0).key.encoded,
        operation,
        body,
        null);
  }

  /** Calls a method of Ignite's, and throws what it throws. */
  private @Nullable Object call(String method, Object target, @Nullable Object... arguments) {
    try {
      return Objects.requireNonNull(methods.get(method)).invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      if (e.getCause() instanceof Error) {
        throw (Error) e.getCause();
      }
      throw new IllegalStateException("Ignite's thin client failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Ignite's thin client cannot be called", e);
    }
  }
}
