package io.pyrometer.coordinator.trial;

import static io.pyrometer.coordinator.fake.FakeGrid.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each limit holds from just above it on, and the totals that the checks are made of. */
class ValidityChecksTest {
  private static Answer.Used used(double cpu, double gc, long faults, int cores) {
    return new Answer.Used(
        cpu / 2, cpu / 2, 0, gc, 10, 0, faults, 0, cores, "", Answer.Inside.NONE, Optional.empty());
  }

  private static ProcessUsage agent(Answer.Used used) {
    return new ProcessUsage(Map.of("agent-0", used));
  }

  private static final ProcessUsage IDLE = agent(used(0, 0, 0, 1));

  private static Optional<Check> check(
      String name, ProcessUsage used, OptionalDouble ceiling, Answer.Finished... agents) {
    List<Check> checks = ValidityChecks.of(used, LoadTotals.of(List.of(agents)), ceiling);
    return checks.stream().filter(check -> check.name().equals(name)).findFirst();
  }

  private static boolean disturbed(String name, ProcessUsage used) {
    return check(name, used, OptionalDouble.empty(), finished(10, 1_000, 0))
        .orElseThrow()
        .disturbed();
  }

  @ParameterizedTest
  @CsvSource({
    "client CPU, agent-0, 7.0, 0, 1, false",
    "client CPU, agent-0, 7.1, 0, 1, true",
    "client CPU, agent-0, 13.9, 0, 2, false",
    "client CPU, agent-0, 14.2, 0, 2, true",
    "client GC, agent-0, 1, 0.10, 1, false",
    "client GC, agent-0, 1, 0.11, 1, true",
    "network CPU, relay-0, 2.5, 0, 1, false",
    "network CPU, relay-0, 2.6, 0, 1, true",
    "network CPU, switch-0, 2.6, 0, 1, true"
  })
  void processesMayUseTheirShareOfTheCores(
      String name, String process, double cpu, double gc, int cores, boolean above) {
    Map<String, Answer.Used> processes = new HashMap<>(Map.of("agent-0", used(1, 0, 0, 1)));
    processes.put(process, used(cpu, gc, 0, cores));
    assertThat(disturbed(name, new ProcessUsage(processes))).isEqualTo(above);
  }

  @ParameterizedTest
  @CsvSource({"300, false", "299, true"})
  void theGeneratorMustReachThreeTimesTheRateOfTheTrial(double ceiling, boolean tooLittle) {
    Check check =
        check("generator", IDLE, OptionalDouble.of(ceiling), finished(10, 1_000, 0)).orElseThrow();
    assertThat(check.disturbed()).isEqualTo(tooLittle);
    assertThat(check.fromOutside()).as("repeating would not help").isFalse();
    assertThat(check.value()).isCloseTo(ceiling / 100, within(1e-9));
  }

  @Test
  void theBusiestAgentCountsAndAServerDoesNot() {
    Answer.Used idle = used(1, 0, 0, 1);
    Answer.Used busy = used(9, 1, 0, 1);
    ProcessUsage oneBusy = new ProcessUsage(Map.of("agent-0", idle, "agent-1", busy));
    assertThat(disturbed("client CPU", oneBusy)).isTrue();
    assertThat(disturbed("client GC", oneBusy)).isTrue();
    ProcessUsage busyServer = new ProcessUsage(Map.of("agent-0", idle, "node-0", busy));
    assertThat(disturbed("client CPU", busyServer)).isFalse();
    assertThat(disturbed("client GC", busyServer)).isFalse();
  }

  @Test
  void onePageFaultOfAnyProcessIsOneTooMany() {
    assertThat(disturbed("major page faults", IDLE)).isFalse();
    ProcessUsage server =
        new ProcessUsage(Map.of("agent-0", used(0, 0, 0, 1), "node-0", used(0, 0, 1, 1)));
    assertThat(disturbed("major page faults", server)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"999, 0, false", "999, 1, false", "998, 2, true", "0, 1, true"})
  void oneCallInAThousandMayFail(long calls, long failed, boolean above) {
    assertThat(
            check("errors", IDLE, OptionalDouble.empty(), finished(10, calls, failed))
                .orElseThrow()
                .disturbed())
        .isEqualTo(above);
  }

