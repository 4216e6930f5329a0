package io.pyrometer.scenario.trial;

import static io.opentelemetry.proto.trace.v1.Status.StatusCode.STATUS_CODE_OK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.ScenarioSettings;
import io.pyrometer.scenario.protocol.ScenarioSummary;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The roles of a scenario with real messages and logs, and what the checker makes of them. */
class ScenarioLoopbackTest {
  @TempDir Path folder;

  @Test
  void everyRequestEndsOnceAndIsFollowedThroughAllProcesses() throws Exception {
    try (Loopback loopback = Loopback.of(Loopback.settings(), folder).begin()) {
      ScenarioLogs logs = loopback.measure().finish();
      OutcomeCheck check = OutcomeCheck.of(logs, 0);
      assertThat(check.problems()).isEmpty();
      assertThat(check.measured()).isPositive();
      assertThat(check.count(Outcome.COMPLETED)).isEqualTo(check.measured());
      assertThat(loopback.finished().arrivals().orElseThrow().offered())
          .isEqualTo(check.measured());
      ScenarioSummary.Split split = TimeSplit.summary(logs, loopback.clockErrorNanos());
      assertThat(split.requests()).isEqualTo(check.measured());
      assertThat(split.impossible()).isZero();
    }
  }

  @Test
  void clocksOfProcessesInOneJvmAgreeWithinTheirError() throws Exception {
    try (Loopback loopback = Loopback.of(Loopback.settings(), folder).begin()) {
      loopback.measure().finish();
      assertThat(loopback.clocks())
          .hasSize(2)
          .allSatisfy(
              clock ->
                  assertThat(Math.abs(clock.offsetNanos()))
                      .isLessThanOrEqualTo(clock.errorNanos() + 1));
    }
  }

  @Test
  void aMessageThatTheMockDropsIsFoundByTheCheck() throws Exception {
    try (Loopback loopback =
        Loopback.of(endsSoon().with(ScenarioSettings.DROP_MESSAGE, 20), folder).begin()) {
      ScenarioLogs logs = loopback.measure().finish();
      OutcomeCheck unexpected = OutcomeCheck.of(logs, 0);
      assertThat(unexpected.problems())
          .hasSize(1)
          .first()
          .asString()
          .contains("messages from mock-0 to service-0 that were lost: 1 ");
      assertThat(unexpected.requests()).isPositive();
      OutcomeCheck planted = OutcomeCheck.of(logs, 1);
      assertThat(planted.problems()).isEmpty();
      assertThat(planted.planted()).isEqualTo(unexpected.problems());
      assertThat(planted.counts()).containsEntry(OutcomeCheck.PLANTED, 1L);
      OutcomeCheck missed = OutcomeCheck.of(logs, 2);
      assertThat(missed.planted()).isEmpty();
      assertThat(missed.problems())
          .containsExactly(
              unexpected.problems().get(0),
              "answers dropped on purpose: 2, but 1 were found to be lost");
    }
  }

  @Test
  void anAnswerBeforeItsStateIsARaceAndItsRequestEndsAsLost() throws Exception {
    try (Loopback loopback = Loopback.of(Loopback.settings(), folder).storesLate().begin()) {
      OutcomeCheck check = OutcomeCheck.of(loopback.measure().finish(), 0);
      assertThat(check.problems()).isEmpty();
      assertThat(check.measured()).isPositive();
      assertThat(check.count(Outcome.LOST_RACE)).isEqualTo(check.measured());
      assertThat(check.counts())
          .containsEntry(OutcomeCheck.RACES, check.measured())
          .containsEntry(OutcomeCheck.STALE_READS, 0L);
    }
  }

  @Test
  void twoServicesShareTheRequests() throws Exception {
    try (Loopback loopback =
        Loopback.of(Loopback.settings().with(ScenarioSettings.SERVICE_PROCESSES, 2), folder)
            .begin()) {
      OutcomeCheck check = OutcomeCheck.of(loopback.measure().finish(), 0);
      assertThat(check.problems()).isEmpty();
      assertThat(check.count(Outcome.COMPLETED)).isEqualTo(check.measured());
    }
  }

