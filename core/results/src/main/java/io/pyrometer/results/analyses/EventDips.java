package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The dips of throughput after one server event with one treatment; blocks are the replicates.
 *
 * @param dips one for each block
 * @param joinSeconds what joining took, where a server joined
 */
record EventDips(String treatment, String event, List<Dip> dips, List<Double> joinSeconds) {
  private static final double CONFIDENCE = 0.95;
  private static final double SAMPLE_SECONDS = 0.1;
  private static final int SAMPLES_A_SECOND = 10;

  /** Samples before an event that throughput is compared with. */
  private static final int MAX_BEFORE = 50;

  private record Subject(String treatment, String event) {}

  private EventDips(String treatment, String event) {
    this(treatment, event, new ArrayList<>(), new ArrayList<>());
  }

  /** Of every event with enough samples around it, in the order of the run. */
  static List<EventDips> of(RunRecord run) {
    Map<Subject, EventDips> found = new LinkedHashMap<>();
    run.counting().forEach(trial -> add(trial, found));
    return List.copyOf(found.values());
  }

  private static void add(TrialRecord trial, Map<Subject, EventDips> found) {
    List<ServerEvents.Event> events = ServerEvents.of(trial);
    List<Long> samples = trial.timeline().samples();
    int measuredFrom = trial.timeline().measuredFrom();
    for (int i = 0; i < events.size(); i++) {
      ServerEvents.Event event = events.get(i);
      int begin = measuredFrom + (int) (event.begin() * SAMPLES_A_SECOND);
      int floor =
          i == 0
              ? measuredFrom
              : measuredFrom + (int) Math.ceil(events.get(i - 1).end() * SAMPLES_A_SECOND);
      int from = Math.max(floor, begin - MAX_BEFORE);
      int to =
          i + 1 < events.size()
              ? measuredFrom + (int) (events.get(i + 1).begin() * SAMPLES_A_SECOND)
              : samples.size();
      if (begin - from >= Dip.LEAST_BEFORE && Math.min(to, samples.size()) - begin >= Dip.WINDOW) {
        double[] around =
            samples.subList(from, Math.min(to, samples.size())).stream()
                .mapToDouble(Long::doubleValue)
                .toArray();
        Subject subject = new Subject(Rankings.label(trial), event.words());
        EventDips of = found.computeIfAbsent(subject, s -> new EventDips(s.treatment(), s.event()));
        of.dips().add(Dip.after(around, SAMPLE_SECONDS, begin - from));
        if (event.end() > event.begin()) {
          of.joinSeconds().add(event.end() - event.begin());
        }
      }
    }
  }

  Estimate depth() {
    return Means.arithmetic(
        dips.stream().mapToDouble(dip -> 100 * dip.depth()).toArray(), "%", CONFIDENCE);
  }

  Estimate below() {
    return Means.arithmetic(dips.stream().mapToDouble(Dip::below).toArray(), "s", CONFIDENCE);
  }

  /** Of the blocks that recovered; empty if none did. */
  Optional<Estimate> recovery() {
    double[] seconds = dips.stream().flatMapToDouble(dip -> dip.seconds().stream()).toArray();
    return seconds.length == 0
        ? Optional.empty()
        : Optional.of(Means.arithmetic(seconds, "s", CONFIDENCE));
  }

  long notRecovered() {
    return dips.stream().filter(dip -> dip.seconds().isEmpty()).count();
  }

  /** In seconds of the load before the event. */
  double missed() {
    return dips.stream()
        .mapToDouble(dip -> dip.missing() * SAMPLE_SECONDS / Math.max(dip.before(), 1e-9))
        .average()
        .orElse(0);
  }

  Optional<Double> meanJoin() {
    return joinSeconds.isEmpty()
        ? Optional.empty()
        : Optional.of(joinSeconds.stream().mapToDouble(Double::doubleValue).average().orElse(0));
  }
}
