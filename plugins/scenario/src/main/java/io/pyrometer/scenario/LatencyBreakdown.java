package io.pyrometer.scenario;

import io.pyrometer.scenario.ScenarioLogs.Trace;
import io.pyrometer.scenario.ScenarioLogs.Traced;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the time of a completed request went. Its way leads from the client to a service, from
 * there to the mock where that was asked, with the answer that completed it to a service again, and
 * back to the client. Each part, the service's own code included, is the sum of what was measured
 * on that way, within one process or between two; none is a remainder. That the parts come near the
 * whole, which the client's clock alone gives, is a check that the steps and the way are complete.
 * It is none of the clocks: an offset that is wrong makes the way to a process longer and the way
 * back shorter by the same. That shows in a message that was received before it was sent.
 */
final class LatencyBreakdown {
  private final Trace trace;

  /** Times that were measured so far on the request's way. */
  private final Map<Part, Long> nanos = new EnumMap<>(Part.class);

  /** Least transport time of a message on the way; negative if the clocks contradict it. */
  private long shortestTransportNanos = Long.MAX_VALUE;

  /** From the intended start to the reply. */
  private long wholeNanos;

  private LatencyBreakdown(Trace trace) {
    this.trace = trace;
  }

  /** Follows the way of a request; false if it is not completed or the way is not complete. */
  private boolean follow() {
    Optional<Traced> end =
        trace.first(SpanKind.ENDED).filter(one -> one.span().outcome() == Outcome.COMPLETED);
    Optional<Traced> sent = trace.first(SpanKind.SENT);
    Optional<Traced> taken = trace.first(SpanKind.REQUEST_TAKEN);
    Optional<Traced> reply =
        trace
            .all(SpanKind.REPLIED)
            .filter(one -> one.span().outcome() == Outcome.COMPLETED)
            .findFirst();
    if (end.isEmpty() || sent.isEmpty() || taken.isEmpty() || reply.isEmpty()) {
      return false;
    }
    wholeNanos = end.get().span().from() - sent.get().span().from();
    queued(sent.get());
    transport(sent.get(), taken.get());
    queued(taken.get());
    transport(reply.get(), end.get());
    int answer = reply.get().span().peer();
    long replied = reply.get().span().from();
    return answer == 0
        ? handled(taken.get(), 0, replied)
        : throughMock(taken.get(), answer, replied);
  }

  /**
   * The splits of all requests that count, summed up.
   *
   * @param clockErrorNanos by which the clocks of two processes may differ after their offset is
   *     taken off
   */
  static ScenarioSummary.Split summary(ScenarioLogs logs, long clockErrorNanos) {
    List<LatencyBreakdown> splits =
        logs.traces().values().stream()
            .filter(Trace::measured)
            .map(LatencyBreakdown::new)
            .filter(LatencyBreakdown::follow)
            .toList();
    Map<String, ScenarioSummary.Times> parts = new LinkedHashMap<>();
    for (Part part : Part.values()) {
      parts.put(
          part.words(),
          times(splits.stream().mapToLong(split -> split.nanos.getOrDefault(part, 0L)).toArray()));
    }
    return new ScenarioSummary.Split(
        splits.size(),
        splits.stream().filter(split -> split.shortestTransportNanos < -clockErrorNanos).count(),
        times(splits.stream().mapToLong(split -> split.wholeNanos).toArray()),
        parts);
  }

  private static ScenarioSummary.Times times(long[] nanos) {
    if (nanos.length == 0) {
      return ScenarioSummary.Times.NONE;
    }
    Arrays.sort(nanos);
    return new ScenarioSummary.Times(
        Arrays.stream(nanos).average().orElse(0) / 1e6,
        at(nanos, 0.5) / 1e6,
        at(nanos, 0.99) / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1L, (long) Math.ceil(share * sorted.length) - 1)];
  }

  /** A message, from the end of the span that sent it to the begin of the one that took it. */
  private void transport(Traced from, Traced to) {
    add(Part.TRANSPORT, from.span().to(), to.span().from());
    shortestTransportNanos = Math.min(shortestTransportNanos, to.span().from() - from.span().to());
  }

  /** Adds the time that a message waited for a thread. */
  private void queued(Traced taken) {
    add(Part.QUEUEING, taken.span().from(), taken.span().to());
  }

  private void add(Part part, long from, long to) {
    nanos.merge(part, to - from, Long::sum);
  }

  /**
   * @param answer that completed the request
   */
  private boolean throughMock(Traced taken, int answer, long replied) {
    Optional<Traced> asked = trace.first(SpanKind.ASKED);
    Optional<Traced> askTaken = trace.first(SpanKind.ASK_TAKEN);
    Optional<Traced> answered = numbered(SpanKind.ANSWERED, answer);
    Optional<Traced> answerTaken = numbered(SpanKind.ANSWER_TAKEN, answer);
    if (asked.isEmpty()
        || askTaken.isEmpty()
        || answered.isEmpty()
        || answerTaken.isEmpty()
        || !handled(taken, 0, asked.get().span().from())) {
      return false;
    }
    transport(asked.get(), askTaken.get());
    queued(askTaken.get());
    add(Part.MOCK, askTaken.get().span().to(), answered.get().span().from());
    queued(answered.get());
    transport(answered.get(), answerTaken.get());
    queued(answerTaken.get());
    return handled(answerTaken.get(), answer, replied);
  }

  private Optional<Traced> numbered(SpanKind kind, int number) {
    return trace.all(kind).filter(one -> one.span().number() == number).findFirst();
  }

  /** The steps of a service from taking a message up to sending the next one. */
  private boolean handled(Traced taken, int number, long until) {
    long from = taken.span().to();
    for (Traced one : trace.spans()) {
      if (one.is(SpanKind.STEP)
          && one.in(taken.process().role(), taken.process().index())
          && one.span().number() == number
          && one.span().from() >= from
          && one.span().to() <= until) {
        add(one.part(), one.span().from(), one.span().to());
      }
    }
    return until >= from;
  }
}