  @Test
  void requestsOfAKilledServiceAreEndedByAnother() throws Exception {
    try (Loopback loopback =
        Loopback.of(endsSoon().with(ScenarioSettings.SERVICE_PROCESSES, 2), folder).begin()) {
      loopback.measure().killService().awaitReplies();
      OutcomeCheck check = OutcomeCheck.of(loopback.finish(), 0);
      assertThat(check.problems()).isEmpty();
      assertThat(check.count(Outcome.FAILED)).isZero();
    }
  }

  /** Requests whose answers are lost end by their time-out; whether others do is not asserted. */
  private static Settings endsSoon() {
    return Loopback.settings().with(ScenarioSettings.REQUEST_TIMEOUT, 0.5);
  }

  @Test
  void theSlowestRequestsAreExportedAsTraces() throws Exception {
    try (Loopback loopback = Loopback.of(Loopback.settings(), folder).begin()) {
      ScenarioLogs logs = loopback.measure().finish();
      JsonNode traces = OtlpTraces.slowest(logs, 10, 1_000_000);
      Set<String> ids = new HashSet<>();
      Set<String> processes = new HashSet<>();
      for (JsonNode resource : traces.path("resourceSpans")) {
        processes.add(resource.at("/resource/attributes/0/value/stringValue").asText());
        for (JsonNode span : resource.at("/scopeSpans/0/spans")) {
          ids.add(span.path("traceId").asText());
          assertThat(span.path("traceId").asText()).matches("[0-9a-f]{32}");
          assertThat(span.path("spanId").asText()).matches("[0-9a-f]{16}");
          assertThat(span.path("endTimeUnixNano").asLong())
              .isGreaterThanOrEqualTo(span.path("startTimeUnixNano").asLong());
        }
      }
      assertThat(ids).hasSize(10);
      assertThat(processes)
          .containsExactlyInAnyOrderElementsOf(List.of("client-0", "service-0", "mock-0"));
    }
  }

  /** A field that OpenTelemetry does not know makes the parser throw. */
  @Test
  void theTracesAreReadAsOpenTelemetrysOwnMessages() throws Exception {
    try (Loopback loopback = Loopback.of(Loopback.settings(), folder).begin()) {
      ScenarioLogs logs = loopback.measure().finish();
      TracesData.Builder traces = TracesData.newBuilder();
      JsonFormat.parser().merge(OtlpTraces.slowest(logs, 10, 1_000_000).toString(), traces);
      List<Span> spans =
          traces.getResourceSpansList().stream()
              .flatMap(resource -> resource.getScopeSpansList().stream())
              .flatMap(scope -> scope.getSpansList().stream())
              .toList();
      List<Span> roots = spans.stream().filter(span -> span.getParentSpanId().isEmpty()).toList();
      assertThat(roots).hasSize(10);
      assertThat(roots)
          .allSatisfy(root -> assertThat(root.getStatus().getCode()).isEqualTo(STATUS_CODE_OK));
      assertThat(spans).extracting(Span::getSpanId).doesNotHaveDuplicates();
      for (Span root : roots) {
        List<Span> children =
            spans.stream()
                .filter(span -> span.getTraceId().equals(root.getTraceId()) && span != root)
                .toList();
        assertThat(children)
            .isNotEmpty()
            .allSatisfy(
                child -> {
                  assertThat(child.getParentSpanId()).isEqualTo(root.getSpanId());
                  assertThat(child.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_INTERNAL);
                  assertThat(child.getAttributesList())
                      .anySatisfy(
                          attribute -> assertThat(attribute.getKey()).isEqualTo(OtlpTraces.PART));
                });
      }
    }
  }
}
