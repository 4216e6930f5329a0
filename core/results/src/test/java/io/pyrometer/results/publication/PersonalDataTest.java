package io.pyrometer.results.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.PlannedRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PersonalDataTest {
  @Test
  void hostsOfAnAttachedGridAndOfItsJmxPortsAreReplaced() {
    PlannedRun plan =
        PlannedRun.of(
            Planner.plan(
                Fixture.read(
                    """
                    pyrometer: 1
                    name: theirs
                    question: Which?
                    grid: {driver: rich, attach: "lilac.example.org:47500", jmx: "crimson.example.org:9010"}
                    workload: {record: stock-order, records: 1000, path: put}
                    """),
                Fixture.CATALOGUE),
            Map.of("rich", Fixture.CATALOGUE.drivers().get("rich")),
            List.of("run", "theirs.yaml"),
            List.of());
    assertThat(
            PersonalData.of(plan)
                .removedFrom("crimson.example.org:9010 is silent, lilac.example.org is not"))
        .isEqualTo("host-2:9010 is silent, host-1 is not");
  }
}
