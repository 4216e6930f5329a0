package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TrialSpec;
import org.junit.jupiter.api.Test;

class SeveralDriversTest {

  private static final String FACTOR =
      """
      pyrometer: 1
      name: products
      question: Which product is fastest?
      grid: {backups: 2, region: 64m}
      workload: {record: stock-order, records: 1000, path: put}
      factors: {driver: [rich, plain], threads: [1, 2]}
      blocks: 2
      """;

  @Test
  void oneBlockHoldsTreatmentsOfSeveralDriversInGroupsOfTheirOwn() {
    Plan plan = plan(FACTOR);
    assertThat(plan.experiment().drivers()).containsExactly("rich", "plain");
    assertThat(plan.groups()).hasSize(4);
    for (Group group : plan.groups()) {
      assertThat(group.trials()).hasSize(2);
      assertThat(group.trials())
          .allSatisfy(
              trial ->
                  assertThat(trial.settings().find(CoreSettings.DRIVER)).isEqualTo(group.driver()));
    }
  }

  @Test
  void settingsAndDefaultsOfADriverAreOnlyInItsOwnTreatments() {
    for (TrialSpec trial : plan(FACTOR).trials()) {
      boolean rich = trial.settings().get(CoreSettings.DRIVER).equals("rich");
      assertThat(trial.settings().has("backups")).isEqualTo(rich);
      assertThat(trial.settings().has("cache-mode")).isEqualTo(rich);
      assertThat(trial.settings().get(CoreSettings.NODES)).isEqualTo(rich ? 3 : 0);
    }
  }

  @Test
  void casesMayHaveDifferentDriversAndPaths() {
    Plan plan =
        Fixture.plan(
            Fixture.of(
                "nodes: 2",
                "",
                """
                cases:
                  rich in batches: {driver: rich, path: put-all, batch: 50}
                  plain: {driver: plain, path: store}
                blocks: 1
                """));
    assertThat(plan.trials())
        .extracting(TrialSpec::path)
        .containsExactlyInAnyOrder("put-all", "store");
  }

  @Test
  void theCommandLineCanKeepOrExchangeTheDriver() {
    assertThat(with(FACTOR, "driver=plain").drivers()).containsExactly("plain");
    String single = FACTOR.replace("{backups: 2, region: 64m}", "{driver: rich}");
    Experiment plain = with(single.replace("driver: [rich, plain], ", ""), "driver=plain");
    assertThat(plain.drivers()).containsExactly("plain");
    assertThat(Fixture.plan(plain).trials())
        .allSatisfy(trial -> assertThat(trial.settings().has("backups")).isFalse());
  }

  private static Experiment with(String text, String change) {
    return Fixture.set(Fixture.read(text), change);
  }

  private static Plan plan(String text) {
    return Fixture.plan(Fixture.read(text));
  }
}
