package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of the figures of trials. */
class TrialLimitsTest {
  private static final String TWO =
      MadeUpRun.file(
          "two",
          "driver: rich",
          "record: stock-order, records: 1000, path: put",
          "factors: {nodes: [1, 2]}\nblocks: 2\nanalyses: [ranking]\n");

  @TempDir Path runs;

  @ParameterizedTest
  @CsvSource({"'', false", "', compiler: C1', true", "', compiler: C1-and-C2', false"})
  void c1IsKnownByTheSettingOfTheCompiler(String setting, boolean expected) {
    MadeUpRun run = MadeUpRun.read(TWO.replace("driver: rich", "driver: rich" + setting));
    assertThat(run.load(runs, trial -> 1_000).compiledByC1()).isEqualTo(expected);
  }

  /** The report of a run whose trials exceed a limit of 10 % where the condition holds. */
  private RunReport report(String file, String check, Predicate<TrialSpec> exceeded) {
    return RunReport.of(
        MadeUpRun.read(file)
            .validity(
                trial -> {
                  double share = exceeded.test(trial) ? 34 : 7;
                  return List.of(new Check(check, share, 10, "%", share > 10));
                })
            .load(runs, trial -> 1_000));
  }

  @ParameterizedTest
  @CsvSource({
    Check.OVERSUBSCRIBED + ", scalability, validity.oversubscribed",
    Check.JIT_COMPILERS + ", ranking, validity.not-warm"
  })
  void trialsAboveALimitAreCounted(String check, String analysis, String id) {
    String file = TWO.replace("[1, 2]", "[1, 2, 3]").replace("[ranking]", "[" + analysis + "]");
    assertThat(report(file, check, trial -> trial.settings().integer("nodes") == 1).findings())
        .filteredOn(finding -> finding.id().equals(id))
        .isNotEmpty()
        .allMatch(finding -> finding.values().get("marked").equals(Value.count(2)))
        .allMatch(finding -> finding.values().get("trials").equals(Value.count(6)));
  }

  private static Answer.Next next(RunReport report) {
    return report.answer().next().orElseThrow();
  }

  @Test
  void aWarmUpThatTheCommandEndsWithIsReplaced() {
    Plan plan = Planner.plan(Fixture.read(TWO), Fixture.CATALOGUE);
    List<String> arguments = List.of("--set", "records=9", "--set", "common-warm-up=0s");
    RunReport report =
        RunReport.of(
            MadeUpRun.of(plan, Fixture.CATALOGUE, arguments)
                .validity(trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", true)))
                .load(runs, trial -> 1_000));
    assertThat(next(report).command()).contains(".yaml --set records=9 --set common-warm-up=120s");
  }

  /** Half of the trials lower the confidence; a tenth of them takes a longer warm-up. */
  @ParameterizedTest
  @CsvSource({"2, 2, true, true", "3, 2, false, true", "4, 1, false, true", "5, 1, false, false"})
  void coldTrialsLowerTheConfidenceAndTheNextRunWarmsUpLonger(
      int blocks, int cold, boolean lower, boolean longer) {
    RunReport report =
        report(
            TWO.replace("blocks: 2", "blocks: " + blocks),
            Check.JIT_COMPILERS,
            trial -> trial.block() == 0 && trial.ordinal() < cold);
    assertThat(report.answer().loweredBy())
        .extracting(Finding::id)
        .matches(ids -> ids.contains("confidence.not-warm") == lower);
    assertThat(report.answer().next().filter(next -> next.command().contains("common-warm-up")))
        .matches(next -> next.isPresent() == longer);
  }
}
