package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer.Sample;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleSeriesTest {
  @Test
  void theLongestPauseIsCountedFromTheMeasuredPartOn() {
    SampleSeries samples = new SampleSeries(1, Time.SYSTEM);
    long[] records = {0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0};
    for (int i = 0; i < records.length; i++) {
      samples.add(new Sample(i, records[i], 0, 0, false));
    }
    assertThat(samples.longestPauseFrom(5)).isEqualTo(0.3);
    assertThat(samples.longestPauseFrom(0)).isEqualTo(0.5);
    assertThat(samples.longestPauseFrom(99)).isZero();
  }

  @Test
  void theRateThatIsShownIsThatOfTheLastSecond() {
    SampleSeries samples = new SampleSeries(1, Time.SYSTEM);
    assertThat(samples.recentRate()).as("of nothing").isZero();
    for (int i = 0; i < 25; i++) {
      samples.add(new Sample(i, i < 15 ? 1_000_000 : 7, 0, 0, false));
    }
    assertThat(samples.recentRate()).isEqualTo(70);
  }

  @Test
  void silenceIsCountedFromTheLastSampleOrTheBegin() {
    VirtualTime time = new VirtualTime();
    SampleSeries samples = new SampleSeries(1, time);
    time.sleep(Duration.ofSeconds(5));
    samples.begin();
    time.sleep(Duration.ofSeconds(2));
    assertThat(samples.silentSeconds()).isEqualTo(2);
    samples.add(new Sample(3, 0, 0, 0, false));
    time.sleep(Duration.ofSeconds(1));
    assertThat(samples.silentSeconds()).isEqualTo(1);
  }

  @Test
  void anOfferedRateIsJudgedByLatencyAndStagesByTheirWarmUpAlone() {
    Settings rate = new Settings(Map.of("rate", 100.0, "measure", 3.0));
    Settings stages = rate.with("stages", "100 for 1s, to 500 for 2s");
    SampleSeries falling = new SampleSeries(2, Time.SYSTEM);
    SampleSeries late = new SampleSeries(2, Time.SYSTEM);
    for (int i = 0; i < 120; i++) {
      for (int agent = 0; agent < 2; agent++) {
        // The rate is offered, so throughput is even throughout.
        falling.add(new Sample(i, 10, 10, 10 * (long) (1e6 * Math.exp(-i / 40.0)), false));
        late.add(new Sample(i, 10, 10, 10_000_000L * (i < 80 ? 1 : 5) + i % 7, false));
      }
    }
    assertThat(falling.latencies().get(0)).isEqualTo(1_000_000);
    assertThat(Steadiness.judge(rate, falling, 60, false).settled()).isFalse();
    assertThat(Steadiness.judge(rate, late, 60, false).settled()).isFalse();
    assertThat(Steadiness.judge(stages, late, 60, false).settled()).isTrue();
    assertThat(Steadiness.judge(stages, late, 20, false).driftPercent()).isEmpty();
  }

  @Test
  void aTenthWithoutCallsHasTheLatencyBefore() {
    SampleSeries samples = new SampleSeries(1, Time.SYSTEM);
    samples.add(new Sample(0, 1, 2, 6_000, false));
    samples.add(new Sample(1, 0, 0, 0, false));
    samples.add(new Sample(2, 1, 1, 500, false));
    assertThat(samples.latencies()).containsExactly(3_000L, 3_000L, 500L);
  }
}
