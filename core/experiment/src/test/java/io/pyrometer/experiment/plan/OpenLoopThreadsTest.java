package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.CoreSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenLoopThreadsTest {

  /** The threads of the highest rate of all trials; a number of the experiment's own stays. */
  @ParameterizedTest
  @CsvSource({
    "path: put, 'rate: [100, 500, 1500]', 15",
    "'path: put, agents: 2', 'rate: [100, 1500]', 8",
    "path: put, 'rate: [50, 1000000]', 64",
    "'path: put, stages: [{rate: 100, for: 5s}, {ramp-to: 700, for: 5s}]', repeats: [0], 7",
    "'path: put, rate: 1000, threads: 2', repeats: [0], 2",
    "path: put, 'repeats: [0, 90%]', 1"
  })
  void everyTrialHasTheThreadsOfTheHighestRate(String workload, String factors, int threads) {
    assertThat(
            Fixture.plan(Fixture.of("driver: rich", workload, "factors: {" + factors + "}"))
                .trials())
        .extracting(trial -> trial.settings().get(CoreSettings.THREADS))
        .containsOnly(threads);
  }
}
