package io.pyrometer.ignite.writer;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientOperationType;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryPolicyContext;
import org.apache.ignite.configuration.ClientConfiguration;

/**
 * Finds out whether a thin client repeats writes by itself when their connection breaks, as it does
 * by default. Such a repetition may be acknowledged while the first sending still waits at a server
 * that works it off later, over newer writes.
 */
final class ThinRetries {
  private ThinRetries() {}

  /** Whether a client so configured repeats a write of the kinds that the writer makes. */
  static boolean repeatWrites(ClientConfiguration configuration) {
    ClientRetryPolicy policy = configuration.getRetryPolicy();
    if (policy == null || configuration.getRetryLimit() == 1) {
      return false;
    }
    return Stream.of(
            ClientOperationType.CACHE_PUT_ALL,
            ClientOperationType.CACHE_REMOVE_MULTIPLE,
            ClientOperationType.CACHE_PUT_IF_ABSENT)
        .anyMatch(operation -> policy.shouldRetry(new Question(configuration, operation)));
  }

  /**
   * The configuration of a cache's client. There is no public way to it; empty where the private
   * one does not lead there.
   */
  static Optional<ClientConfiguration> configuration(ClientCache<?, ?> cache) {
    try {
      Object channel = read(cache, "ch");
      return read(channel, "clientCfg") instanceof ClientConfiguration found
          ? Optional.of(found)
          : Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Object read(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private record Question(ClientConfiguration configuration, ClientOperationType operation)
      implements ClientRetryPolicyContext {
    @Override
    public int iteration() {
      return 0;
    }

    @Override
    public ClientConnectionException exception() {
      return new ClientConnectionException("asked whether a write would be repeated");
    }
  }
}
