package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.SpanLog.Span;
import io.pyrometer.scenario.SpanLog.Step;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The split of one request whose way is known to the microsecond: 100 µs each of waiting to be
 * sent, waiting for a thread (three times), lock, read and write, 200 µs for each of four messages,
 * and a mock's delay of 5 ms. The service's own code takes 50 µs of it.
 */
class LatencyBreakdownTest {
  private static final long MICRO = 1_000;
  private static final long WHOLE = 6_650 * MICRO;

  /** How far the service's clock is ahead of the client's; the logs are of its clock. */
  private static final long AHEAD = 3_000_000_000L;

  private static Span span(SpanKind kind, long from, long to, int peer, int number) {
    return new Span(1, from * MICRO, to * MICRO, kind, 0, true, peer, number);
  }

  private static Span step(int step, long from, long to, int number) {
    return new Span(
        1, AHEAD + from * MICRO, AHEAD + to * MICRO, SpanKind.STEP, step, true, 0, number);
  }

  private static Span service(SpanKind kind, long from, long to, int peer, int number) {
    return new Span(1, AHEAD + from * MICRO, AHEAD + to * MICRO, kind, 0, true, peer, number);
  }

  private static final List<Span> CLIENT =
      List.of(
          span(SpanKind.SENT, 0, 100, 0, 1),
          span(SpanKind.ENDED, 6_650, 6_660, 0, Outcome.COMPLETED.code()));

  private static final List<Span> SERVICE =
      List.of(
          service(SpanKind.REQUEST_TAKEN, 300, 400, 0, 1),
          step(3, 400, 410, 0),
          step(2, 410, 510, 0),
          step(3, 510, 520, 0),
          service(SpanKind.ASKED, 520, 520, 0, 1),
          service(SpanKind.ANSWER_TAKEN, 6_020, 6_120, 0, 1),
          step(0, 6_120, 6_220, 1),
          step(3, 6_220, 6_230, 1),
          step(1, 6_230, 6_330, 1),
          step(3, 6_330, 6_340, 1),
          step(2, 6_340, 6_440, 1),
          step(3, 6_440, 6_450, 1),
          service(SpanKind.REPLIED, 6_450, 6_450, 1, Outcome.COMPLETED.code()));

  private static final List<Span> MOCK =
      List.of(
          span(SpanKind.ASK_TAKEN, 720, 820, 0, 1), span(SpanKind.ANSWERED, 5_820, 5_820, 0, 1));

  private static ScenarioLogs logs(List<Span> service, long offset) {
    SpanLog plain = new SpanLog(List.of(), CLIENT);
    SpanLog steps =
        new SpanLog(
            List.of(
                new Step("lock", Part.LOCK_WAIT),
                new Step("read", Part.CACHE_READ),
                new Step("write", Part.CACHE_WRITE),
                new Step("own code", Part.OWN_CODE)),
            service);
    return ScenarioLogs.of(
        List.of(
            new ProcessLog(ScenarioRole.CLIENT, 0, plain, 0, false),
            new ProcessLog(ScenarioRole.SERVICE, 0, steps, offset, false),
            new ProcessLog(ScenarioRole.MOCK, 0, new SpanLog(List.of(), MOCK), 0, false)));
  }

  private static ScenarioSummary.Split split(List<Span> service, long offset) {
    return LatencyBreakdown.summary(logs(service, offset), 50 * MICRO);
  }

  private static List<Span> without(Predicate<Span> missing) {
    return SERVICE.stream().filter(missing.negate()).toList();
  }

  private static double millis(ScenarioSummary.Split split, Part part) {
    return split.parts().get(part.words()).mean();
  }

  @Test
  void everyPartIsWhatWasPlannedAndTheySumUpToTheWhole() {
    ScenarioSummary.Split split = split(SERVICE, AHEAD);
    assertThat(split.requests()).isEqualTo(1);
    assertThat(split.whole().mean()).isCloseTo(WHOLE / 1e6, within(1e-9));
    assertThat(millis(split, Part.MOCK)).isCloseTo(5, within(1e-9));
    assertThat(millis(split, Part.TRANSPORT)).isCloseTo(0.8, within(1e-9));
    assertThat(millis(split, Part.QUEUEING)).isCloseTo(0.4, within(1e-9));
    assertThat(millis(split, Part.LOCK_WAIT)).isCloseTo(0.1, within(1e-9));
    assertThat(millis(split, Part.CACHE_READ)).isCloseTo(0.1, within(1e-9));
    assertThat(millis(split, Part.CACHE_WRITE)).isCloseTo(0.2, within(1e-9));
    assertThat(millis(split, Part.OWN_CODE)).isCloseTo(0.05, within(1e-9));
    assertThat(split.differencePercent()).isCloseTo(0, within(1e-9));
    assertThat(split.impossible()).isZero();
  }

  /**
   * The check allows 2 % of the 1,650 µs without the mock's delay. Lock, reads and writes together
   * take 400 µs, and the service's own code 50.
   */
  @ParameterizedTest
  @CsvSource({"0 1 2, 400", "0, 100", "1, 100", "2, 200", "3, 50"})
  void stepsThatAreNotRecordedAreMissingFromTheSum(String steps, double micros) {
    ScenarioSummary.Split split =
        split(
            without(
                span ->
                    span.kind() == SpanKind.STEP && steps.contains(String.valueOf(span.step()))),
            AHEAD);
    assertThat(split.requests()).isEqualTo(1);
    assertThat(split.differencePercent()).isCloseTo(-100 * micros / 1_650, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"REQUEST_TAKEN", "ASKED", "ANSWER_TAKEN", "REPLIED"})
  void aRequestWithAGapInItsWayIsNotCounted(String missing) {
    assertThat(split(without(span -> span.kind() == SpanKind.valueOf(missing)), AHEAD).requests())
        .isZero();
  }

  /** Wrong by 250 µs, either way: a message would have arrived before it was sent. */
  @ParameterizedTest
  @ValueSource(longs = {-260 * MICRO, 260 * MICRO})
  void aWrongClockOffsetLeavesTheSumAndShowsInAMessageReceivedBeforeItWasSent(long wrong) {
    ScenarioSummary.Split split = split(SERVICE, AHEAD + wrong);
    assertThat(split.differencePercent()).isCloseTo(0, within(1e-9));
    assertThat(split.impossible()).isEqualTo(1);
  }

  @Test
  void anOffsetThatIsWrongByLessThanItsKnownErrorIsAccepted() {
    assertThat(split(SERVICE, AHEAD + 240 * MICRO).impossible()).isZero();
  }

  @Test
  void aWrongOffsetOfAnotherProcessThatRepliesIsFoundToo() {
    List<Span> first = SERVICE.subList(0, 5);
    List<Span> second = SERVICE.subList(5, SERVICE.size());
    ScenarioLogs one = logs(first, AHEAD);
    ProcessLog other =
        new ProcessLog(
            ScenarioRole.SERVICE,
            1,
            new SpanLog(one.processes().get(1).log().steps(), second),
            AHEAD - 1_000 * MICRO,
            false);
    ScenarioLogs both =
        ScenarioLogs.of(Stream.concat(one.processes().stream(), Stream.of(other)).toList());
    ScenarioSummary.Split split = LatencyBreakdown.summary(both, 50 * MICRO);
    assertThat(split.requests()).isEqualTo(1);
    assertThat(split.impossible()).isEqualTo(1);
  }
}
