package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrendAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: trend
      question: Does it stay as fast as it begins?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      blocks: 1
      analyses: [trend, ranking]
      """;

  private static final long BEGUN = 1_700_000_000_000L;

  @TempDir Path runs;

  private final Random random = new Random(3);

  private RunAnalysis analysed(int seconds, IntUnaryOperator calls, IntToDoubleFunction micros)
      throws Exception {
    return analysed(1, seconds, calls, micros);
  }

  private RunAnalysis analysed(
      int blocks, int seconds, IntUnaryOperator calls, IntToDoubleFunction micros)
      throws Exception {
    RunFolder folder =
        MadeUpRun.of(
                Fixture.read(FILE.replace("blocks: 1", "blocks: " + blocks)), Fixture.CATALOGUE)
            .write(runs, trial -> 1000);
    for (TrialRecord trial : folder.trials()) {
      log(folder.histogram(trial.id(), 1), seconds, calls, micros);
    }
    return new TimeAnalyses.Trend().of(RunRecord.load(folder)).get(0);
  }

  /** As a trial writes it: a second in which no call ended has no line. */
  private void log(Path log, int seconds, IntUnaryOperator calls, IntToDoubleFunction micros)
      throws Exception {
    Files.createDirectories(log.getParent());
    try (PrintStream out = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputBaseTime(BEGUN);
      writer.setBaseTime(BEGUN);
      for (int second = 0; second < seconds; second++) {
        Histogram histogram = new Histogram(3);
        for (int call = 0; call < calls.applyAsInt(second); call++) {
          histogram.recordValue(
              (long) (1e3 * micros.applyAsDouble(second) * Math.exp(0.3 * random.nextGaussian())));
        }
        histogram.setTag("call");
        histogram.setStartTimeStamp(BEGUN + 1000L * second);
        histogram.setEndTimeStamp(BEGUN + 1000L * (second + 1));
        if (histogram.getTotalCount() > 0) {
          writer.outputIntervalHistogram(histogram);
        }
      }
    }
  }

  private static List<List<String>> rows(RunAnalysis analysis) {
    return analysis.result().sections().get(0).figures().get(0).table().rows();
  }

  @Test
  void aSlowLossOfThroughputAndARiseOfP99AreFoundWithTheirSize() throws Exception {
    RunAnalysis analysis =
        analysed(
            120,
            second -> (int) (1_000 * (1 - 0.2 * second / 119)) + random.nextInt(40),
            second -> 100 * (1 + 0.5 * second / 119));
    assertThat(rows(analysis)).hasSize(2).allMatch(row -> row.get(2).equals("60"));
    assertThat(rows(analysis).get(0).get(5)).matches("0\\.(79|80?|81).*");
    assertThat(FoundBy.ids(analysis)).containsExactly("trend.worse", "trend.worse");
    assertThat(FoundBy.value(analysis.findings().get(1), "series")).endsWith("p99 call [ms]");
  }

  @Test
  void whereNothingChangesTheSentenceSaysWhatIsExcluded() throws Exception {
    RunAnalysis analysis = analysed(120, second -> 1_000 + random.nextInt(60), second -> 100);
    assertThat(FoundBy.ids(analysis)).containsExactly("trend.steady");
    assertThat(FoundBy.value(analysis.findings().get(0), "series")).isEqualTo("2");
  }

  @Test
  void aPauseInEveryTenthSecondIsNoChange() throws Exception {
    RunAnalysis analysis =
        analysed(
            120,
            second -> (second % 10 == 0 ? 500 : 1_000) + random.nextInt(60),
            second -> second % 10 == 0 ? 400 : 100);
    assertThat(FoundBy.ids(analysis)).containsExactly("trend.steady");
  }

  @Test
  void aStandstillIsSaid() throws Exception {
    RunAnalysis analysis =
        analysed(120, second -> second / 10 == 4 ? 0 : 1_000 + random.nextInt(60), second -> 100);
    assertThat(analysis.findings().get(0).id()).isEqualTo("trend.standstill");
    assertThat(FoundBy.value(analysis.findings().get(0), "empty")).isEqualTo("5");
  }

  @Test
  void tooFewCallsASliceLeaveNoP99() throws Exception {
    RunAnalysis few = analysed(60, second -> 200 + random.nextInt(20), second -> 100);
    assertThat(rows(few).get(1).get(5)).isEqualTo(Table.ABSENT);
    assertThat(few.findings()).hasSize(1);
  }

  @Test
  void manyTrialsThatDoNotChangeRaiseNoAlarm() throws Exception {
    List<Finding> findings =
        analysed(40, 40, second -> 300 + random.nextInt(60), second -> 100).findings();
    assertThat(FoundBy.ids(findings)).containsExactly("trend.steady");
    assertThat(FoundBy.value(findings.get(0), "series")).isEqualTo("40");
  }

  @Test
  void aShortTrialHasNoTrend() throws Exception {
    assertThat(FoundBy.ids(analysed(29, second -> 1_000, second -> 100)))
        .containsExactly("trend.no-trial");
  }
}
