package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials whose own processes needed more CPU than the machine has. */
class OversubscriptionTest {
  private static final String NODES =
      """
      pyrometer: 1
      name: nodes
      question: How does it depend on the nodes?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      factors:
        nodes: [1, 2, 3]
      blocks: 2
      analyses: [ranking, scalability, factors]
      """;

  @TempDir Path runs;

  private List<Finding> findings(Function<TrialSpec, List<Check>> validity) {
    MadeUpRun run = MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE).validity(validity);
    return RunReport.write(run.write(runs, trial -> 1_000)).findings().stream()
        .filter(finding -> finding.id().equals("validity.oversubscribed"))
        .toList();
  }

  private static Check check(double share) {
    return new Check(Check.OVERSUBSCRIBED, share, 85, "%", share > 85);
  }

  @Test
  void oversubscribedTrialsAreCounted() {
    assertThat(findings(trial -> List.of(check(trial.settings().integer("nodes") * 30))))
        .isNotEmpty()
        .allMatch(finding -> finding.values().get("marked").equals(Value.count(2)))
        .allMatch(finding -> finding.values().get("trials").equals(Value.count(6)));
  }

  @Test
  void aMachineWithRoomIsNotMentioned() {
    assertThat(findings(trial -> List.of(check(60)))).isEmpty();
  }
}
