package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.SpanLog.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One request that service-1 takes and asks the mock about; the question never arrives, and
 * service-0 lets the request time out.
 */
class OutcomeCheckTest {

  private static ProcessLog log(ScenarioRole role, int index, boolean killed, Span... spans) {
    return new ProcessLog(role, index, new SpanLog(List.of(), List.of(spans)), 0, killed);
  }

  private static Span span(SpanKind kind, long at, int peer, int number) {
    return new Span(1, at, at, kind, 0, true, peer, number);
  }

  private static OutcomeCheck check(boolean killed) {
    int timedOut = Outcome.TIMED_OUT.code();
    return OutcomeCheck.of(
        ScenarioLogs.of(
            List.of(
                log(
                    ScenarioRole.CLIENT,
                    0,
                    false,
                    span(SpanKind.SENT, 0, 1, 1),
                    span(SpanKind.ENTRUSTED, 40, 0, 1),
                    span(SpanKind.ENDED, 90, 0, timedOut)),
                log(
                    ScenarioRole.SERVICE,
                    0,
                    false,
                    span(SpanKind.ADOPTED, 50, 0, 1),
                    span(SpanKind.REPLIED, 80, 0, timedOut)),
                log(
                    ScenarioRole.SERVICE,
                    1,
                    killed,
                    span(SpanKind.REQUEST_TAKEN, 10, 0, 1),
                    span(SpanKind.ASKED, 20, 0, 1)),
                log(ScenarioRole.MOCK, 0, false))),
        0);
  }

  @Test
  void whatAProcessLoggedAsSentJustBeforeItWasKilledMayBeMissing() {
    assertThat(check(true).problems()).isEmpty();
    assertThat(check(true).count(Outcome.TIMED_OUT)).isEqualTo(1);
  }

  @Test
  void whatALivingProcessSentMayNot() {
    assertThat(check(false).problems())
        .containsExactly("messages from service-1 to mock-0 that were lost: 1 (such as request 1)");
  }
}
