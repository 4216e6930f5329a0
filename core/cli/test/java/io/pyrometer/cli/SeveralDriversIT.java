package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.protocol.CoreSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The drivers that ship, in one experiment. */
class SeveralDriversIT {

  @Test
  void aBlockHoldsIgniteAndTheNullDriverWithSettingsOfTheirOwn() {
    Catalogue catalogue = Home.catalogue();
    String text =
        """
        pyrometer: 1
        name: ignite-and-null
        question: How far is the grid from the harness itself?
        grid: {backups: 0}
        workload: {record: stock-order, path: put}
        factors: {driver: [ignite, "null"]}
        blocks: 1
        """;
    Plan plan =
        Planner.plan(ExperimentReader.read(text, "mixed.yaml", Path.of(""), catalogue), catalogue);
    assertThat(plan.groups())
        .extracting(Group::driver)
        .containsExactlyInAnyOrder(Optional.of("ignite"), Optional.of("null"));
    for (Group group : plan.groups()) {
      boolean ignite = group.driver().equals(Optional.of("ignite"));
      assertThat(group.process().has("region")).isEqualTo(ignite);
      assertThat(group.process().get(CoreSettings.NODES)).isEqualTo(ignite ? 3 : 0);
    }
  }
}
