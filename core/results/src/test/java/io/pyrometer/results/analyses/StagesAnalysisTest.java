package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagesAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: stages
      question: What is the latency at each rate?
      grid: {driver: rich}
      workload:
        record: stock-order
        records: 1000
        path: put
        stages: [{rate: 1000, for: 3s}, {ramp-to: 3000, for: 2s}, {rate: 500, for: 2s}]
      factors: {backups: [0]}
      blocks: 2
      """;

  private static final long BEGUN = 1_700_000_000_000L;
  private static final int[] CALLS = {1_000, 1_000, 1_000, 1_000, 2_000, 500, 500};
  private static final int[] MILLIS = {1, 1, 1, 20, 20, 3, 3};

  @TempDir Path runs;

  private RunAnalysis analysed() throws Exception {
    RunFolder folder =
        MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).write(runs, trial -> 1000);
    for (TrialRecord trial : folder.trials()) {
      log(folder.histogram(trial.id(), 1));
    }
    RunRecord run = RunRecord.load(folder);
    assertThat(OfferedRate.of(run.counting().get(0))).as("mean rate").isEqualTo(8_000.0 / 7);
    assertThat(new TimeAnalyses.StagesOfRate().always(run)).isTrue();
    return new TimeAnalyses.StagesOfRate().of(run).get(0);
  }

  private static void log(Path log) throws Exception {
    Files.createDirectories(log.getParent());
    try (PrintStream out = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputBaseTime(BEGUN);
      writer.setBaseTime(BEGUN);
      for (int second = 0; second < CALLS.length; second++) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(1_000_000L * MILLIS[second], CALLS[second]);
        histogram.setTag("put");
        histogram.setStartTimeStamp(BEGUN + 1000L * second);
        histogram.setEndTimeStamp(BEGUN + 1000L * (second + 1));
        writer.outputIntervalHistogram(histogram);
      }
    }
  }

  @Test
  void eachStageHasTheCallsThatEndedInItAndItsPercentiles() throws Exception {
    List<List<String>> rows = analysed().result().sections().get(0).figures().get(0).table().rows();
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0)).contains("1,000/s", "0–3", "put", "6000", "100");
    assertThat(rows.get(1)).contains("1,000 → 3,000/s", "3–5", "6000", "75");
    assertThat(rows.get(1).toString()).contains("20");
    assertThat(rows.get(2)).contains("500/s", "5–7", "2000", "100");
  }

  @Test
  void theStageOfTheHighestLatencyIsNamedWithWhatItDidNotComplete() throws Exception {
    Finding finding = analysed().findings().get(0);
    assertThat(finding.id()).isEqualTo("stages.overloaded");
    assertThat(FoundBy.value(finding, "rate")).isEqualTo("1,000 → 3,000/s");
    assertThat(FoundBy.value(finding, "completed")).isEqualTo("75 %");
  }
}
