package io.pyrometer.load;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.Slowest;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measured part of a load. Records, calls, failures, latencies and arrivals are all counted
 * from {@link #open} to {@link #close}.
 */
final class MeasurementWindow {

  /** Limit of an operation's slow calls: the answer of an agent with many threads stays small. */
  private static final int MAX_SLOW_CALLS = 8_192;

  private final List<LoadLoop> loops;
  private final NanoClock clock;
  private final IntervalHistograms latencies;
  private long startedBefore;
  private long epochMicros;
  private boolean closed;
  private Marks from = new Marks(0, 0, 0, 0, Map.of());

  private record Marks(
      long nanos, long records, long calls, long failures, Map<String, Long> events) {}

  MeasurementWindow(List<LoadLoop> loops, NanoClock clock) {
    this.loops = List.copyOf(loops);
    this.clock = clock;
    this.latencies =
        new IntervalHistograms(
            loops.get(0).path().operations(), loops.stream().map(LoadLoop::recording).toList());
  }

  /** Begins, and forgets what was recorded so far. */
  synchronized void open() {
    closed = false;
    startedBefore += takeSlip().getTotalCount();
    from = marks();
    epochMicros = clock.epochMicros();
    latencies.restart(from.nanos);
    for (LoadLoop loop : loops) {
      for (int i = 0; i < operations().size(); i++) {
        loop.recording().slowest(i).clear();
      }
    }
  }

  /** Must be called several times a second. */
  synchronized void tick() {
    if (!closed) {
      latencies.tick(clock.nanoTime());
    }
  }

  /**
   * Ends; what is recorded from now on does not count.
   *
   * @return the counts of the measured part, to be asked for once, after the load loops have ended
   */
  synchronized Supplier<Answer.Finished> close() {
    closed = true;
    Histogram slip = takeSlip();
    Marks to = marks();
    List<Answer.Interval> intervals = latencies.end(to.nanos);
    Slowest slowest = slowest(to.nanos);
    return () -> counts(to, slip, intervals, slowest);
  }

  private List<String> operations() {
    return loops.get(0).path().operations();
  }

  private Slowest slowest(long to) {
    Map<String, Slowest.OfOperation> byOperation = new TreeMap<>();
    for (int i = 0; i < operations().size(); i++) {
      int operation = i;
      List<SlowestCalls> all =
          loops.stream().map(loop -> loop.recording().slowest(operation)).toList();
      List<SlowestCalls.Call> calls =
          all.stream()
              .flatMap(each -> each.calls().stream())
              .filter(call -> call.end() <= to)
              .sorted(Comparator.comparingLong(SlowestCalls.Call::nanos).reversed())
              .limit(MAX_SLOW_CALLS + 1L)
              .toList();
      long completeAbove = all.stream().mapToLong(SlowestCalls::completeAbove).max().orElse(-1);
      if (calls.size() > MAX_SLOW_CALLS) {
        completeAbove = Math.max(completeAbove, calls.get(MAX_SLOW_CALLS).nanos());
      }
      long above = completeAbove;
      if (!calls.isEmpty()) {
        byOperation.put(
            operations().get(i),
            new Slowest.OfOperation(
                above,
                calls.stream().filter(call -> call.nanos() > above).map(this::sinceOpen).toList()));
      }
    }
    return new Slowest(epochMicros, byOperation);
  }

  private SlowCall sinceOpen(SlowestCalls.Call call) {
    long begin = call.end() - call.nanos() - from.nanos;
    return new SlowCall(Math.floorDiv(begin, 1_000), call.nanos(), call.late() / 1_000);
  }

  /** Taken before the clock is read, so that no call has begun before it was due. */
  private Histogram takeSlip() {
    Histogram merged = new Histogram(Recording.DIGITS);
    loops.forEach(loop -> merged.add(loop.recording().takeSlip()));
    return merged;
  }

  private Marks marks() {
    return new Marks(
        clock.nanoTime(),
        loops.stream().mapToLong(LoadLoop::records).sum(),
        sum(Recording::calls),
        sum(Recording::failures),
        events());
  }

  private Map<String, Long> events() {
    Map<String, Long> sums = new TreeMap<>();
    loops.forEach(
        loop -> loop.path().events().forEach((name, count) -> sums.merge(name, count, Long::sum)));
    return sums;
  }

  private long sum(ToLongFunction<Recording> of) {
    return loops.stream().mapToLong(loop -> of.applyAsLong(loop.recording())).sum();
  }

  private Answer.Finished counts(
      Marks to, Histogram slip, List<Answer.Interval> intervals, Slowest slowest) {
    Set<String> causes = new LinkedHashSet<>();
    loops.forEach(loop -> causes.addAll(loop.causes()));
    // Until the loops have ended: what calls in flight at the end led to counts as well.
    Map<String, Long> events = new TreeMap<>(events());
    from.events.forEach((name, count) -> events.merge(name, -count, Long::sum));
    return new Answer.Finished(
        (to.nanos - from.nanos) / 1e9,
        to.records - from.records,
        to.calls - from.calls,
        to.failures - from.failures,
        sum(Recording::failures) - to.failures,
        List.copyOf(causes),
        intervals,
        slip.getValueAtPercentile(99) / 1e3,
        arrivals(to, slip.getTotalCount()),
        events,
        Optional.of(slowest),
        loops.stream().mapToLong(loop -> loop.recording().firstNanos()).max().orElse(0) / 1e3);
  }

  private Optional<Arrivals> arrivals(Marks to, long started) {
    if (loops.get(0).arrivals().isEmpty()) {
      return Optional.empty();
    }
    long dueBefore = due(from.nanos);
    long due = due(to.nanos);
    return Optional.of(
        new Arrivals(
            due - dueBefore,
            started,
            to.calls - from.calls + to.failures - from.failures,
            dueBefore - startedBefore,
            due - startedBefore - started));
  }

  private long due(long nanoTime) {
    return loops.stream()
        .flatMap(loop -> loop.arrivals().stream())
        .mapToLong(schedule -> schedule.dueBy(nanoTime))
        .sum();
  }
}
