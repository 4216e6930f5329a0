package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenHopsTest {
  private static final String CLIENTS =
      """
      pyrometer: 1
      name: clients
      question: Which client?
      grid: {driver: plain}
      workload: {record: stock-order, records: 1000, path: put-again}
      factors: {partition-awareness: [on, off]}
      blocks: 5
      """;

  @TempDir Path runs;

  private RunReport report(String yaml) {
    MadeUpRun made = MadeUpRun.of(Fixture.read(yaml), Fixture.CATALOGUE);
    return RunReport.of(
        RunRecord.load(
            made.write(
                runs,
                trial -> trial.levels().get("partition-awareness").equals("off") ? 2_000 : 1_000)));
  }

  @Test
  void anUnawareClientThatIsFasterOverLoopbackIsNotRecommended() {
    RunReport report = report(CLIENTS);
    assertThat(report.answer().recommended().get(0).treatment())
        .isEqualTo("partition-awareness on");
    assertThat(report.findings()).extracting(Finding::id).contains("ranking.hidden-hop");
  }

  @Test
  void aloneItIsJudgedLikeAny() {
    assertThat(report(CLIENTS.replace("awareness: [on, off]", "awareness: [off]")).findings())
        .extracting(Finding::id)
        .doesNotContain("ranking.hidden-hop");
  }
}
