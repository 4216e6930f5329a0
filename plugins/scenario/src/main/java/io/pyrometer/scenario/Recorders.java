package io.pyrometer.scenario;

import io.pyrometer.load.LatencyTimer;
import io.pyrometer.scenario.ScenarioMessages.ScenarioRecorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Recorders of a process of a scenario: spans, timers, and the causes of failures. */
final class Recorders implements AutoCloseable {
  private static final int MOST_ERRORS = 5;

  private final SpanWriter spans;
  private final Map<String, LatencyTimer> timers = new ConcurrentSkipListMap<>();
  private final Map<String, Boolean> errors = new ConcurrentHashMap<>();

  Recorders(SpanWriter spans) {
    this.spans = spans;
  }

  SpanWriter spans() {
    return spans;
  }

  LatencyTimer timer(String name) {
    return timers.computeIfAbsent(name, unused -> new LatencyTimer());
  }

  void span(SpanKind kind, Message message, int peer, int number, long fromNanos, long toNanos) {
    spans.write(kind, message.request(), message.measured(), peer, number, fromNanos, toNanos);
  }

  void failed(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String text = root.getClass().getSimpleName() + ": " + root.getMessage();
    if (errors.size() < MOST_ERRORS && errors.putIfAbsent(text, true) == null) {
      cause.printStackTrace();
    }
  }

  /**
   * Everything that was recorded.
   *
   * @param inFlight of a client
   */
  ScenarioRecorded recorded(List<Long> inFlight) {
    Map<String, String> encoded = new TreeMap<>();
    timers.forEach(
        (name, timer) -> {
          if (timer.count() > 0) {
            encoded.put(name, timer.encoded());
          }
        });
    List<String> causes = new ArrayList<>(errors.keySet());
    if (spans.lost() > 0) {
      causes.add("%d spans did not fit in the log.".formatted(spans.lost()));
    }
    return new ScenarioRecorded(encoded, spans.file().toString(), spans.bytes(), inFlight, causes);
  }

  @Override
  public void close() {
    spans.close();
  }
}
