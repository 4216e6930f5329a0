package io.pyrometer.ignite.writer;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCache;
import org.jspecify.annotations.Nullable;

/**
 * A partition-aware thin client's connections, one to each node. Ignite's thin client sends a call
 * for one key to the key's primary node, but {@code putAll} and {@code removeAll} to any node,
 * which forwards most of the entries. Here a batch whose keys have one primary node goes straight
 * to it.
 *
 * <p>Implementation note: there is no public way to do so. The methods that Ignite uses for single
 * keys are called by reflection; where a version of Ignite does not have them, {@link #of} is
 * empty, and batches are sent as Ignite sends them.
 */
final class PrimaryChannels {
  private final ClientCache<?, ?> cache;
  private final int cacheId;
  private final Object channel;
  private final Object affinity;
  private final Method send;
  private final Method refresh;
  private final Method owner;
  private final Method writeEntries;
  private final Method writeKeys;
  private final Object putAll;
  private final Object removeAll;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private PrimaryChannels(ClientCache<?, ?> cache) throws ReflectiveOperationException {
    this.cache = cache;
    this.cacheId = (Integer) read(cache, "cacheId");
    this.channel = read(cache, "ch");
    this.affinity = read(channel, "affinityCtx");
    this.send = method(channel, "affinityServiceAsync", 5);
    this.refresh = method(channel, "affinityInfoIsUpToDate", 1);
    this.owner = affinity.getClass().getMethod("affinityNode", int.class, int.class);
    owner.setAccessible(true);
    this.writeEntries = method(cache, "writeEntries", 3);
    this.writeKeys = method(cache, "writeKeys", 3);
    Class<? extends Enum> operations = send.getParameterTypes()[2].asSubclass(Enum.class);
    this.putAll = Enum.valueOf(operations, "CACHE_PUT_ALL");
    this.removeAll = Enum.valueOf(operations, "CACHE_REMOVE_KEYS");
  }

  /** The connections of a cache's client; empty if it is not aware of partitions. */
  static Optional<PrimaryChannels> of(ClientCache<?, ?> cache) {
    try {
      PrimaryChannels channels = new PrimaryChannels(cache);
      boolean aware = (Boolean) read(channels.channel, "partitionAwarenessEnabled");
      return aware ? Optional.of(channels) : Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Object read(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private static Method method(Object object, String name, int parameters)
      throws ReflectiveOperationException {
    Method method =
        Stream.of(object.getClass().getDeclaredMethods())
            .filter(m -> m.getName().equals(name) && m.getParameterCount() == parameters)
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException(name));
    method.setAccessible(true);
    return method;
  }

  /**
   * The primary node of each partition as the client knows it now; may ask the cluster.
   *
   * @return empty if the client does not know it
   */
  Optional<Placement> placement() {
    call(refresh, channel, cacheId);
    List<Object> owners =
        IntStream.iterate(0, partition -> partition + 1)
            .<@Nullable Object>mapToObj(partition -> call(owner, affinity, cacheId, partition))
            .takeWhile(Objects::nonNull)
            .toList();
    return owners.isEmpty() ? Optional.empty() : Optional.of(Placement.ofPrimaries(owners));
  }

  /** Writes entries by a call to the primary node of the first key. */
  CompletionStage<?> putAll(Map<?, ?> entries) {
    return send(entries.keySet(), putAll, out -> call(writeEntries, cache, entries, out, null));
  }

  /** Removes keys by a call to the primary node of the first key. */
  CompletionStage<?> removeAll(Set<?> keys) {
    return send(keys, removeAll, out -> call(writeKeys, cache, keys, out, null));
  }

  private CompletionStage<?> send(Collection<?> keys, Object operation, Consumer<?> writer) {
    Object first = keys.iterator().next();
    @Nullable Function<?, ?> noAnswer = null;
    Object sent = call(send, channel, cacheId, first, operation, writer, noAnswer);
    if (sent instanceof CompletionStage<?> stage) {
      return stage;
    }
    throw new IllegalStateException("Ignite's thin client gave no future for a call");
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
