package io.pyrometer.analysis.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.analysis.latency.EventOverlap.Trial;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventOverlapTest {
  private static final double SECONDS = 10;

  private static Span span(double begin, double length) {
    return new Span(begin, begin + length);
  }

  @Test
  void chanceIsTheShareOfTheTimeInWhichACallOfItsLengthWouldOverlap() {
    EventOverlap overlap =
        EventOverlap.of(
            List.of(
                new Trial(10, List.of(span(2, 1), span(7, 1)), List.of(span(2.5, 1), span(3, 1)))));
    assertThat(overlap.share()).isEqualTo(0.5);
    assertThat(overlap.byChance())
        .as("1.5 s of events and a call of 1 s")
        .isEqualTo(0.25, within(1e-9));
    assertThat(overlap.overlapping().get(0)).containsExactly(true, false);
  }

  @Test
  void eventsThatFillTheWholeTrialExplainNothing() {
    EventOverlap overlap =
        EventOverlap.of(List.of(new Trial(10, List.of(span(2, 1)), List.of(span(-1, 12)))));
    assertThat(overlap.share()).isEqualTo(1);
    assertThat(overlap.byChance()).isEqualTo(1, within(1e-9));
    assertThat(overlap.p()).isEqualTo(1, within(1e-9));
  }

  @Test
  void withoutEventsThereIsNoLift() {
    EventOverlap overlap = EventOverlap.of(List.of(new Trial(10, List.of(span(2, 1)), List.of())));
    assertThat(overlap.lift()).isEmpty();
    assertThat(overlap.p()).isEqualTo(1, within(1e-9));
  }

  @Test
  void withoutSlowCallsThereIsNothingToCompare() {
    assertThatThrownBy(() -> EventOverlap.of(List.of(new Trial(10, List.of(), List.of()))))
        .isInstanceOf(BadDataException.class);
  }

  /** Begins that become rarer by e every fifth of the trial, as both do while code warms up. */
  private static List<Span> fading(Random random, int count, double length) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              double part = 1 - random.nextDouble() * (1 - Math.exp(-5));
              return span(-SECONDS / 5 * Math.log(part), length);
            })
        .toList();
  }

  /** Of 500 runs each 0, 6 and 28 claim them; with shifts over the whole trial 482, 446 and 301. */
  @ParameterizedTest
  @CsvSource({"200, 0.001", "20, 0.02", "6, 0.01"})
  void eventsThatBecomeRarerAsSlowCallsDoAreClaimedInNoMoreThanOneOfTwentyRuns(
      int events, double length) {
    Random random = new Random(4);
    long claimed =
        IntStream.range(0, 500)
            .mapToObj(
                run ->
                    EventOverlap.of(
                        IntStream.range(0, 3)
                            .mapToObj(
                                i ->
                                    new Trial(
                                        SECONDS,
                                        fading(random, 100, 0.015),
                                        fading(random, events, length)))
                            .toList()))
            .filter(it -> it.p() <= 0.05 && it.lift().orElseThrow().value() >= 2)
            .count();
    // The 99.9 % quantile of the binomial distribution at 5 % is 41 of 500.
    assertThat(claimed).isLessThanOrEqualTo(41);
  }

  /**
   * Of six seconds with a call each, which overlaps at three of ten shifts, three overlap: a ratio
   * of 5/3 with residuals of ±0.5, by Cochran's formula and t of 5 degrees.
   */
  @Test
  void theIntervalOfTheLiftIsThatOfARatioOfSeconds() {
    List<Span> calls = IntStream.of(0, 2, 3, 4, 6, 8).mapToObj(begin -> span(begin, 1)).toList();
    EventOverlap overlap = EventOverlap.of(List.of(new Trial(10, calls, List.of(span(2.5, 2)))));
    Estimate lift = overlap.lift().orElseThrow();
    double factor = Math.exp(2.570582 * Math.sqrt(6 * 0.25 * 6 / 5) / 3);
    assertThat(lift.value()).isCloseTo(5 / 3.0, within(1e-9));
    assertThat(lift.low()).isCloseTo(5 / 3.0 / factor, within(1e-5));
    assertThat(lift.high()).isCloseTo(5 / 3.0 * factor, within(1e-5));
  }
}
