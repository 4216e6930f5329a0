package io.pyrometer.scenario;

import io.pyrometer.scenario.SpanLog.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The logs of all processes of a trial, sorted by request.
 *
 * @param processes each once
 * @param traces by the request's id
 */
public record ScenarioLogs(List<ProcessLog> processes, Map<Long, Trace> traces) {

  /**
   * The log of one process.
   *
   * @param offsetNanos how far its clock is ahead of the client's
   * @param killed whether the process was killed on purpose, so that its log may end in the middle
   */
  public record ProcessLog(
      ScenarioRole role, int index, SpanLog log, long offsetNanos, boolean killed) {
    String name() {
      return role.process(index);
    }

    /** Copy of this log, of a process whose clock is so far ahead. */
    ProcessLog ahead(long nanos) {
      return new ProcessLog(role, index, log, nanos, killed);
    }

    /** The span with its times of the client's clock. */
    Span onClientClock(Span span) {
      return new Span(
          span.request(),
          span.from() - offsetNanos,
          span.to() - offsetNanos,
          span.kind(),
          span.step(),
          span.measured(),
          span.peer(),
          span.number());
    }
  }

  /** A span, with its times of the client's clock, and the process it is of. */
  public record Traced(ProcessLog process, Span span) {
    boolean is(SpanKind kind) {
      return span.kind() == kind;
    }

    /** Part that the time of a step counts as. */
    Part part() {
      return process.log().steps().get(span.step()).part();
    }

    boolean in(ScenarioRole role, int index) {
      return process.role() == role && process.index() == index;
    }
  }

  /** All spans of a request. */
  public record Trace(long request, List<Traced> spans) {
    Stream<Traced> all(SpanKind kind) {
      return spans.stream().filter(traced -> traced.is(kind));
    }

    Optional<Traced> first(SpanKind kind) {
      return all(kind).findFirst();
    }

    boolean measured() {
      return first(SpanKind.SENT).map(sent -> sent.span().measured()).orElse(false);
    }
  }

  /** Sorts the spans of the logs by request. */
  public static ScenarioLogs of(List<ProcessLog> processes) {
    Map<Long, Trace> traces = new TreeMap<>();
    for (ProcessLog process : processes) {
      for (Span span : process.log().spans()) {
        traces
            .computeIfAbsent(span.request(), id -> new Trace(id, new ArrayList<>(24)))
            .spans()
            .add(new Traced(process, process.onClientClock(span)));
      }
    }
    return new ScenarioLogs(List.copyOf(processes), traces);
  }
}
