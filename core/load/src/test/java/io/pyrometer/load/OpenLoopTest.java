package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

  private static final Percentage DIGITS = Percentage.withPercentage(0.2);

  /**
   * A call every 10 ms meets a server that answers 10 000 calls in 1 ms each and then stands still
   * for 100 s: every call that should have begun meanwhile waited, and the percentiles are those of
   * the published correction for coordinated omission.
   */
  @Test
  void latencyFromTheIntendedStartGivesTheCorrectedPercentiles() throws Exception {
    JsonNode golden =
        Json.LINES.readTree(getClass().getResourceAsStream("/golden/coordinated-omission.json"));
    Pacer schedule = Pacer.of(Trials.SETTINGS.with("rate", 100.0), new LoadThread(0, 1), 1);
    schedule.beginAt(0);
    Recording recording = new Recording(1, true);
    long now = 0;
    for (int call = 0; call < 20_000; call++) {
      long intended = schedule.next();
      long service = call < 10_000 ? millis(1) : call == 10_000 ? millis(100_000) : 0;
      now = Math.max(now, intended) + service;
      recording.ended(0, now - intended, 0, 0, 1);
    }
    Histogram latency = latencies(recording);
    assertThat(latency.getTotalCount()).isEqualTo(golden.get("corrected_count").asLong());
    assertThat(latency.getMean() / 1e3).isCloseTo(golden.get("corrected_mean").asDouble(), DIGITS);
    for (Map.Entry<String, JsonNode> percentile : golden.get("corrected").properties()) {
      double value = latency.getValueAtPercentile(Double.parseDouble(percentile.getKey())) / 1e3;
      assertThat(value)
          .as("percentile %s", percentile.getKey())
          .isCloseTo(percentile.getValue().asDouble(), DIGITS);
    }
  }

  @Test
  void aStallOfTheServerIsInTheLatencyOfEveryCallThatWasDueMeanwhile() {
    Settings settings = Trials.SETTINGS.with("rate", 1_000.0);
    FakeClock clock = new FakeClock();
    MemoryPath stalls =
        MemoryPath.doing(
            (path, call) -> {
              clock.now += path.calls.get() == 0 ? millis(300) : 0;
              path.write(call);
            });
    LoadLoop loop = Trials.loop(Job.WRITE, settings, stalls, clock);
    loop.begin();
    for (int call = 0; call < 150; call++) {
      loop.next();
    }
    Histogram latency = latencies(loop.recording());
    assertThat(latency.getCountBetweenValues(millis(145), Long.MAX_VALUE)).isEqualTo(150);
    assertThat(loop.recording().takeSlip().getValueAtPercentile(99)).isGreaterThan(millis(145));
  }

  @Test
  void constantArrivalsAreEvenAndThreadsInterleave() {
    Settings settings = Trials.SETTINGS.with("rate", 1_000.0);
    Pacer first = Pacer.of(settings, new LoadThread(0, 2), 1);
    Pacer second = Pacer.of(settings, new LoadThread(1, 2), 1);
    assertThat(new long[] {first.next(), second.next(), first.next(), second.next()})
        .containsExactly(0, millis(1), millis(2), millis(3));
  }

  @Test
  void stagesBeginWhereTheyAreToldAndArrivalsThatWereDueLaterAreDropped() {
    Settings settings =
        Trials.SETTINGS.with("rate", 100.0).with("stages", "100 for 1s, to 300 for 2s, 50 for 1s");
    Pacer load = Pacer.of(settings, new LoadThread(0, 1), 1);
    Pacer counting = Pacer.of(settings, new LoadThread(0, 1), 1);
    assertThat(load.next()).isZero();
    assertThat(load.next()).isEqualTo(millis(10));
    load.stagesFrom(millis(15));
    counting.stagesFrom(millis(15));
    assertThat(load.next()).isEqualTo(millis(15));
    assertThat(load.next()).isEqualTo(millis(25));
    assertThat(counting.dueBy(millis(14))).isEqualTo(2);
    assertThat(counting.dueBy(millis(1_014))).isEqualTo(2 + 100);
    assertThat(counting.dueBy(millis(3_014))).isEqualTo(2 + 100 + 400);
    assertThat(counting.dueBy(millis(4_014))).isEqualTo(2 + 100 + 400 + 50);
    assertThat(counting.dueBy(millis(6_014))).as("the last rate goes on").isEqualTo(2 + 650);
  }

  @Test
  void aRampIsLinearAndSharedByThreads() {
    Settings settings =
        Trials.SETTINGS.with("rate", 100.0).with("stages", "100 for 1s, to 300 for 2s");
    long[] due = new long[2];
    for (int thread = 0; thread < 2; thread++) {
      Pacer pacer = Pacer.of(settings, new LoadThread(thread, 2), 1);
      pacer.stagesFrom(0);
      due[0] += pacer.dueBy(millis(2_000) - 1);
      due[1] += pacer.dueBy(millis(3_000) - 1);
    }
    // 100 in the first second, then 150 and 250.
    assertThat(due).containsExactly(250, 500);
  }

  @Test
  void poissonArrivalsFollowTheStagesToo() {
    Settings settings =
        Trials.SETTINGS
            .with("rate", 1_000.0)
            .with("arrival", "poisson")
            .with("stages", "1000 for 100s, to 3000 for 100s");
    Pacer pacer = Pacer.of(settings, new LoadThread(0, 1), 3);
    pacer.stagesFrom(0);
    long first = pacer.dueBy(millis(100_000));
    long second = pacer.dueBy(millis(200_000)) - first;
    assertThat((double) first).isBetween(98_500.0, 101_500.0);
    assertThat((double) second).isBetween(197_500.0, 202_500.0);
  }

  @Test
  void poissonArrivalsHaveTheMeanAndTheSpreadOfTheExponential() {
    Settings settings = Trials.SETTINGS.with("rate", 1_000.0).with("arrival", "poisson");
    Pacer schedule = Pacer.of(settings, new LoadThread(0, 1), 9);
    int calls = 200_000;
    double sum = 0;
    double squares = 0;
    long last = schedule.next();
    for (int i = 0; i < calls; i++) {
      long next = schedule.next();
      double gap = (next - last) / 1e6;
      sum += gap;
      squares += gap * gap;
      last = next;
    }
    assertThat(sum / calls).isBetween(0.98, 1.02);
    assertThat(squares / calls).isBetween(1.9, 2.1);
  }

  @Test
  void theHistogramIsNeverClipped() {
    Recording one = new Recording(1, true);
    Recording any = new Recording(1, false);
    long day = TimeUnit.DAYS.toNanos(1);
    one.ended(0, day, 0, 0, 1);
    any.ended(0, day, 0, 0, 1);
    assertThat((double) latencies(one).getMaxValue()).isCloseTo(day, DIGITS);
    assertThat((double) latencies(any).getMaxValue()).isCloseTo(day, DIGITS);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static Histogram latencies(Recording recording) {
    Histogram latencies = new Histogram(Recording.DIGITS);
    recording.moveLatencies(0, latencies);
    return latencies;
  }
}
