package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.SpanLog.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The check finds each record that is missing and each that is there twice, at every hop and in
 * every fault scenario. Excused are only messages of the killed process about the one request that
 * was under way when it was killed.
 */
class PlantedFaultsTest {
  private static final long MILLI = 1_000_000;

  /** The request that was at the service when it was killed. */
  private static final long ADOPTED = 7;

  /** The cases of the bundled experiment with faults, and the published race. */
  private enum Scenario {
    NORMAL,
    OVERLOAD,
    DROPPED_MESSAGE,
    KILLED_CACHE_SERVER,
    KILLED_SERVICE,
    DOUBLED_SERVICE,
    RACE_AS_PUBLISHED
  }

  private final Map<String, List<Span>> spans = new TreeMap<>();

  private void span(String process, SpanKind kind, long request, long at, int peer, int number) {
    spans
        .computeIfAbsent(process, unused -> new ArrayList<>())
        .add(new Span(request, at * MILLI, at * MILLI, kind, 0, true, peer, number));
  }

  private void asked(long request, long at, int service, int answers) {
    span("client-0", SpanKind.SENT, request, at, service, answers);
    span("service-" + service, SpanKind.REQUEST_TAKEN, request, at + 1, 0, answers);
    span("service-" + service, SpanKind.ASKED, request, at + 2, 0, answers);
    span("mock-0", SpanKind.ASK_TAKEN, request, at + 3, service, answers);
  }

  private void answered(long request, long at, int service, int number, SpanKind result) {
    span("mock-0", SpanKind.ANSWERED, request, at, service, number);
    span("service-" + service, SpanKind.ANSWER_TAKEN, request, at + 1, 0, number);
    span("service-" + service, result, request, at + 2, number, number);
  }

  private void ended(long request, long at, int service, int answer, Outcome outcome) {
    span("service-" + service, SpanKind.REPLIED, request, at, answer, outcome.code());
    span("client-0", SpanKind.ENDED, request, at + 1, service, outcome.code());
  }

  /** Two answers, to two services where there are two. */
  private void completed(long request, long at, int service, int other) {
    asked(request, at, service, 2);
    answered(request, at + 10, other, 1, SpanKind.APPENDED);
    answered(request, at + 20, service, 2, SpanKind.APPENDED);
    ended(request, at + 30, service, 2, Outcome.COMPLETED);
  }

  /** The second of two answers has this result, and comes before or after the request timed out. */
  private void timedOut(long request, long at, SpanKind result, boolean late) {
    asked(request, at, 0, 2);
    answered(request, at + 10, 0, 1, SpanKind.APPENDED);
    if (!late) {
      answered(request, at + 20, 0, 2, result);
    }
    ended(request, at + 30, 0, 0, Outcome.TIMED_OUT);
    if (late) {
      answered(request, at + 40, 0, 2, result);
    }
  }

  private void record(Scenario scenario) {
    boolean two = scenario == Scenario.KILLED_SERVICE || scenario == Scenario.DOUBLED_SERVICE;
    completed(1, 0, 0, 0);
    completed(2, 5, two ? 1 : 0, 0);
    completed(3, 10, 0, two ? 1 : 0);
    switch (scenario) {
      case NORMAL, DOUBLED_SERVICE -> {}
      case OVERLOAD -> {
        timedOut(4, 100, SpanKind.NO_STATE, true);
        span("service-0", SpanKind.REPLIED, 4, 150, 0, Outcome.COMPLETED.code());
        span("client-0", SpanKind.DUPLICATE, 4, 151, 0, Outcome.COMPLETED.code());
      }
      case DROPPED_MESSAGE -> {
        asked(4, 100, 0, 1);
        span("mock-0", SpanKind.ANSWERED, 4, 110, 0, 1);
        ended(4, 130, 0, 0, Outcome.TIMED_OUT);
      }
      case KILLED_CACHE_SERVER -> timedOut(4, 100, SpanKind.ANSWER_FAILED, false);
      case RACE_AS_PUBLISHED -> timedOut(4, 100, SpanKind.NO_STATE, false);
      case KILLED_SERVICE -> {
        asked(ADOPTED, 990, 1, 2);
        answered(ADOPTED, 994, 0, 1, SpanKind.APPENDED);
        span("mock-0", SpanKind.ANSWERED, ADOPTED, 999, 1, 2);
        span("service-1", SpanKind.ANSWER_TAKEN, ADOPTED, 1_000, 0, 2);
        span("client-0", SpanKind.ENTRUSTED, ADOPTED, 1_001, 0, 2);
        span("service-0", SpanKind.ADOPTED, ADOPTED, 1_002, 0, 2);
        ended(ADOPTED, 1_030, 0, 0, Outcome.TIMED_OUT);
        completed(8, 1_100, 0, 0);
        // The timer of a request that another service has ended.
        span("service-0", SpanKind.STEP, 3, 3_010, 0, 0);
      }
    }
  }

  private OutcomeCheck check(Scenario scenario, Map<String, List<Span>> logs) {
    List<ProcessLog> processes = new ArrayList<>();
    logs.forEach(
        (name, log) -> {
          String[] parts = name.split("-", -1);
          int index = Integer.parseInt(parts[1]);
          boolean killed = scenario == Scenario.KILLED_SERVICE && name.equals("service-1");
          processes.add(
              new ProcessLog(
                  ScenarioRole.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                  index,
                  new SpanLog(List.of(new SpanLog.Step("expire", Part.LOCK_WAIT)), log),
                  0,
                  killed));
        });
    return OutcomeCheck.of(
        ScenarioLogs.of(processes), scenario == Scenario.DROPPED_MESSAGE ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource
  void everyMissingAndEveryDoubledRecordIsFound(Scenario scenario) {
    record(scenario);
    assertThat(check(scenario, spans).problems()).isEmpty();
    List<String> unseen = new ArrayList<>();
    spans.forEach(
        (process, log) -> {
          for (int i = 0; i < log.size(); i++) {
            Span span = log.get(i);
            if (span.kind() == SpanKind.STEP) {
              continue;
            }
            List<Span> dropped = new ArrayList<>(log);
            dropped.remove(i);
            List<Span> doubled = new ArrayList<>(log);
            doubled.add(i, span);
            for (List<Span> planted : List.of(dropped, doubled)) {
              Map<String, List<Span>> logs = new TreeMap<>(spans);
              logs.put(process, planted);
              if (check(scenario, logs).problems().isEmpty()) {
                String what = planted == dropped ? "dropped" : "doubled";
                unseen.add("%s %s of %d".formatted(what, span.kind(), span.request()));
              }
            }
          }
        });
    assertThat(unseen)
        .containsExactlyInAnyOrderElementsOf(
            scenario == Scenario.KILLED_SERVICE
                ? List.of(
                    "dropped REQUEST_TAKEN of 7",
                    "doubled ASKED of 7",
                    "dropped ASK_TAKEN of 7",
                    "dropped ANSWER_TAKEN of 7")
                : List.of());
  }
}
