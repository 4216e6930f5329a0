package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of trials that ran while JIT compilers were at work. */
class NotWarmTest {
  private static final String TWO =
      """
      pyrometer: 1
      name: two
      question: Which?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      factors:
        nodes: [1, 2]
      blocks: 2
      analyses: [ranking]
      """;

  @TempDir Path runs;

  private List<Finding> findings(ToDoubleFunction<Integer> percentOfNodes) {
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(TWO), Fixture.CATALOGUE)
            .validity(
                trial -> {
                  double share = percentOfNodes.applyAsDouble(trial.settings().integer("nodes"));
                  return List.of(new Check(Check.JIT_COMPILERS, share, 10, "%", share > 10));
                });
    return RunReport.write(run.write(runs, trial -> 1_000)).findings().stream()
        .filter(finding -> finding.id().equals("validity.not-warm"))
        .toList();
  }

  private static Answer.Next next(RunReport report) {
    return report.answer().next().orElseThrow();
  }

  @Test
  void trialsAboveTheLimitAreCountedInAWarning() {
    assertThat(findings(nodes -> nodes == 1 ? 34 : 7))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.values())
                  .containsEntry("marked", Value.count(2))
                  .containsEntry("trials", Value.count(4))
                  .containsEntry("compilers", Value.share(0.34));
            });
  }

  @Test
  void warmTrialsAreNotMentioned() {
    assertThat(findings(nodes -> 9)).isEmpty();
  }

  @Test
  void anAnswerOfColdTrialsHasLessConfidenceAndTheNextRunWarmsUpLonger() {
    RunReport report =
        RunReport.of(
            RunRecord.load(
                MadeUpRun.of(Fixture.read(TWO), Fixture.CATALOGUE)
                    .validity(trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", true)))
                    .write(runs, trial -> 1_000)));
    assertThat(report.answer().loweredBy()).extracting(Finding::id).contains("confidence.not-warm");
    assertThat(next(report).command()).contains("--set common-warm-up=120s");
    assertThat(next(report).purposes()).extracting(Finding::id).contains("next.warm-code");
  }

  @Test
  void aWarmUpThatTheCommandEndsWithIsReplaced() {
    Plan plan = Planner.plan(Fixture.read(TWO), Fixture.CATALOGUE);
    List<String> arguments = List.of("--set", "records=9", "--set", "common-warm-up=0s");
    RunReport report =
        RunReport.of(
            RunRecord.load(
                MadeUpRun.of(plan, Fixture.CATALOGUE, arguments)
                    .validity(trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", true)))
                    .write(runs, trial -> 1_000)));
    assertThat(next(report).command()).contains(".yaml --set records=9 --set common-warm-up=120s");
  }

  @ParameterizedTest
  @CsvSource({"2, true", "3, false"})
  void theConfidenceIsLowerWhereAtLeastHalfOfTheTrialsWereNotWarm(int blocks, boolean expected) {
    String experiment = TWO.replace("blocks: 2", "blocks: " + blocks);
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE)
            .validity(
                trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", trial.block() == 0)));
    assertThat(
            RunReport.of(RunRecord.load(run.write(runs, trial -> 1_000)))
                .answer()
                .loweredBy()
                .stream()
                .anyMatch(finding -> finding.id().equals("confidence.not-warm")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"5, false", "4, true"})
  void aLongerWarmUpIsNextWhereMoreThanATenthOfTheTrialsWasNotWarm(int blocks, boolean expected) {
    String experiment = TWO.replace("blocks: 2", "blocks: " + blocks);
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE)
            .validity(
                trial ->
                    List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", trial.ordinal() == 0)));
    RunReport report = RunReport.of(RunRecord.load(run.write(runs, trial -> 1_000)));
    assertThat(
            next(report).purposes().stream()
                .anyMatch(finding -> finding.id().equals("next.warm-code")))
        .isEqualTo(expected);
  }
}
