package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
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
 * What a failed call means for its keys. Calls are classified by the classes of their exceptions
 * and by Ignite's error codes, never by text. What is not known is in doubt. Classes of Ignite's
 * internal packages are known by their names, so that none of them is linked.
 *
 * <p>A thick client's broken connection leaves nothing in doubt: servers drop update requests of a
 * client that has left ({@code GridDhtAtomicCache.processNearAtomicUpdateRequest}), and it has left
 * before it reconnects.
 *
 * @param kind what follows from it
 * @param failedKeys the keys that failed; empty if any of the call's keys may have failed
 * @param cause the first cause worth reporting
 * @param retriable whether the same write may succeed later
 */
record Fault(Kind kind, Collection<?> failedKeys, Throwable cause, boolean retriable) {
  enum Kind {
    /** Nothing was sent: the call may be repeated in any case. */
    NOT_SENT,
    /** The call has ended, and may succeed if it is repeated: the cluster has changed. */
    PASSING,
    /** The call has ended, and failed because of some of its keys: others may succeed alone. */
    KEYS,
    /** As KEYS, but a lock of one key may have caused it, which may be free later. */
    LOCKED,
    /** The call may have been sent and may still be applied. */
    IN_DOUBT,
    /** No write can succeed any more. */
    FINAL
  }

  private static final int MAX_DEPTH = 64;
  private static final Set<String> PASSING =
      Set.of(
          "org.apache.ignite.internal.cluster.ClusterTopologyCheckedException",
          "org.apache.ignite.internal.IgniteClientDisconnectedCheckedException",
          "org.apache.ignite.internal.NodeStoppingException",
          "org.apache.ignite.internal.processors.cache.distributed.dht.IgniteClusterReadOnlyException");
  private static final Set<String> LOCKED =
      Set.of(
          "org.apache.ignite.internal.transactions.IgniteTxTimeoutCheckedException",
          "org.apache.ignite.internal.transactions.IgniteTxRollbackCheckedException");
  private static final Set<String> LOST_PARTITIONS =
      Set.of("org.apache.ignite.internal.processors.cache.CacheInvalidStateException");
  private static final Set<String> SERVER_ERROR =
      Set.of("org.apache.ignite.internal.client.thin.ClientServerError");

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

  Fault {
    failedKeys = List.copyOf(failedKeys);
  }

  static Fault of(Kind kind, Throwable cause) {
    boolean retriable = kind != Kind.KEYS && kind != Kind.FINAL;
    return new Fault(kind, List.of(), cause, retriable);
  }

  /**
   * Classifies an error of a thick client or server node.
   *
   * @param active whether the cluster is active: if not, writes wait
   * @param usable whether the cache is open and its node runs: if not, no write can succeed
   */
  static Fault ofThick(Throwable error, BooleanSupplier active, BooleanSupplier usable) {
    List<Throwable> chain = chain(error);
    Throwable first = unwrapped(error);
    if (has(chain, NotSentException.class)) {
      return of(Kind.NOT_SENT, first);
    }
    if (has(chain, SecurityException.class)) {
      return of(Kind.FINAL, first);
    }
    if (has(chain, ClusterTopologyException.class, IgniteClientDisconnectedException.class)
        || named(chain, PASSING).isPresent()) {
      return ofThick(chain, Kind.PASSING, first, usable);
    }
    if (!active.getAsBoolean()) {
      return of(Kind.PASSING, first);
    }
    if (has(chain, TransactionHeuristicException.class)) {
      return of(Kind.IN_DOUBT, first);
    }
    if (has(
            chain,
            TransactionTimeoutException.class,
            TransactionDeadlockException.class,
            TransactionRollbackException.class)
        || named(chain, LOCKED).isPresent()) {
      return of(Kind.LOCKED, first);
    }
    boolean ended =
        has(chain, CacheException.class, IgniteException.class, IgniteCheckedException.class)
            || error instanceof IllegalStateException
            || error instanceof IllegalArgumentException
            || error instanceof ClassCastException;
    return ofThick(chain, ended ? Kind.KEYS : Kind.IN_DOUBT, first, usable);
  }