  @Test
  void withoutARelayThereIsNoNetworkToJudge() {
    assertThat(check("network CPU", IDLE, OptionalDouble.empty(), finished(10, 1, 0))).isEmpty();
  }

  @Test
  void aTrialWithoutRecordsIsNotComparedWithTheGenerator() {
    assertThat(check("generator", IDLE, OptionalDouble.of(5), finished(10, 0, 0))).isEmpty();
    assertThat(check("generator", IDLE, OptionalDouble.empty(), finished(10, 9, 0))).isEmpty();
  }

  private static Answer.Finished open(long offered, long completed, double slipMicros) {
    Arrivals arrivals = new Arrivals(offered, offered, completed, 0, offered - completed);
    String latencies = FakeGrid.encoded(1_000_000, 2_000);
    return finished(10, completed, slipMicros, Optional.of(arrivals), latencies);
  }

  @ParameterizedTest
  @CsvSource({"9799, true", "9800, false", "10200, false", "10201, true", "0, true"})
  void anOpenLoopMustCompleteNinetyEightToAHundredAndTwoPercent(long completed, boolean off) {
    Check check =
        check(Attempts.ACHIEVED_RATE, IDLE, OptionalDouble.empty(), open(10_000, completed, 0))
            .orElseThrow();
    assertThat(check.disturbed()).isEqualTo(off);
    assertThat(check.value()).isCloseTo(completed / 100.0, within(1e-9));
    assertThat(check.fromOutside()).as("the system under test is too slow").isFalse();
  }

  @ParameterizedTest
  @CsvSource({"90, false", "110, true"})
  void callsMayBeginLateByATenthOfTheirLatency(double slipMicros, boolean above) {
    Answer.Finished late = open(10_000, 10_000, slipMicros);
    Check check = check("schedule slip of p99", IDLE, OptionalDouble.empty(), late).orElseThrow();
    assertThat(check.disturbed()).isEqualTo(above);
    assertThat(check.value()).isCloseTo(slipMicros / 10, within(0.1));
  }

  @Test
  void aClosedLoopHasNoScheduleToKeep() {
    for (String name : List.of(Attempts.ACHIEVED_RATE, "schedule slip of p99")) {
      assertThat(check(name, IDLE, OptionalDouble.empty(), finished(10, 1_000, 0))).isEmpty();
    }
  }

  @Test
  void agentsAddUpAndEachHasItsOwnWindow() {
    LoadTotals totals = LoadTotals.of(List.of(finished(10, 1_000, 1), finished(5, 1_000, 2)));
    assertThat(totals.records()).isEqualTo(2_000);
    assertThat(totals.calls()).isEqualTo(2_000);
    assertThat(totals.failedCalls()).isEqualTo(3);
    assertThat(totals.seconds()).isEqualTo(7.5);
    assertThat(totals.recordsPerSecond()).as("100 and 200").isEqualTo(300);
    assertThat(totals.arrivals()).isEmpty();
  }

  @Test
  void arrivalsAddUpAndTheWorstSlipCounts() {
    LoadTotals totals = LoadTotals.of(List.of(open(100, 90, 7), open(100, 100, 3)));
    assertThat(totals.arrivals()).contains(new Arrivals(200, 200, 190, 0, 10));
    assertThat(totals.slipP99Micros()).isEqualTo(7);
  }

  @Test
  void fiveDifferentErrorsAreTold() {
    assertThat(LoadTotals.of(List.of(failing("a", "b", "c"), failing("c", "d", "e", "f"))).errors())
        .containsExactly("a", "b", "c", "d", "e");
  }

  private static Answer.Finished failing(String... errors) {
    return new Answer.Finished(
        1,
        0,
        0,
        errors.length,
        0,
        List.of(errors),
        List.of(),
        0,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        0);
  }

  @Test
  void nobodyDidNothing() {
    LoadTotals nobody = LoadTotals.of(List.of());
    assertThat(nobody.records()).isZero();
    assertThat(nobody.recordsPerSecond()).isZero();
    assertThat(nobody.latencies()).isEmpty();
  }
}
