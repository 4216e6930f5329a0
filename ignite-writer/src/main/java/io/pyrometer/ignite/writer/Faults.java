package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.cache.CacheException;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.client.ClientAuthenticationException;
import org.apache.ignite.client.ClientAuthorizationException;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.transactions.TransactionDeadlockException;
import org.apache.ignite.transactions.TransactionHeuristicException;
import org.apache.ignite.transactions.TransactionRollbackException;
import org.apache.ignite.transactions.TransactionTimeoutException;

/**
 * Classifies failed calls by the classes of their exceptions and by Ignite's error codes, never by
 * text. What is not known is in doubt. Classes of Ignite's internal packages are known by their
 * names, so that none of them is linked.
 *
 * <p>A thick client's broken connection leaves nothing in doubt: servers drop update requests of a
 * client that has left ({@code GridDhtAtomicCache.processNearAtomicUpdateRequest}), and it has left
 * before it reconnects.
 */
final class Faults {
  private static final String[] PASSING = {
    "org.apache.ignite.internal.cluster.ClusterTopologyCheckedException",
    "org.apache.ignite.internal.IgniteClientDisconnectedCheckedException",
    "org.apache.ignite.internal.NodeStoppingException",
    "org.apache.ignite.internal.processors.cache.distributed.dht.IgniteClusterReadOnlyException"
  };
  private static final String[] LOCKED = {
    "org.apache.ignite.internal.transactions.IgniteTxTimeoutCheckedException",
    "org.apache.ignite.internal.transactions.IgniteTxRollbackCheckedException"
  };
  private static final String SERVER_ERROR =
      "org.apache.ignite.internal.client.thin.ClientServerError";

  // org.apache.ignite.internal.processors.platform.client.ClientStatus
  private static final Set<Integer> NOT_EXECUTED = Set.of(10, 11); // node inactive, in recovery
  private static final Set<Integer> USELESS = Set.of(2, 100, 1000, 1012, 2000);

  /** A call of which nothing was sent. */
  static final class NotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
      super(cause);
    }
  }

  private Faults() {}

  /**
   * Classifies an error of a thick client or server node.
   *
   * @param active whether the cluster is active: if not, writes wait
   * @param usable whether the cache is open and its node runs: if not, no write can succeed
   */
  static Fault ofThick(Throwable error, BooleanSupplier active, BooleanSupplier usable) {
    Causes causes = Causes.of(error);
    Throwable first = Causes.unwrapped(error);
    if (causes.hasAny(NotSentException.class)) {
      return Fault.of(Fault.Kind.NOT_SENT, first);
    }
    if (causes.hasAny(SecurityException.class)) {
      return Fault.of(Fault.Kind.FINAL, first);
    }
    if (causes.hasAny(ClusterTopologyException.class, IgniteClientDisconnectedException.class)
        || causes.hasAnyNamed(PASSING)) {
      return ofThick(causes, Fault.Kind.PASSING, first, usable);
    }
    if (!active.getAsBoolean()) {
      return Fault.of(Fault.Kind.PASSING, first);
    }
    if (causes.hasAny(TransactionHeuristicException.class)) {
      return Fault.of(Fault.Kind.IN_DOUBT, first);
    }
    if (causes.hasAny(
            TransactionTimeoutException.class,
            TransactionDeadlockException.class,
            TransactionRollbackException.class)
        || causes.hasAnyNamed(LOCKED)) {
      return Fault.of(Fault.Kind.LOCKED, first);
    }
    boolean ended =
        causes.hasAny(CacheException.class, IgniteException.class, IgniteCheckedException.class)
            || error instanceof IllegalStateException
            || error instanceof IllegalArgumentException
            || error instanceof ClassCastException;
    return ofThick(causes, ended ? Fault.Kind.KEYS : Fault.Kind.IN_DOUBT, first, usable);
  }

  private static Fault ofThick(
      Causes causes, Fault.Kind kind, Throwable first, BooleanSupplier usable) {
    if (!usable.getAsBoolean()) {
      return Fault.of(Fault.Kind.FINAL, first);
    }
    Optional<CachePartialUpdateException> partial = causes.first(CachePartialUpdateException.class);
    Collection<?> failed =
        partial.<Collection<?>>map(CachePartialUpdateException::failedKeys).orElse(List.of());
    boolean retriable = kind != Fault.Kind.KEYS;
    return new Fault(kind, failed, reported(first, partial), retriable);
  }

  /** A partial failure only lists keys; what happened to them is suppressed in its cause. */
  private static Throwable reported(
      Throwable first, Optional<CachePartialUpdateException> partial) {
    Optional<Throwable> inner =
        partial.map(Throwable::getCause).filter(cause -> cause.getSuppressed().length > 0);
    return inner.map(cause -> cause.getSuppressed()[0]).orElse(first);
  }

  /** Classifies an error of a thin client. A server's answer is the end of a call. */
  static Fault ofThin(Throwable error) {
    Causes causes = Causes.of(error);
    Throwable first = Causes.unwrapped(error);
    if (causes.hasAny(ClientAuthenticationException.class, ClientAuthorizationException.class)) {
      return Fault.of(Fault.Kind.FINAL, first);
    }
    Optional<Integer> code = causes.firstNamed(SERVER_ERROR).flatMap(Faults::code);
    if (code.isPresent()) {
      return Fault.of(
          NOT_EXECUTED.contains(code.get())
              ? Fault.Kind.PASSING
              : USELESS.contains(code.get()) ? Fault.Kind.FINAL : Fault.Kind.KEYS,
          first);
    }
    Optional<NotSentException> notSent = causes.first(NotSentException.class);
    if (notSent.isPresent()) {
      Throwable cause = Optional.ofNullable(notSent.get().getCause()).orElse(first);
      return Fault.of(
          causes.hasAny(ClientConnectionException.class) ? Fault.Kind.NOT_SENT : Fault.Kind.KEYS,
          cause);
    }
    return Fault.of(Fault.Kind.IN_DOUBT, first);
  }

  private static Optional<Integer> code(Throwable serverError) {
    try {
      return Optional.of((Integer) serverError.getClass().getMethod("getCode").invoke(serverError));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }
}
