package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledByC1Test {
  @TempDir Path runs;

  private boolean in(String grid) {
    String text =
        """
        pyrometer: 1
        name: compiled
        question: How fast?
        grid: {driver: rich%s}
        workload: {record: stock-order, records: 1000, path: put}
        """
            .formatted(grid);
    return TrialLimits.isCompiledByC1(
        RunRecord.load(
            MadeUpRun.of(Fixture.read(text), Fixture.CATALOGUE).write(runs, trial -> 1_000)));
  }

  @Test
  void byTheSettingOrByArgumentsOfJvmsOfWhichTheLastCounts() {
    String level = "-XX:TieredStopAtLevel=";
    assertThat(in("")).isFalse();
    assertThat(in(", compiler: C1")).isTrue();
    assertThat(in(", compiler: C1-and-C2")).isFalse();
    assertThat(in(", node-jvm-args: %s1".formatted(level))).isTrue();
    assertThat(in(", node-jvm-args: %s1 %1$s4".formatted(level))).isFalse();
    assertThat(in(", compiler: C1, node-jvm-args: %s4, agent-jvm-args: %1$s4".formatted(level)))
        .isFalse();
  }
}
