package io.pyrometer.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Experiments whose cases are benchmarks of caches, and treatments that a design leaves out. */
class JmhExperimentTest {
  private static final String CACHES = Caches.EXPERIMENT.replace("blocks: 3", "blocks: 1");

  private static Plan plan(String text) {
    Experiment experiment = ExperimentReader.read(text, "test.yaml", Path.of(""), Caches.CATALOGUE);
    return Planner.plan(experiment, Caches.CATALOGUE);
  }

  private static String problem(String text) {
    return String.valueOf(
        catchThrowableOfType(ExperimentException.class, () -> plan(text)).getMessage());
  }

  @Test
  void aCaseThatNamesABenchmarkIsATrialUnderJmhAndNeedsNoRecord() {
    Plan plan = plan(CACHES);
    assertThat(plan.trials())
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.job()).isEqualTo(Benchmark.JOB);
              assertThat(trial.record()).isEqualTo(JmhKind.RECORD);
            });
    TrialSpec loading =
        plan.trials().stream()
            .filter(t -> t.path().equals("jmh-load-zipf"))
            .findFirst()
            .orElseThrow();
    assertThat(loading.settings().get(BenchmarkSettings.KEY_RANGE)).isEqualTo(5);
  }

  @Test
  void anExceptionLeavesOutTheTreatmentsThatHaveItsLevelInEveryFactorAndNoOthers() {
    assertThat(plan(CACHES).trials())
        .extracting(TrialSpec::levels)
        .containsExactlyInAnyOrder(
            Map.of("case", "populating", "cache", "Map"),
            Map.of("case", "populating", "cache", "Bounded"),
            Map.of("case", "populating", "cache", "Small"),
            Map.of("case", "loading", "cache", "Bounded"),
            Map.of("case", "loading", "cache", "Small"));
    assertThat(plan(CACHES.replace("{cache: Map, case: loading}", "{cache: [Map]}")).trials())
        .as("of one factor")
        .extracting(TrialSpec::levels)
        .containsExactlyInAnyOrder(
            Map.of("case", "populating", "cache", "Bounded"),
            Map.of("case", "populating", "cache", "Small"),
            Map.of("case", "loading", "cache", "Bounded"),
            Map.of("case", "loading", "cache", "Small"));
  }

  @Test
  void withoutTheExceptionTheDriverThatLacksTheBenchmarkIsNamed() {
    String all = CACHES.replaceFirst("(?s)design:.*blocks", "blocks");
    assertThat(problem(all)).contains("'map'", "'jmh-load-zipf'", "jmh-populate, jmh-read");
  }

  @Test
  void aBenchmarkThatNoDriverHasIsAnsweredWithThoseThatThereAre() {
    assertThat(problem(CACHES.replace("benchmark: load-zipf", "benchmark: load-zipfs")))
        .contains("'load-zipfs'", "load-zipf'");
  }

  @Test
  void aSettingThatBenchmarksDoNotHeedIsRefused() {
    assertThat(problem(CACHES.replace("key-range: 500%", "key-range: 500%, in-flight: 3")))
        .contains("in-flight");
    assertThat(problem(CACHES.replace("key-range: 500%", "key-range: 500%, rate: 100")))
        .contains("rate");
  }
}
