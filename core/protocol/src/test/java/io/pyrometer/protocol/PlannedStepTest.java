package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannedStepTest {

  @Test
  void stepsAndPausesAreReadInTheirOrderAndWrittenAsTheyWere() {
    String text = "read, pause exponential 20ms, check out";
    List<PlannedStep> steps = PlannedStep.parse(text).orElseThrow();
    assertThat(steps)
        .extracting(step -> step.pause().isPresent())
        .containsExactly(false, true, false);
    assertThat(steps.get(1).pause().orElseThrow().first()).isEqualTo(0.02);
    assertThat(PlannedStep.text(steps)).isEqualTo(text);
    assertThat(PlannedStep.parse(PlannedStep.text(steps))).contains(steps);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "read,", "pause", "pause long", "read, 3", "read; add"})
  void whatIsNoListOfStepsIsRefused(String text) {
    assertThat(PlannedStep.parse(text)).isEmpty();
  }
}
