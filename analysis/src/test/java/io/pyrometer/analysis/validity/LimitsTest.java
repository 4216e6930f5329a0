package io.pyrometer.analysis.validity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void aQuietTrialIsNotDisturbed() {
    assertThat(
            Limits.DEFAULT.judge(
                Map.of(Sign.STEAL, 0.01, Sign.ACHIEVED, 0.98, Sign.CLIENT_CPU, 0.7)))
        .isEmpty();
    assertThat(Limits.DEFAULT.judge(Map.of())).isEmpty();
  }

  @Test
  void everyPassedLimitIsNamedWithWhatWasMeasured() {
    assertThat(
            Limits.DEFAULT.judge(
                Map.of(
                    Sign.STEAL, 0.034,
                    Sign.THROTTLED, 3.0,
                    Sign.ACHIEVED, 0.9,
                    Sign.GENERATOR_HEADROOM, 1.5)))
        .extracting(Finding::sentence)
        .containsExactly(
            "Disturbed: CPU time stolen by the host was 3.4 %, where at most 1 % is allowed.",
            "Disturbed: times the cgroup was throttled was 3, where at most 0 is allowed.",
            "Disturbed: achieved over offered rate was 90 %, where at least 98 % is allowed.",
            "Limited by the generator: its own ceiling is only 1.5× the result, where at least 3× is"
                + " asked for.");
  }

  @Test
  void allLimitsArePrintedAndMayBeChanged() {
    assertThat(Limits.DEFAULT.lines()).hasSize(Sign.values().length);
    assertThat(Limits.DEFAULT.lines())
        .contains("failed operations: at most 0.1 %", "CPU pressure (some avg10): at most 10 %");
    Limits loose = Limits.DEFAULT.with(Sign.STEAL, 0.5);
    assertThat(loose.judge(Map.of(Sign.STEAL, 0.034))).isEmpty();
    assertThat(loose.of(Sign.CLIENT_GC)).isEqualTo(0.01);
    assertThat(Limits.DEFAULT.of(Sign.STEAL)).isEqualTo(0.01);
  }

  @Test
  void figuresThatAreNoFiguresAreRefused() {
    assertThatThrownBy(() -> Limits.DEFAULT.judge(Map.of(Sign.STEAL, Double.NaN)))
        .isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> Limits.DEFAULT.with(Sign.STEAL, Double.POSITIVE_INFINITY))
        .isInstanceOf(BadDataException.class);
  }
}
