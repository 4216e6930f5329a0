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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of the figures of trials. */
class TrialLimitsTest {
  @TempDir Path runs;

  @Nested
  class CompiledByC1Tests {
    private boolean in(String grid) {
      String text =
          MadeUpRun.file(
                  "compiled", "driver: rich%s", "record: stock-order, records: 1000, path: put", "")
              .formatted(grid);
      return TrialLimits.isCompiledByC1(MadeUpRun.read(text).load(runs, trial -> 1_000));
    }

    @Test
    void byTheSettingOfTheCompiler() {
      assertThat(in("")).isFalse();
      assertThat(in(", compiler: C1")).isTrue();
      assertThat(in(", compiler: C1-and-C2")).isFalse();
    }
  }

  /** Trials whose own processes needed more CPU than the machine has. */
  @Nested
  class OversubscriptionTests {
    private static final String NODES =
        MadeUpRun.file(
            "nodes",
            "driver: rich",
            "record: stock-order, records: 1000, path: put",
            """
            factors:
              nodes: [1, 2, 3]
            blocks: 2
            analyses: [ranking, scalability, factors]
            """);

    @Test
    void oversubscribedTrialsAreCounted() {
      MadeUpRun run =
          MadeUpRun.read(NODES)
              .validity(
                  trial -> {
                    double share = trial.settings().integer("nodes") * 30;
                    return List.of(new Check(Check.OVERSUBSCRIBED, share, 85, "%", share > 85));
                  });
      assertThat(RunReport.of(run.load(runs, trial -> 1_000)).findings())
          .filteredOn(finding -> finding.id().equals("validity.oversubscribed"))
          .isNotEmpty()
          .allMatch(finding -> finding.values().get("marked").equals(Value.count(2)))
          .allMatch(finding -> finding.values().get("trials").equals(Value.count(6)));
    }
  }

  /** Reports of trials that ran while JIT compilers were at work. */
  @Nested
  class NotWarmTests {
    private static final String TWO =
        MadeUpRun.file(
            "two",
            "driver: rich",
            "record: stock-order, records: 1000, path: put",
            """
            factors:
              nodes: [1, 2]
            blocks: 2
            analyses: [ranking]
            """);

    private static Answer.Next next(RunReport report) {
      return report.answer().next().orElseThrow();
    }

    @Test
    void trialsAboveTheLimitAreCountedInAWarning() {
      MadeUpRun run =
          MadeUpRun.read(TWO)
              .validity(
                  trial -> {
                    double share = trial.settings().integer("nodes") == 1 ? 34 : 7;
                    return List.of(new Check(Check.JIT_COMPILERS, share, 10, "%", share > 10));
                  });
      assertThat(RunReport.of(run.load(runs, trial -> 1_000)).findings())
          .filteredOn(finding -> finding.id().equals("validity.not-warm"))
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
    void aWarmUpThatTheCommandEndsWithIsReplaced() {
      Plan plan = Planner.plan(Fixture.read(TWO), Fixture.CATALOGUE);
      List<String> arguments = List.of("--set", "records=9", "--set", "common-warm-up=0s");
      RunReport report =
          RunReport.of(
              MadeUpRun.of(plan, Fixture.CATALOGUE, arguments)
                  .validity(trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", true)))
                  .load(runs, trial -> 1_000));
      assertThat(next(report).command())
          .contains(".yaml --set records=9 --set common-warm-up=120s");
    }

    /** Half of the trials lower the confidence; a tenth of them takes a longer warm-up. */
    @ParameterizedTest
    @CsvSource({"2, 2, true, true", "3, 2, false, true", "4, 1, false, true", "5, 1, false, false"})
    void coldTrialsLowerTheConfidenceAndTheNextRunWarmsUpLonger(
        int blocks, int cold, boolean lower, boolean longer) {
      RunReport report =
          RunReport.of(
              MadeUpRun.read(TWO.replace("blocks: 2", "blocks: " + blocks))
                  .validity(
                      trial ->
                          List.of(
                              new Check(
                                  Check.JIT_COMPILERS,
                                  34,
                                  10,
                                  "%",
                                  trial.block() == 0 && trial.ordinal() < cold)))
                  .load(runs, trial -> 1_000));
      assertThat(report.answer().loweredBy())
          .extracting(Finding::id)
          .matches(ids -> ids.contains("confidence.not-warm") == lower);
      assertThat(next(report).command().contains("common-warm-up")).isEqualTo(longer);
    }
  }
}
