package io.pyrometer.scenario.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.protocol.Json;
import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.Part;
import io.pyrometer.scenario.protocol.SpanKind;
import io.pyrometer.scenario.trial.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.trial.ScenarioLogs.Trace;
import io.pyrometer.scenario.trial.ScenarioLogs.Traced;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The slowest requests of a trial as OpenTelemetry's OTLP/JSON (the message {@code TracesData} of
 * OTLP 1 in its JSON encoding), which Jaeger and others open. One trace a request, one resource a
 * process; times are of the client's clock. The root span is the request; every other span has the
 * attribute {@code pyrometer.part}.
 */
public final class OtlpTraces {
  /** The attribute that says what the time of a span counts as. */
  public static final String PART = "pyrometer.part";

  private static final int INTERNAL = 1;
  private static final int OK = 1;
  private static final int ERROR = 2;

  private final long epochNanos;
  private final Map<String, ArrayNode> spansByProcess = new LinkedHashMap<>();
  private final ObjectNode root = Json.PRETTY.createObjectNode();
  private final ArrayNode resources = root.putArray("resourceSpans");
  private long lastSpan;

  private OtlpTraces(long epochNanos) {
    this.epochNanos = epochNanos;
  }

  /**
   * The slowest requests that count.
   *
   * @param most how many
   * @param epochNanos what to add to the client's clock for nanoseconds since 1970
   */
  public static ObjectNode slowest(ScenarioLogs logs, int most, long epochNanos) {
    OtlpTraces traces = new OtlpTraces(epochNanos);
    logs.traces().values().stream()
        .filter(trace -> trace.measured() && trace.first(SpanKind.ENDED).isPresent())
        .sorted(Comparator.comparingLong(OtlpTraces::elapsed).reversed())
        .limit(most)
        .forEach(traces::add);
    return traces.root;
  }

  private static long elapsed(Trace trace) {
    return trace.first(SpanKind.ENDED).map(end -> end.span().from()).orElse(0L)
        - trace.first(SpanKind.SENT).map(sent -> sent.span().from()).orElse(0L);
  }

  private void add(Trace trace) {
    Traced sent = trace.first(SpanKind.SENT).orElseThrow();
    Traced end = trace.first(SpanKind.ENDED).orElseThrow();
    String id = String.format(Locale.ROOT, "%032x", trace.request() + 1);
    String parent = nextSpan();
    ObjectNode request =
        span(sent.process(), id, parent, "request", sent.span().from(), end.span().from());
    attribute(request, "pyrometer.request", String.valueOf(trace.request()));
    attribute(request, "pyrometer.outcome", end.span().outcome().words());
    request.putObject("status").put("code", end.span().outcome() == Outcome.COMPLETED ? OK : ERROR);
    for (Traced one : trace.spans()) {
      long from = one.span().from();
      named(one)
          .ifPresent(
              name ->
                  child(one.process(), id, parent, name.text, from, one.span().to(), name.part));
    }
    transports(trace, id, parent);
  }

  /** A span's name and what its time counts as. */
  private record Name(String text, String part) {}

  private static Optional<Name> named(Traced one) {
    int number = one.span().number();
    String queueing = Part.QUEUEING.words();
    return switch (one.span().kind()) {
      case SENT -> Optional.of(new Name("wait to be sent", queueing));
      case REQUEST_TAKEN -> Optional.of(new Name("request waits for a thread", queueing));
      case ADOPTED -> Optional.of(new Name("request of a killed service", queueing));
      case ANSWER_TAKEN ->
          Optional.of(new Name("answer %d waits for a thread".formatted(number), queueing));
      case ASK_TAKEN -> Optional.of(new Name("question waits for a thread", queueing));
      case ANSWERED -> Optional.of(new Name("answer %d is late".formatted(number), queueing));
      case NO_STATE -> Optional.of(new Name("answer %d finds no state".formatted(number), "race"));
      case STEP -> {
        var step = one.process().log().steps().get(one.span().step());
        String of = number == 0 ? "" : " (answer %d)".formatted(number);
        yield Optional.of(new Name(step.name() + of, step.part().words()));
      }
      default -> Optional.empty();
    };
  }

  /** What lies between two processes belongs to the one that it goes to. */
  private void transports(Trace trace, String id, String parent) {
    transport(trace, id, parent, SpanKind.SENT, SpanKind.REQUEST_TAKEN, "request to");
    transport(trace, id, parent, SpanKind.ASKED, SpanKind.ASK_TAKEN, "question to");
    transport(trace, id, parent, SpanKind.ANSWERED, SpanKind.ANSWER_TAKEN, "answer to");
    transport(trace, id, parent, SpanKind.REPLIED, SpanKind.ENDED, "reply to");
    trace
        .first(SpanKind.ASK_TAKEN)
        .ifPresent(
            taken ->
                trace
                    .all(SpanKind.ANSWERED)
                    .forEach(
                        answered ->
                            child(
                                answered.process(),
                                id,
                                parent,
                                "delay of answer %d".formatted(answered.span().number()),
                                taken.span().to(),
                                answered.span().from(),
                                Part.MOCK.words())));
  }

  private void transport(
      Trace trace, String id, String parent, SpanKind sending, SpanKind taking, String what) {
    boolean answers = sending == SpanKind.ANSWERED;
    for (Traced sent : trace.all(sending).toList()) {
      trace
          .all(taking)
          .filter(taken -> !answers || taken.span().number() == sent.span().number())
          .findFirst()
          .ifPresent(
              taken ->
                  child(
                      taken.process(),
                      id,
                      parent,
                      what + " " + taken.process().name(),
                      sent.span().to(),
                      taken.span().from(),
                      Part.TRANSPORT.words()));
    }
  }

  private void child(
      ProcessLog process, String id, String parent, String name, long from, long to, String part) {
    ObjectNode span = span(process, id, nextSpan(), name, from, Math.max(from, to));
    span.put("parentSpanId", parent);
    attribute(span, PART, part);
  }

  private String nextSpan() {
    return String.format(Locale.ROOT, "%016x", ++lastSpan);
  }

  private ObjectNode span(
      ProcessLog process, String trace, String id, String name, long from, long to) {
    return spans(process)
        .addObject()
        .put("traceId", trace)
        .put("spanId", id)
        .put("name", name)
        .put("kind", INTERNAL)
        .put("startTimeUnixNano", String.valueOf(from + epochNanos))
        .put("endTimeUnixNano", String.valueOf(to + epochNanos));
  }

  private ArrayNode spans(ProcessLog process) {
    return spansByProcess.computeIfAbsent(
        process.name(),
        name -> {
          ObjectNode resource = resources.addObject();
          attribute(resource.putObject("resource"), "service.name", name);
          ObjectNode scope = resource.putArray("scopeSpans").addObject();
          scope.putObject("scope").put("name", "io.pyrometer");
          return scope.putArray("spans");
        });
  }

  private static void attribute(ObjectNode of, String key, String value) {
    of.withArray("attributes")
        .addObject()
        .put("key", key)
        .putObject("value")
        .put("stringValue", value);
  }
}
