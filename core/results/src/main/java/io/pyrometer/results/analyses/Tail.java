package io.pyrometer.results.analyses;

import io.pyrometer.analysis.latency.EventOverlap;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.results.RunRecord;
import java.util.BitSet;
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

  /** The slow calls of all parts in turn; sets of calls are of indexes in it. */
  private final List<Call> calls;

  private record Call(SlowCall of, double weight) {}

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
    this.calls =
        parts.stream()
            .flatMap(
                part -> part.slow().calls().stream().map(c -> new Call(c, part.slow().weight())))
            .toList();
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

  /** The calls that overlap the cause. */
  BitSet overlapping(String cause, EventOverlap overlap) {
    BitSet marked = new BitSet();
    int recorded = 0;
    int first = 0;
    for (Part part : parts) {
      if (part.recorded(cause)) {
        boolean[] which = overlap.overlapping().get(recorded++);
        for (int i = 0; i < which.length; i++) {
          marked.set(first + i, which[i]);
        }
      }
      first += part.slow().calls().size();
    }
    return marked;
  }

  /** The calls that waited for their start for most of their time. */
  BitSet late() {
    return IntStream.range(0, calls.size())
        .filter(i -> 2_000 * calls.get(i).of().lateMicros() > calls.get(i).of().nanos())
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }

  /** Some calls as a part of the slow calls. */
  double share(BitSet some) {
    return (double) some.cardinality() / Math.max(1, calls.size());
  }

  /**
   * The p99 of all calls without some; empty where too few of the slowest were recorded.
   *
   * @param part of each call that is left out, 0 to 1: the rest would have been slow anyway
   */
  Optional<Double> p99Without(BitSet some, double part) {
    long slow = parts.stream().mapToLong(each -> each.slow().slow()).sum();
    long all = parts.stream().mapToLong(each -> each.slow().all()).sum();
    return slow < MIN_SHARE_FOR_P99 * all
        ? Optional.empty()
        : Optional.of(
            counts.percentileWithout(
                    99,
                    some.stream().mapToLong(i -> calls.get(i).of().nanos()).toArray(),
                    some.stream().mapToDouble(i -> part * calls.get(i).weight()).toArray())
                / NANOS_PER_MILLI);
  }
}
