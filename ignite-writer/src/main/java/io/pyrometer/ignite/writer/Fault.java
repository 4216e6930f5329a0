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
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.internal.client.thin.ClientServerError;

/**
 * Classification of a failed call, by the classes of its exceptions and Ignite's error codes, never
 * by text. What is not known is in doubt. Ignite's classes are known by their names, because most
 * are internal.
 *
 * <p>A thick client's broken connection leaves nothing in doubt: servers drop update requests of a
 * client that has left ({@code GridDhtAtomicCache.processNearAtomicUpdateRequest}), and it has left
 * before it reconnects.
 */
final class Fault {
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
  private static final String[] PASSING = {
    "ClusterTopologyException",
    "ClusterTopologyCheckedException",
    "IgniteClientDisconnectedException",
    "IgniteClientDisconnectedCheckedException",
    "NodeStoppingException",
    "IgniteClusterReadOnlyException"
  };
  private static final String[] LOCKED = {
    "TransactionTimeoutException",
    "TransactionDeadlockException",
    "TransactionRollbackException",
    "IgniteTxTimeoutCheckedException",
    "IgniteTxRollbackCheckedException"
  };

  // org.apache.ignite.internal.processors.platform.client.ClientStatus
  private static final int NO_CACHE = 1000;
  private static final Set<Integer> NOT_EXECUTED = Set.of(10, 11); // node inactive, in recovery
  private static final Set<Integer> USELESS = Set.of(2, 100, 1012, 2000);

  /** Failure that a port has found by itself. */
  static final class FoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    FoundException(Kind kind, Throwable cause) {
      super(cause);
      this.kind = kind;
    }
  }

  final Kind kind;
  final Collection<?> failedKeys; // empty if any of the call's keys may have failed
  final Throwable cause; // the first one worth reporting
  final boolean retriable; // whether the same write may succeed later

  Fault(Kind kind, Collection<?> failedKeys, Throwable cause, boolean retriable) {
    this.kind = kind;
    this.failedKeys = List.copyOf(failedKeys);
    this.cause = cause;
    this.retriable = retriable;
  }

  static Fault of(Kind kind, Throwable cause) {
    boolean retriable = kind != Kind.KEYS && kind != Kind.FINAL;
    return new Fault(kind, List.of(), cause, retriable);
  }

  /**
   * Classifies an error of a thick client or server node. In a cluster that is not active writes
   * wait; on a node that is not running none can succeed.
   */
  static Fault ofThick(Throwable error, BooleanSupplier active, BooleanSupplier running) {
    List<Throwable> chain = chain(error);
    Throwable first = unwrapped(error);
    Optional<FoundException> found = all(chain, FoundException.class).findFirst();
    if (found.isPresent()) {
      return of(found.get().kind, first);
    }
    if (all(chain, SecurityException.class).findAny().isPresent()) {
      return of(Kind.FINAL, first);
    }
    boolean passing = has(chain, PASSING);
    if (!passing && !active.getAsBoolean()) {
      return of(Kind.PASSING, first);
    }
    if (!passing
        && has(
            chain,
            "TransactionHeuristicException",
            "IgniteInterruptedException",
            "IgniteInterruptedCheckedException")) {
      return of(Kind.IN_DOUBT, first);
    }
    if (!passing && has(chain, LOCKED)) {
      return of(Kind.LOCKED, first);
    }
    if (!running.getAsBoolean()) {
      return of(Kind.FINAL, first);
    }
    boolean ended =
        has(chain, "CacheException", "IgniteException", "IgniteCheckedException")
            || error instanceof IllegalStateException
            || error instanceof IllegalArgumentException
            || error instanceof ClassCastException;
    Kind kind = passing ? Kind.PASSING : ended ? Kind.KEYS : Kind.IN_DOUBT;
    boolean retriable = kind != Kind.KEYS || has(chain, "CacheInvalidStateException");
    return all(chain, CachePartialUpdateException.class)
        .findFirst()
        .map(partial -> new Fault(kind, partial.failedKeys(), reported(partial, first), retriable))
        .orElse(new Fault(kind, List.of(), first, retriable));
  }

  /** A partial failure only lists keys; what happened to them is suppressed in its cause. */
  private static Throwable reported(CachePartialUpdateException partial, Throwable otherwise) {
    return Optional.ofNullable(partial.getCause())
        .flatMap(cause -> Arrays.stream(cause.getSuppressed()).findFirst())
        .orElse(otherwise);
  }

  /** Classifies an error of a thin client. A server's answer is the end of a call. */
  static Fault ofThin(Throwable error) {
    List<Throwable> chain = chain(error);
    Throwable first = unwrapped(error);
    if (has(chain, "ClientAuthenticationException", "ClientAuthorizationException")) {
      return of(Kind.FINAL, first);
    }
    Optional<FoundException> found = all(chain, FoundException.class).findFirst();
    Optional<ClientServerError> answer = serverError(error);
    if (answer.isPresent() && found.isEmpty()) {
      boolean passing = NOT_EXECUTED.contains(answer.get().getCode());
      boolean useless = USELESS.contains(answer.get().getCode());
      return of(passing ? Kind.PASSING : useless ? Kind.FINAL : Kind.KEYS, first);
    }
    Kind kind = found.map(of -> of.kind).orElse(Kind.IN_DOUBT);
    boolean ofKeys = kind == Kind.NOT_SENT && !has(chain, "ClientConnectionException");
    return of(ofKeys ? Kind.KEYS : kind, first);
  }

  /** Answer of a server, if there was one. */
  static Optional<ClientServerError> serverError(Throwable error) {
    return all(chain(error), ClientServerError.class).findFirst();
  }

  /** Returns whether a server answered that it has stopped the cache, or does not have it. */
  static boolean isOfStoppedCache(Throwable error) {
    return has(chain(error), "CacheStoppedException")
        || serverError(error).filter(answer -> answer.getCode() == NO_CACHE).isPresent();
  }

  static Throwable unwrapped(Throwable error) {
    boolean wraps =
        error instanceof CompletionException
            || error instanceof ExecutionException
            || error instanceof FoundException;
    return wraps && error.getCause() != null ? unwrapped(error.getCause()) : error;
  }

  /** An error and its causes, from the outside in, with what is suppressed at each. */
  static List<Throwable> chain(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    collect(error, chain);
    return chain;
  }

  private static void collect(Throwable error, List<Throwable> chain) {
    if (chain.size() < MAX_DEPTH && !chain.contains(error)) {
      chain.add(error);
      if (error.getCause() != null) {
        collect(error.getCause(), chain);
      }
      Arrays.stream(error.getSuppressed()).forEach(suppressed -> collect(suppressed, chain));
    }
  }

  static <T extends Throwable> Stream<T> all(List<Throwable> chain, Class<T> type) {
    return chain.stream().filter(type::isInstance).map(type::cast);
  }

  /**
   * Returns whether an error has a class of Ignite's or of JCache's, or such a superclass, of a
   * name.
   */
  private static boolean has(List<Throwable> chain, String... names) {
    Set<String> all = Set.of(names);
    return chain.stream()
        .<Class<?>>flatMap(
            error ->
                Stream.<Class<?>>iterate(
                    error.getClass(), type -> type != null, Class::getSuperclass))
        .anyMatch(
            type ->
                all.contains(type.getSimpleName())
                    && (type.getName().startsWith("org.apache.ignite.")
                        || type.getName().startsWith("javax.cache.")));
  }
}
