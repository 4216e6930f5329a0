package io.pyrometer.coordinator.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorCheckTest {

  @Test
  void aNodeThatMayRunElsewhereIsNotWhatWasAskedFor() {
    ProcessorCheck cores = cores(1, "0-1");
    assertThatThrownBy(() -> cores.mustBe(1))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("node-0 needs 1 cores", "'0-1'");
    assertThatThrownBy(() -> cores(2, "0").mustBe(1)).hasMessageContaining("its JVM sees 2");
    assertThatCode(() -> cores(1, "1").mustBe(1)).doesNotThrowAnyException();
    assertThatCode(() -> cores.mustBe(0)).doesNotThrowAnyException();
  }

  @Test
  void theProcessorsOfEveryNodeStandInTheConfiguration() {
    assertThat(cores(2, "0-1").addedTo(Map.of("a", "b")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "b", "node-0.processors", "2 of 0-1"));
  }

  private static ProcessorCheck cores(int counted, String allowed) {
    Answer.Used used = new Answer.Used(0, 0, 0, 0, 0, 0, 0, 0, counted, allowed);
    return ProcessorCheck.of(new ProcessUsage(Map.of("node-0", used, "agent-0", used)));
  }
}
