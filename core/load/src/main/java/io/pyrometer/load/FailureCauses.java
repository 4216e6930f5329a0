package io.pyrometer.load;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The first few different causes of failed calls, one line each. Safe for threads. */
public final class FailureCauses {

  private static final int MOST = 5;

  private final Set<String> sentences = ConcurrentHashMap.newKeySet();

  /** Keeps the cause's class and the first line of its message, unless there are enough. */
  public void add(Throwable cause) {
    if (sentences.size() < MOST) {
      String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      sentences.add(cause.getClass().getSimpleName() + ": " + message);
    }
  }

  /** The causes kept so far. */
  public Set<String> sentences() {
    return Set.copyOf(sentences);
  }
}