  private static Fault ofThick(
      List<Throwable> chain, Kind kind, Throwable first, BooleanSupplier usable) {
    if (!usable.getAsBoolean()) {
      return of(Kind.FINAL, first);
    }
    Optional<CachePartialUpdateException> partial =
        all(chain, CachePartialUpdateException.class).findFirst();
    Collection<?> failed =
        partial.<Collection<?>>map(CachePartialUpdateException::failedKeys).orElse(List.of());
    boolean retriable = kind != Kind.KEYS || named(chain, LOST_PARTITIONS).isPresent();
    return new Fault(kind, failed, reported(first, partial), retriable);
  }

  /** A partial failure only lists keys; what happened to them is suppressed in its cause. */
  private static Throwable reported(
      Throwable first, Optional<CachePartialUpdateException> partial) {
    return partial
        .map(Throwable::getCause)
        .flatMap(cause -> Arrays.stream(cause.getSuppressed()).findFirst())
        .orElse(first);
  }

  /** Classifies an error of a thin client. A server's answer is the end of a call. */
  static Fault ofThin(Throwable error) {
    List<Throwable> chain = chain(error);
    Throwable first = unwrapped(error);
    if (has(chain, ClientAuthenticationException.class, ClientAuthorizationException.class)) {
      return of(Kind.FINAL, first);
    }
    Optional<Integer> code = named(chain, SERVER_ERROR).flatMap(Fault::code);
    if (code.isPresent()) {
      return of(
          NOT_EXECUTED.contains(code.get())
              ? Kind.PASSING
              : USELESS.contains(code.get()) ? Kind.FINAL : Kind.KEYS,
          first);
    }
    Optional<NotSentException> notSent = all(chain, NotSentException.class).findFirst();
    if (notSent.isPresent()) {
      return of(
          has(chain, ClientConnectionException.class) ? Kind.NOT_SENT : Kind.KEYS,
          Optional.ofNullable(notSent.get().getCause()).orElse(first));
    }
    return of(Kind.IN_DOUBT, first);
  }

  private static Optional<Integer> code(Throwable serverError) {
    try {
      return Optional.of((Integer) serverError.getClass().getMethod("getCode").invoke(serverError));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  static Throwable unwrapped(Throwable error) {
    boolean wraps = error instanceof CompletionException || error instanceof ExecutionException;
    return wraps && error.getCause() != null ? unwrapped(error.getCause()) : error;
  }

  /** An error and its causes, from the outside in, with what is suppressed at each. */
  static List<Throwable> chain(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    collect(error, chain);
    return chain;
  }

  private static void collect(Throwable error, List<Throwable> chain) {
    if (chain.size() == MAX_DEPTH || chain.contains(error)) {
      return;
    }
    chain.add(error);
    if (error.getCause() != null) {
      collect(error.getCause(), chain);
    }
    for (Throwable suppressed : error.getSuppressed()) {
      collect(suppressed, chain);
    }
  }

  static <T extends Throwable> Stream<T> all(List<Throwable> chain, Class<T> type) {
    return chain.stream().filter(type::isInstance).map(type::cast);
  }

  private static boolean has(List<Throwable> chain, Class<?>... types) {
    return chain.stream()
        .anyMatch(error -> Arrays.stream(types).anyMatch(type -> type.isInstance(error)));
  }

  /** The first error that has a class, or a superclass, of one of these names. */
  private static Optional<Throwable> named(List<Throwable> chain, Set<String> names) {
    return chain.stream()
        .filter(
            error ->
                Stream.<Class<?>>iterate(
                        error.getClass(), type -> type != null, Class::getSuperclass)
                    .anyMatch(type -> names.contains(type.getName())))
        .findFirst();
  }
}
