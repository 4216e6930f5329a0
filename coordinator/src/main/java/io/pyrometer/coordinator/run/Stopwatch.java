package io.pyrometer.coordinator.run;

import io.pyrometer.journal.TrialResult.Phases;
import java.util.EnumMap;
import java.util.Map;

/** Wall time of a trial's phases, one after the other. */
final class Stopwatch {
  enum Phase {
    SET_UP("set up"),
    WARM_UP("warm up"),
    MEASURE("measure"),
    VERIFY("verify"),
    TEAR_DOWN("tear down");

    final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  private final Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
  private Phase phase = Phase.SET_UP;
  private long since = System.nanoTime();

  void enter(Phase next) {
    stop();
    phase = next;
  }

  Phase phase() {
    return phase;
  }

  Phases stop() {
    long now = System.nanoTime();
    seconds.merge(phase, (now - since) / 1e9, Double::sum);
    since = now;
    return new Phases(
        of(Phase.SET_UP),
        of(Phase.WARM_UP),
        of(Phase.MEASURE),
        of(Phase.VERIFY),
        of(Phase.TEAR_DOWN));
  }

  private double of(Phase one) {
    return seconds.getOrDefault(one, 0.0);
  }
}
