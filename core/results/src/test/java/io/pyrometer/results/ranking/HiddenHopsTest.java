package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
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

  private List<String> sentences(String yaml) {
    MadeUpRun made = MadeUpRun.of(Fixture.read(yaml), Fixture.CATALOGUE);
    return RunReport.of(
            RunRecord.load(
                made.write(
                    runs,
                    trial ->
                        trial.levels().get("partition-awareness").equals("off") ? 2_000 : 1_000)))
        .findings()
        .stream()
        .map(Finding::sentence)
        .toList();
  }

  @Test
  void anUnawareClientThatIsFasterOverLoopbackIsNotRecommended() {
    List<String> sentences = sentences(CLIENTS);
    assertThat(sentences.get(0)).startsWith("Write with partition-awareness on (");
    assertThat(sentences)
        .anyMatch(s -> s.startsWith("Not recommended on one machine: partition-awareness off. "));
  }

  @Test
  void aloneItIsJudgedLikeAny() {
    List<String> sentences = sentences(CLIENTS.replace("awareness: [on, off]", "awareness: [off]"));
    assertThat(sentences).noneMatch(s -> s.contains("Not recommended on one machine"));
  }
}
