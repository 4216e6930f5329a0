package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The chain of an error's causes, from the outside in, with what is suppressed at each. */
final class Causes {
  private static final int MAX_DEPTH = 64;

  private final List<Throwable> chain = new ArrayList<>();

  private Causes() {}

  static Causes of(Throwable error) {
    Causes causes = new Causes();
    causes.collect(error);
    return causes;
  }

  static Throwable unwrapped(Throwable error) {
    boolean wraps = error instanceof CompletionException || error instanceof ExecutionException;
    return wraps && error.getCause() != null ? unwrapped(error.getCause()) : error;
  }

  private void collect(Throwable error) {
    if (chain.size() == MAX_DEPTH || chain.contains(error)) {
      return;
    }
    chain.add(error);
    if (error.getCause() != null) {
      collect(error.getCause());
    }
    for (Throwable suppressed : error.getSuppressed()) {
      collect(suppressed);
    }
  }

  <T extends Throwable> Optional<T> first(Class<T> type) {
    return chain.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  @SafeVarargs
  final boolean hasAny(Class<? extends Throwable>... types) {
    for (Class<? extends Throwable> type : types) {
      if (first(type).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an error of the chain has a class, or a superclass, of one of these names. */
  boolean hasAnyNamed(String... names) {
    return firstNamed(names).isPresent();
  }

  /** The first error of the chain that has a class, or a superclass, of one of these names. */
  Optional<Throwable> firstNamed(String... names) {
    Set<String> wanted = Set.of(names);
    for (Throwable error : chain) {
      for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass()) {
        if (wanted.contains(type.getName())) {
          return Optional.of(error);
        }
      }
    }
    return Optional.empty();
  }
}
