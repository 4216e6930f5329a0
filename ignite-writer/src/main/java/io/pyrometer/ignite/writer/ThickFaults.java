package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.internal.IgniteClientDisconnectedCheckedException;
import org.apache.ignite.internal.NodeStoppingException;
import org.apache.ignite.internal.cluster.ClusterTopologyCheckedException;
import org.apache.ignite.internal.processors.cache.CacheStoppedException;
import org.apache.ignite.plugin.security.SecurityException;

/** Reads the errors of {@link org.apache.ignite.IgniteCache}. */
final class ThickFaults {
  private ThickFaults() {}

  static Fault read(Throwable error) {
    Causes causes = Causes.of(error);
    Optional<CachePartialUpdateException> partial = causes.first(CachePartialUpdateException.class);
    Collection<?> failed =
        partial.<Collection<?>>map(CachePartialUpdateException::failedKeys).orElse(List.of());
    return new Fault(kind(causes), failed, told(error, partial));
  }

  private static Fault.Kind kind(Causes causes) {
    if (causes.hasAny(
        ClusterTopologyException.class,
        ClusterTopologyCheckedException.class,
        IgniteClientDisconnectedException.class,
        IgniteClientDisconnectedCheckedException.class)) {
      return Fault.Kind.PASSING;
    }
    boolean isFinal =
        causes.hasAny(
            IllegalStateException.class,
            NodeStoppingException.class,
            CacheStoppedException.class,
            SecurityException.class);
    return isFinal ? Fault.Kind.FINAL : Fault.Kind.KEYS;
  }

  /** A partial failure only lists keys; what happened to them is suppressed in its cause. */
  private static Throwable told(Throwable error, Optional<CachePartialUpdateException> partial) {
    Optional<Throwable> inner =
        partial.map(Throwable::getCause).filter(cause -> cause.getSuppressed().length > 0);
    return inner.map(cause -> cause.getSuppressed()[0]).orElse(Causes.unwrapped(error));
  }
}
