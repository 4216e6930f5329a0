package io.pyrometer.load;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The first few different causes of failed calls, one line each. */
final class Errors {

  private static final int MOST = 5;

  private final Set<String> sentences = ConcurrentHashMap.newKeySet();

  void add(Throwable cause) {
    if (sentences.size() < MOST) {
      String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      sentences.add(cause.getClass().getSimpleName() + ": " + message);
    }
  }

  Set<String> sentences() {
    return Set.copyOf(sentences);
  }
}
