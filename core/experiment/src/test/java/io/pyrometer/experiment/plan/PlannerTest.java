package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
  private static final int BLOCKS = 3;

  private static Experiment experiment(String design, long seed) {
    return Fixture.withTail(
        """
        factors:
          path: [put, put-all, get, mix]
          nodes: [1, 2, 3]
          persistence: [true, false]
          agents: [1, 2]
          distinct-records: [10, 100]
        design: %s
        blocks: %d
        seed: %d
        """
            .formatted(design, BLOCKS, seed));
  }

  private static Experiment tailed(String factors, long seed) {
    return Fixture.withTail("factors: {%s}\nblocks: %d\nseed: %d".formatted(factors, BLOCKS, seed));
  }

  private static Map<Integer, List<TrialSpec>> blocks(Plan plan) {
    return plan.trials().stream().collect(Collectors.groupingBy(TrialSpec::block));
  }

  @ParameterizedTest
  @ValueSource(strings = {"full", "one-at-a-time"})
  void everyTreatmentComesExactlyOnceABlockAndSeesTheSameDataThere(String design) {
    Experiment experiment = experiment(design, 7);
    List<Map<String, String>> treatments =
        experiment.treatments().expand().stream().map(Treatment::levels).toList();
    Map<Integer, List<TrialSpec>> blocks = blocks(Fixture.plan(experiment));
    assertThat(blocks).hasSize(BLOCKS);
    blocks
        .values()
        .forEach(
            trials -> {
              assertThat(trials)
                  .extracting(TrialSpec::levels)
                  .containsExactlyInAnyOrderElementsOf(treatments);
              assertThat(trials).extracting(TrialSpec::seed).containsOnly(trials.get(0).seed());
            });
  }

  @Test
  void theSameSeedGivesTheSamePlanAndBlocksAndSeedsDifferInOrder() {
    Experiment experiment = experiment("full", 7);
    assertThat(Fixture.plan(experiment)).isEqualTo(Fixture.plan(experiment));
    assertThat(
            Stream.of(experiment, experiment("full", 8))
                .flatMap(each -> blocks(Fixture.plan(each)).values().stream())
                .map(trials -> trials.stream().map(TrialSpec::levels).toList()))
        .doesNotHaveDuplicates();
    assertThat(Fixture.plan(experiment).trials().stream().map(TrialSpec::seed).distinct())
        .hasSize(BLOCKS);
  }

  @Test
  void trialsOfTheSameProcessesDifferInOrderBetweenBlocksAndSeeds() {
    String factors = "path: [put, put-all, get], threads: [1, 2, 4], distinct-records: [10, 100]";
    List<Group> groups =
        Stream.of(7, 8)
            .flatMap(seed -> Fixture.plan(tailed(factors, seed)).groups().stream())
            .toList();
    assertThat(groups).hasSize(2 * BLOCKS);
    assertThat(groups)
        .extracting(group -> group.trials().stream().map(TrialSpec::levels).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void aGroupsTrialsShareItsProcessesAndItsBlock() {
    for (Group group : Fixture.plan(experiment("full", 7)).groups()) {
      for (TrialSpec trial : group.trials()) {
        assertThat(trial.block()).isEqualTo(group.block());
        assertThat(trial.settings().values()).containsAllEntriesOf(group.process().values());
      }
    }
  }

  @Test
  void settingsAreCompleteAndThoseOfTheLevels() {
    for (TrialSpec trial : Fixture.plan(experiment("one-at-a-time", 7)).trials()) {
      CoreSettings.ALL.stream()
          .filter(setting -> setting.initial().isPresent())
          .forEach(setting -> assertThat(trial.settings().has(setting.name())).isTrue());
      assertThat(trial.settings().has("backups")).isTrue();
      assertThat(trial.settings().has("batch"))
          .isEqualTo(List.of("put-all", "mix").contains(trial.path()));
      trial
          .levels()
          .forEach((factor, label) -> assertThat(trial.settings().text(factor)).isEqualTo(label));
    }
  }

  @Test
  void eachNodeIsWarmedUpAsLongAsThoseOfTheFewest() {
    assertThat(Fixture.plan(tailed("path: [put], nodes: [6, 2, 3]", 7)).trials())
        .allSatisfy(
            trial ->
                assertThat(trial.settings().get(CoreSettings.COMMON_WARM_UP))
                    .isCloseTo(10.0 * trial.settings().get(CoreSettings.NODES) / 2, within(1e-9)));
  }
}
