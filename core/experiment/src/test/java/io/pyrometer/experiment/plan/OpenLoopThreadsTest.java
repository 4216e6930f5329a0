package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.CoreSettings;
import org.junit.jupiter.api.Test;

class OpenLoopThreadsTest {
  private static Integer[] threads(String workload, String factors) {
    return Fixture.plan(
            Fixture.of("driver: rich", "path: put" + workload, "factors: {" + factors + "}"))
        .groups()
        .stream()
        .flatMap(group -> group.trials().stream())
        .map(trial -> trial.settings().get(CoreSettings.THREADS))
        .distinct()
        .toArray(Integer[]::new);
  }

  @Test
  void allRatesHaveTheThreadsOfTheHighest() {
    assertThat(threads("", "rate: [100, 500, 1500]")).containsExactly(15);
    assertThat(threads(", agents: 2", "rate: [100, 1500]")).containsExactly(8);
    assertThat(threads("", "rate: [50, 1000000]")).containsExactly(64);
    assertThat(threads(", stages: [{rate: 100, for: 5s}, {ramp-to: 700, for: 5s}]", "repeats: [0]"))
        .containsExactly(7);
  }

  @Test
  void theExperimentsOwnNumberAndClosedLoopsStay() {
    assertThat(threads(", rate: 1000, threads: 2", "repeats: [0]")).containsExactly(2);
    assertThat(threads("", "repeats: [0, 90%]")).containsExactly(1);
  }
}
