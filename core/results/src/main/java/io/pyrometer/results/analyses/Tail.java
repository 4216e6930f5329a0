package io.pyrometer.results.analyses;

import io.pyrometer.analysis.latency.EventOverlap;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The slow calls of one operation of one treatment in all of its trials. */
final class Tail {
  /** Where fewer were recorded, p99 without some of them is not known. */
  private static final double MIN_SHARE_FOR_P99 = 0.009;

  private static final double NANOS_PER_MILLI = 1e6;

  private final String label;
  private final List<Part> parts;
  private final LatencyCounts counts;

  /**
   * One trial.
   *
   * @param events of each cause that the trial recorded, even if there were none
   */
  record Part(
      RunRecord run,
      TrialRecord trial,
      SlowCallLog.OfOperation slow,
      Map<String, List<Span>> events) {

    private EventOverlap.Trial against(String cause) {
      return new EventOverlap.Trial(
          trial.counts().seconds(),
          slow.calls().stream()
              .map(
                  call ->
                      new Span(
                          call.beginMicros() / 1e6, call.beginMicros() / 1e6 + call.nanos() / 1e9))
              .toList(),
          events.getOrDefault(cause, List.of()));
    }

    private boolean recorded(String cause) {
      return events.containsKey(cause);
    }
  }

  Tail(String label, String operation, List<Part> parts) {
    this.label = label;
    this.parts = List.copyOf(parts);
    this.counts =
        LatencyCounts.merged(
            parts.stream()
                .flatMap(
                    part ->
                        Optional.ofNullable(
                            Latencies.counts(
                                    part.run()
                                        .folder()
                                        .histogram(part.trial().id(), part.trial().attempt()),
                                    LatencyCounts.Timing.SENT)
                                .get(operation))
                            .stream())
                .toList());
  }

  String label() {
    return label;
  }

  Set<String> causes() {
    Set<String> causes = new LinkedHashSet<>();
    parts.forEach(part -> causes.addAll(part.events().keySet()));
    return causes;
  }

  /** Over the trials that recorded the cause. */
  EventOverlap overlap(String cause) {
    return EventOverlap.of(
        parts.stream()
            .filter(part -> part.recorded(cause))
            .map(part -> part.against(cause))
            .toList());
  }

  /** For each trial and slow call whether it overlaps the cause. */
  List<boolean[]> overlapping(String cause, EventOverlap overlap) {
    List<boolean[]> all = new ArrayList<>();
    int next = 0;
    for (Part part : parts) {
      all.add(
          part.recorded(cause)
              ? overlap.overlapping().get(next++)
              : new boolean[part.slow().calls().size()]);
    }
    return all;
  }

  /** For each trial and slow call whether it waited for its start for most of its time. */
  List<boolean[]> late() {
    return parts.stream()
        .map(
            part -> {
              List<SlowCall> calls = part.slow().calls();
              boolean[] late = new boolean[calls.size()];
              for (int i = 0; i < late.length; i++) {
                late[i] = 2_000 * calls.get(i).lateMicros() > calls.get(i).nanos();
              }
              return late;
            })
        .toList();
  }

  /** Marks in the first also what is marked in the second. */
  static void or(List<boolean[]> marked, List<boolean[]> more) {
    for (int i = 0; i < marked.size(); i++) {
      for (int call = 0; call < marked.get(i).length; call++) {
        marked.get(i)[call] |= more.get(i)[call];
      }
    }
  }

  /** The slow calls as a part of all calls. */
  double slowShare() {
    long slow = parts.stream().mapToLong(part -> part.slow().slow()).sum();
    return (double) slow / parts.stream().mapToLong(part -> part.slow().all()).sum();
  }

  /** The marked ones as a part of the slow calls. */
  double share(List<boolean[]> marked) {
    double sum = 0;
    double all = 0;
    for (int i = 0; i < parts.size(); i++) {
      all += parts.get(i).slow().calls().size();
      for (boolean each : marked.get(i)) {
        sum += each ? 1 : 0;
      }
    }
    return sum / all;
  }

  /**
   * Of the calls without the marked ones; empty where too few of the slowest were recorded.
   *
   * @param part of each marked call that is left out, 0 to 1: the rest would have been slow anyway
   */
  Optional<Double> p99Without(List<boolean[]> marked, double part) {
    List<Long> removed = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      SlowCallLog.OfOperation slow = parts.get(i).slow();
      for (int call = 0; call < slow.calls().size(); call++) {
        if (marked.get(i)[call]) {
          removed.add(slow.calls().get(call).nanos());
          weights.add(part * slow.weight());
        }
      }
    }
    return slowShare() < MIN_SHARE_FOR_P99
        ? Optional.empty()
        : Optional.of(
            counts.percentileWithout(
                    99,
                    removed.stream().mapToLong(Long::longValue).toArray(),
                    IntStream.range(0, weights.size()).mapToDouble(weights::get).toArray())
                / NANOS_PER_MILLI);
  }
}
