package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.Slowest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * One load thread in virtual time: a call a millisecond is due, and takes as long as it is told.
 */
class MeasurementWindowTest {

  private static final Settings OPEN = Trials.SETTINGS.with("rate", 1_000.0);

  private final FakeClock clock = new FakeClock();
  private long serviceNanos;
  private boolean failing;
  private long merged;
  private LoadLoop loop = Trials.loop(Job.WRITE, OPEN, MemoryPath.synchronous(), clock);
  private MeasurementWindow window = new MeasurementWindow(List.of(loop), clock);

  private final MemoryPath path =
      new MemoryPath(1, 1, Runnable::run) {
        @Override
        public void call(Call call) throws Exception {
          clock.now += serviceNanos;
          if (failing) {
            throw new IllegalStateException("refused");
          }
          super.call(call);
        }

        @Override
        public long mergedRecords() {
          return merged;
        }
      };

  @Test
  void theFirstCallIsThatOfTheLoadAndNotOfTheWindow() {
    begin(Trials.SETTINGS);
    serviceNanos = micros(90_000);
    loop.next();
    serviceNanos = micros(100);
    runUntil(500);
    window.open();
    runUntil(1_500);
    assertThat(window.close().get().firstCallMicros()).isEqualTo(90_000);
  }

  @Test
  void aBacklogThatDrainsIntoTheWindowIsNotTakenForArrivalsOfTheWindow() {
    begin(OPEN);
    serviceNanos = micros(2_000);
    runUntil(1_000);
    window.open();
    serviceNanos = micros(100);
    runUntil(2_000);
    Arrivals arrivals = window.close().get().arrivals().orElseThrow();
    assertThat(arrivals).isEqualTo(new Arrivals(1_000, 1_501, 1_501, 501, 0));
  }

  @Test
  void aStallAfterADrainedBacklogLeavesABacklogOfItsOwn() {
    begin(OPEN);
    serviceNanos = micros(2_000);
    runUntil(1_000);
    window.open();
    serviceNanos = micros(100);
    runUntil(1_500);
    clock.now = millis(2_000);
    Arrivals arrivals = window.close().get().arrivals().orElseThrow();
    assertThat(arrivals.completed()).isGreaterThanOrEqualTo(arrivals.offered());
    assertThat(arrivals.backlogAtEnd()).isBetween(490L, 510L);
  }

  @Property(tries = 100)
  void theBacklogIsWhatWasOfferedAndNotStarted(
      @ForAll @IntRange(min = 10, max = 3_000) int microsBefore,
      @ForAll @IntRange(min = 10, max = 3_000) int microsWithin,
      @ForAll boolean poisson) {
    clock.now = 0;
    begin(OPEN.with("arrival", poisson ? "poisson" : "constant"));
    serviceNanos = micros(microsBefore);
    runUntil(300);
    window.open();
    serviceNanos = micros(microsWithin);
    runUntil(700);
    Arrivals arrivals = window.close().get().arrivals().orElseThrow();
    assertThat(arrivals.backlogAtStart() + arrivals.offered())
        .isEqualTo(arrivals.started() + arrivals.backlogAtEnd());
    assertThat(arrivals.backlogAtStart()).isNotNegative();
    assertThat(arrivals.backlogAtEnd()).isNotNegative();
  }

  /** Ten calls in the window, of which three records were never sent. */
  @Test
  void recordsThatTheClientMergedAreNotWritten() {
    begin(Trials.SETTINGS);
    serviceNanos = micros(1_000);
    calls(4);
    merged = 2;
    window.open();
    calls(10);
    merged = 5;
    assertThat(window.close().get().records()).isEqualTo(7);
  }

  @Test
  void failuresBeforeAndAfterTheWindowAreNotItsFailures() {
    begin(Trials.SETTINGS);
    serviceNanos = micros(1_000);
    failing = true;
    calls(3);
    window.open();
    calls(5);
    failing = false;
    calls(7);
    Supplier<Answer.Finished> closed = window.close();
    calls(2);
    failing = true;
    calls(4);
    Answer.Finished counts = closed.get();
    assertThat(counts.failedCalls()).isEqualTo(5);
    assertThat(counts.failedAfterwards()).isEqualTo(4);
    assertThat(counts.calls()).isEqualTo(7);
    assertThat(counts.records()).isEqualTo(7);
    assertThat(counts.seconds()).isEqualTo(0.012);
    assertThat(counts.arrivals()).isEmpty();
  }

  @Test
  void theSlowestCallsHaveTheirIntendedStartsSinceTheBeginOfTheWindow() {
    begin(OPEN);
    serviceNanos = micros(9_000);
    runUntil(20);
    serviceNanos = micros(100);
    runUntil(1_000);
    window.open();
    long opened = clock.now;
    runUntil(1_500);
    serviceNanos = micros(2_300);
    loop.next();
    serviceNanos = micros(100);
    runUntil(2_000);
    Slowest slowest = window.close().get().slowest().orElseThrow();
    assertThat(slowest.epochMicros()).isEqualTo(1_000_000_000_000L + opened / 1_000);
    Slowest.OfOperation calls = slowest.byOperation().values().iterator().next();
    assertThat(calls.completeAbove()).as("every call of the window is there").isNegative();
    assertThat(calls.calls()).hasSizeBetween(998, 1_001);
    SlowCall slow = calls.calls().get(0);
    assertThat(slow.nanos()).isEqualTo(micros(2_300));
    assertThat(slow.beginMicros()).isBetween(499_000L, 502_000L);
    assertThat(calls.calls())
        .as("calls that waited for the one before were not started late by the generator")
        .allMatch(call -> call.lateMicros() == 0);
    assertThat(calls.calls().get(1).nanos()).isEqualTo(micros(1_400));
  }

  @Test
  void aCallThatWasStartedLateSaysSo() {
    begin(OPEN);
    serviceNanos = micros(100);
    window.open();
    runUntil(10);
    clock.now += micros(5_000);
    loop.next();
    Slowest slowest = window.close().get().slowest().orElseThrow();
    SlowCall late = slowest.byOperation().values().iterator().next().calls().get(0);
    assertThat(late.lateMicros()).isBetween(3_900L, 5_000L);
    assertThat(late.nanos()).isEqualTo(micros(late.lateMicros() + 100));
  }

  private void begin(Settings settings) {
    loop = Trials.loop(Job.WRITE, settings, path, clock);
    window = new MeasurementWindow(List.of(loop), clock);
    loop.begin();
  }

  private void runUntil(long millis) {
    while (clock.now < millis(millis)) {
      loop.next();
    }
  }

  private void calls(int calls) {
    for (int i = 0; i < calls; i++) {
      loop.next();
    }
  }

  private static long micros(long micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
