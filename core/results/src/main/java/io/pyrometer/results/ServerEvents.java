package io.pyrometer.results;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The server events of a trial, read from its metrics. */
public final class ServerEvents {
  private static final List<String> NAMES = List.of("kill", "leave", "join", "return");

  private static final Map<String, String> ENDS =
      Map.of("leave", "left", "join", "joined", "return", "joined");

  private ServerEvents() {}

  /**
   * One event.
   *
   * @param name {@code kill}, {@code leave}, {@code join} or {@code return}
   * @param begin seconds from the start of the measured part
   * @param end when the server had left or joined; the begin where the event takes no time
   */
  public record Event(String name, double begin, double end) {}

  /** In the order of time; empty for a trial without any. */
  public static List<Event> of(TrialRecord trial) {
    List<Event> events = new ArrayList<>();
    for (String name : NAMES) {
      Optional<Double> begin = trial.value(Metric.SERVER_EVENT + name);
      if (begin.isPresent()) {
        double end =
            Optional.ofNullable(ENDS.get(name))
                .flatMap(ended -> trial.value(Metric.SERVER_EVENT + ended))
                .orElse(begin.get());
        events.add(new Event(name, begin.get(), end));
      }
    }
    events.sort(Comparator.comparingDouble(Event::begin));
    return events;
  }
}
