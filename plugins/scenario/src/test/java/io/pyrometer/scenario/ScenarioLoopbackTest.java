package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The roles of a scenario with real messages and logs, and what the checker makes of them. */
class ScenarioLoopbackTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyRequestEndsOnceAndIsFollowedThroughAllProcesses(int services) throws Exception {
    Settings settings = Loopback.settings().with(ScenarioSettings.SERVICE_PROCESSES, services);
    try (Loopback loopback = Loopback.of(settings, folder).begin()) {
      ScenarioLogs logs = loopback.measure().finish();
      OutcomeCheck check = OutcomeCheck.of(logs, 0);
      assertThat(check.problems()).isEmpty();
      assertThat(check.measured()).isPositive();
      assertThat(check.count(Outcome.COMPLETED)).isEqualTo(check.measured());
      assertThat(loopback.finished().arrivals().orElseThrow().offered())
          .isEqualTo(check.measured());
      ScenarioSummary.Split split = LatencyBreakdown.summary(logs, loopback.clockErrorNanos());
      assertThat(split.requests()).isEqualTo(check.measured());
      assertThat(split.impossible()).isZero();
      assertThat(loopback.clocks())
          .hasSize(services + 1)
          .as("of one JVM")
          .allMatch(clock -> Math.abs(clock.offsetNanos()) <= clock.errorNanos() + 1);
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
}
