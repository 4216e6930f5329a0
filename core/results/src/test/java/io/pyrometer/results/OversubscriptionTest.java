package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What analyses say of trials whose own processes used up the machine. */
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

  private List<String> sentences(Function<TrialSpec, List<Check>> validity) {
    MadeUpRun run = MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE).validity(validity);
    return RunReport.write(run.write(runs, trial -> 1_000)).findings().stream()
        .map(Finding::sentence)
        .filter(sentence -> sentence.contains("oversubscribed"))
        .toList();
  }

  private static Check check(double share) {
    return new Check(Check.OVERSUBSCRIBED, share, 85, "%", share > 85);
  }

  @Test
  void scalabilityAndFactorsSayWhatItMeans() {
    List<String> said = sentences(trial -> List.of(check(97)));
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).contains("not how a cluster scales");
    assertThat(said.get(1)).contains("effects are those on the CPU cost");
  }

  @Test
  void someTrialsAreCounted() {
    assertThat(sentences(trial -> List.of(check(trial.settings().integer("nodes") * 30))))
        .allMatch(sentence -> sentence.startsWith("In 2 of 6 trials the trial's own processes"))
        .hasSize(2);
  }

  @Test
  void aMachineWithRoomIsNotMentioned() {
    assertThat(sentences(trial -> List.of(check(60)))).isEmpty();
  }
}
