package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilationAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: cold
      question: How long does it rise?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      blocks: 1
      analyses: [compilation]
      """;

  private static final int SECONDS = 100;

  @TempDir Path runs;

  /**
   * @param rate records in a tenth of each second
   * @param share of the CPU time of two processes that compilers use in each second
   */
  private RunAnalysis analysed(IntToDoubleFunction rate, IntToDoubleFunction share)
      throws IOException {
    return analysed(rate, share, 1);
  }

  private RunAnalysis analysed(IntToDoubleFunction rate, IntToDoubleFunction share, int position)
      throws IOException {
    List<Long> samples = new ArrayList<>(List.of(0L));
    for (int tenth = 0; tenth < 10 * SECONDS; tenth++) {
      samples.add(Math.round(rate.applyAsDouble(tenth / 10)));
    }
    RunFolder folder =
        MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE)
            .timeline(samples)
            .write(runs, trial -> 1000);
    List<Interval> cpu = new ArrayList<>();
    for (String process : List.of("agent-0", "node-0")) {
      for (int second = 0; second < SECONDS; second++) {
        double used = process.startsWith("node") ? 0.9 : 0.3;
        cpu.add(new Interval(second, second + 1, process, What.USED, used));
        double compiled = used * share.applyAsDouble(second);
        cpu.add(new Interval(second, second + 1, process, What.COMPILED, compiled));
      }
    }
    CpuLog.write(folder.file("cpu.jsonl"), cpu);
    RunRecord run =
        MadeUpRun.changed(
            folder,
            trial ->
                MadeUpRun.with(
                    at(trial, position), List.of(new Artefact(CpuLog.KIND, "", "cpu.jsonl"))));
    return new TimeAnalyses.Compilation().of(run).get(0);
  }

  private static TrialRecord at(TrialRecord trial, int position) {
    TrialRecord.Identity of = trial.identity();
    return new TrialRecord(
        trial.schema(),
        new TrialRecord.Identity(
            of.id(),
            of.ordinal(),
            of.block(),
            of.attempt(),
            of.levels(),
            of.job(),
            of.settings(),
            Optional.of(new TrialRecord.ProcessStart(1, position)),
            of.label()),
        trial.started(),
        trial.result(),
        trial.timeline(),
        trial.counts(),
        trial.metrics(),
        trial.artefacts(),
        trial.validity(),
        trial.configuration());
  }

  @Test
  void theRiseAndTheSharesAreThoseOfTheTrial() throws IOException {
    RunAnalysis analysis = analysed(s -> s < 40 ? 50 : 100, s -> s < 40 ? 0.6 : 0.02);
    Finding level = analysis.findings().get(0);
    assertThat(level.id()).isEqualTo("compilation.level");
    assertThat(FoundBy.value(level, "seconds")).isEqualTo("40 s");
    assertThat(FoundBy.value(level, "jit")).isEqualTo("60 %");
  }

  @Test
  void theShareOfCompilersStandsUnderTheThroughputSecondBySecond() throws IOException {
    RunAnalysis analysis = analysed(s -> 100 + s, s -> s < 40 ? 0.6 : 0.02);
    var figures = analysis.result().sections().get(0).figures();
    assertThat(figures.get(0).caption()).startsWith("Records a second");
    assertThat(figures.get(1).table().rows())
        .hasSize(SECONDS)
        .extracting(row -> row.get(2))
        .containsExactlyElementsOf(
            IntStream.range(0, SECONDS).mapToObj(s -> s < 40 ? "0.60" : "0.02").toList());
  }

  @Test
  void throughputThatRisesUntilTheEndHasNoLevel() throws IOException {
    Finding rising = analysed(s -> 1 + s * s, s -> 0.5).findings().get(0);
    assertThat(rising.id()).isEqualTo("compilation.rising");
    assertThat(FoundBy.value(rising, "jit")).isEqualTo("50 %");
  }

  @Test
  void aRepeatOnTheSameProcessesIsNoColdStart() throws IOException {
    assertThat(FoundBy.ids(analysed(s -> 100, s -> 0.02, 2)))
        .containsExactly("compilation.no-trial");
  }
}
