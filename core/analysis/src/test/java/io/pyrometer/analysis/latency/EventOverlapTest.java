package io.pyrometer.analysis.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.analysis.latency.EventOverlap.Trial;
import java.util.ArrayList;
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

  private static List<Span> pauses(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> span(SECONDS * random.nextDouble(), 0.02 + 0.05 * random.nextDouble()))
        .toList();
  }

  /** Bursts of calls that all end at the same time, as those do that wait for the same thing. */
  private static List<Span> bursts(Random random, int count) {
    List<Span> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double begin = SECONDS * random.nextDouble();
      double length = 0.01 + 0.1 * random.nextDouble();
      for (int call = 0; call < 8; call++) {
        double late = length * random.nextDouble();
        calls.add(span(begin + late, length - late));
      }
    }
    return calls;
  }

  /** Calls that begin during a pause and end when it does. */
  private static List<Span> waiting(Random random, List<Span> pauses) {
    List<Span> calls = new ArrayList<>();
    for (Span pause : pauses) {
      for (int call = 0; call < 8; call++) {
        double length = (pause.end() - pause.begin()) * random.nextDouble();
        calls.add(new Span(pause.end() - length, pause.end() + 0.001));
      }
    }
    return calls;
  }

  private static int poisson(Random random, double mean) {
    int events = 0;
    for (double time = -Math.log(1 - random.nextDouble()); time < mean; events++) {
      time -= Math.log(1 - random.nextDouble());
    }
    return events;
  }

  private static EventOverlap caused(Random random, int trials, int pausesOfEach, int others) {
    List<Trial> made = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      List<Span> pauses = pauses(random, poisson(random, pausesOfEach));
      List<Span> calls = new ArrayList<>(waiting(random, pauses));
      calls.addAll(bursts(random, poisson(random, others)));
      made.add(new Trial(SECONDS, calls, pauses));
    }
    return EventOverlap.of(made);
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

  @Test
  void theIntervalOfTheLiftCoversItsExpectation() {
    Random random = new Random(3);
    List<EventOverlap> runs =
        IntStream.range(0, 500).mapToObj(i -> caused(random, 3, 8, 8)).toList();
    double shares = runs.stream().mapToDouble(EventOverlap::share).sum();
    double expected = runs.stream().mapToDouble(EventOverlap::byChance).sum();
    double truth = shares / expected;
    long covered =
        runs.stream()
            .map(run -> run.lift().orElseThrow())
            .filter(Estimate::hasInterval)
            .filter(lift -> lift.contains(truth))
            .count();
    assertThat(covered).as("of 500 intervals of 95 %%, truth %s", truth).isBetween(450L, 495L);
  }
}
