package io.pyrometer.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdTest {
  @Test
  void latenciesAreInMicrosecondsAndOtherMetricsInTheirUnit() {
    assertThat(Threshold.parse(" p99.9(get) < 1.5ms "))
        .contains(new Threshold("p99.9(get) < 1.5ms", "latency.get.p99.9", true, 1_500));
    assertThat(Threshold.parse("throughput>100k"))
        .contains(new Threshold("throughput>100k", "throughput", false, 100_000));
  }

  @Test
  void theLimitItselfIsNotKept() {
    Threshold threshold = Threshold.parse("mean(put) < 2us").orElseThrow();
    assertThat(threshold.keptBy(1.9)).isTrue();
    assertThat(threshold.keptBy(2)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"p98(get) < 5ms", "p99(get) < 5", "p99 get < 5ms", "throughput > 5ms", ""})
  void otherTextsAreNoThresholds(String text) {
    assertThat(Threshold.parse(text)).isEmpty();
  }
}
