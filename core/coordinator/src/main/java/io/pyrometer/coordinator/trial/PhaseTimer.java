package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.TrialRecord.Phases;
import java.util.EnumMap;
import java.util.Map;

/** Wall time of a trial's phases, one after the other. */
final class PhaseTimer {
  enum Phase {
    SET_UP("set-up"),
    WARM_UP("warm-up"),
    MEASURE("measurement"),
    VERIFY("verification"),
    TEAR_DOWN("tear-down");

    final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  private final Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
  private Phase phase = Phase.SET_UP;
  private final Time time;
  private long since;

  PhaseTimer(Time time) {
    this.time = time;
    this.since = time.nanoTime();
  }

  void enter(Phase next) {
    stop();
    phase = next;
  }

  Phase phase() {
    return phase;
  }

  Phases stop() {
    long now = time.nanoTime();
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
