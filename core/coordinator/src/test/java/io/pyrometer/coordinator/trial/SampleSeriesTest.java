package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleSeriesTest {
  @Test
  void aTenthIsGivenOutOnceEveryAgentToldOfIt() {
    SampleSeries samples = new SampleSeries(2, Time.SYSTEM);
    samples.add(new Sample(0, 5));
    samples.add(new Sample(1, 6));
    assertThat(samples.complete()).isEmpty();
    samples.add(new Sample(0, 7));
    assertThat(samples.complete()).containsExactly(12L);
  }

  @Test
  void theLongestPauseIsCountedFromTheMeasuredPartOn() {
    SampleSeries samples = new SampleSeries(1, Time.SYSTEM);
    long[] records = {0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0};
    for (int i = 0; i < records.length; i++) {
      samples.add(new Sample(i, records[i]));
    }
    assertThat(samples.longestPauseFrom(5)).isEqualTo(0.3);
    assertThat(samples.longestPauseFrom(0)).isEqualTo(0.5);
    assertThat(samples.longestPauseFrom(99)).isZero();
  }

  @Test
  void aRampThatEndsBeforeTheMeasuredPartIsSettledAndOneThatGoesOnIsNot() {
    List<Long> warm = new ArrayList<>();
    List<Long> rising = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      warm.add(i < 15 ? 100L * i : 5000L + i % 3);
      rising.add(100L * i);
    }
    assertThat(Steadiness.judge(warm, 25, false).settled()).isTrue();
    assertThat(Steadiness.judge(warm, 5, false).settled()).isFalse();
    assertThat(Steadiness.judge(rising, 25, false).settled()).isFalse();
    assertThat(Steadiness.judge(warm.subList(0, 30), 15, false).method()).contains("cannot be");
  }
}
