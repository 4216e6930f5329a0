package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.plugin.security.SecurityException;

/**
 * Reads the errors of {@link org.apache.ignite.IgniteCache}. Errors of Ignite's internal packages
 * are known by their names, so that no class of those packages is linked.
 *
 * <p>A broken connection of a thick client puts nothing in doubt: servers drop update requests of a
 * client that has left ({@code GridDhtAtomicCache.processNearAtomicUpdateRequest}), and it has left
 * before it reconnects.
 */
final class ThickFaults {
  private static final String[] PASSING = {
    "org.apache.ignite.internal.cluster.ClusterTopologyCheckedException",
    "org.apache.ignite.internal.IgniteClientDisconnectedCheckedException",
    "org.apache.ignite.internal.NodeStoppingException"
  };

  private ThickFaults() {}

  /**
   * Reads an error.
   *
   * @param usable whether the cache is open and its node runs: if not, no write can succeed
   */
  static Fault read(Throwable error, BooleanSupplier usable) {
    Causes causes = Causes.of(error);
    Optional<CachePartialUpdateException> partial = causes.first(CachePartialUpdateException.class);
    Collection<?> failed =
        partial.<Collection<?>>map(CachePartialUpdateException::failedKeys).orElse(List.of());
    Optional<CompletionStage<?>> reconnected =
        causes
            .first(IgniteClientDisconnectedException.class)
            .flatMap(e -> Optional.ofNullable(e.reconnectFuture()))
            .map(ThickFaults::stage);
    return new Fault(kind(causes, usable), failed, told(error, partial), reconnected);
  }

  private static Fault.Kind kind(Causes causes, BooleanSupplier usable) {
    if (!usable.getAsBoolean() || causes.hasAny(SecurityException.class)) {
      return Fault.Kind.FINAL;
    }
    boolean passing =
        causes.hasAny(ClusterTopologyException.class, IgniteClientDisconnectedException.class)
            || causes.hasAnyNamed(PASSING);
    return passing ? Fault.Kind.PASSING : Fault.Kind.KEYS;
  }

  private static CompletionStage<?> stage(IgniteFuture<?> future) {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    future.listen(done -> stage.complete(null));
    return stage;
  }

  /** A partial failure only lists keys; what happened to them is suppressed in its cause. */
  private static Throwable told(Throwable error, Optional<CachePartialUpdateException> partial) {
    Optional<Throwable> inner =
        partial.map(Throwable::getCause).filter(cause -> cause.getSuppressed().length > 0);
    return inner.map(cause -> cause.getSuppressed()[0]).orElse(Causes.unwrapped(error));
  }
}
