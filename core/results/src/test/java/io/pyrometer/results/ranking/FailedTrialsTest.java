package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A treatment that is ten times as fast as the other, and ends servers in some blocks. */
class FailedTrialsTest {
  private static final String WRITES =
      MadeUpRun.file("writes", "factors: {path: [put, put-all]}\nblocks: 3\n");

  private static final String MEMORY =
      "Failed during verification: node-2 ended with exit code 3; its log ends: Terminating due to"
          + " java.lang.OutOfMemoryError: Java heap space.";

  @TempDir Path runs;

  private static TrialRecord ended(TrialRecord trial, int attempt, Outcome outcome, String why) {
    return MadeUpRun.with(
        MadeUpRun.again(trial, attempt), new Result(outcome, Optional.of(why), Optional.empty()));
  }

  private static boolean putAll(TrialRecord trial, int block) {
    return trial.settings().get(CoreSettings.PATH).equals("put-all") && trial.block() == block;
  }

  /** put-all fails in block 1, where its repeat succeeds, and twice in block 2. */
  private RunReport outOfMemory() {
    return report(
        trial ->
            putAll(trial, 0)
                ? Stream.of(ended(trial, 1, Outcome.FAILED, MEMORY), MadeUpRun.again(trial, 2))
                : putAll(trial, 1)
                    ? Stream.of(
                        ended(trial, 1, Outcome.FAILED, MEMORY),
                        ended(trial, 2, Outcome.FAILED, MEMORY))
                    : Stream.of(trial));
  }

  private RunReport report(Function<TrialRecord, Stream<TrialRecord>> attempts) {
    return report(WRITES, attempts);
  }

  private RunReport report(String file, Function<TrialRecord, Stream<TrialRecord>> attempts) {
    RunRecord run =
        MadeUpRun.read(file).load(runs, trial -> trial.path().equals("put") ? 1_000 : 10_000);
    return RunReport.of(MadeUpRun.of(run, run.finished().stream().flatMap(attempts).toList()));
  }

  private static String marks(RunReport report, String path) {
    Table table = RankingTable.of(report.rankings().get(0)).table();
    int marks = table.header().indexOf("marks");
    return table.rows().stream()
        .filter(row -> row.get(0).equals(path))
        .findFirst()
        .orElseThrow()
        .get(marks);
  }

  private static String recommended(RunReport report) {
    return report.answer().recommended().get(0).treatment();
  }

  private static Finding failed(RunReport report) {
    return report.findings().stream()
        .filter(finding -> finding.category().equals("trials"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTreatmentWithoutAValidTrialInSomeBlockIsMarkedAndNamedAndNotRecommended() {
    RunReport report = outOfMemory();
    assertThat(marks(report, "put-all")).isEqualTo("F 2/3");
    assertThat(marks(report, "put")).isEmpty();
    assertThat(RankingTable.explanations(report.rankings()))
        .singleElement()
        .matches(text -> text.startsWith("F  "));
    assertThat(RankingTable.of(report.rankings().get(0)).table().notes())
        .anyMatch(note -> note.startsWith("F  "));
    assertThat(failed(report))
        .matches(finding -> finding.severity() == Finding.Severity.WARNING)
        .matches(finding -> finding.id().equals("trials.failed-not-recommended"))
        .extracting(Finding::values, InstanceOfAssertFactories.map(String.class, Value.class))
        .containsEntry("treatment", Value.name("put-all"))
        .containsEntry("failed", Value.count(2))
        .containsEntry("lost", Value.count(1))
        .containsEntry("cause", Value.name(Phrases.clause(MEMORY)));
    assertThat(recommended(report)).isEqualTo("put");
    assertThat(recommended(report(Stream::of))).isEqualTo("put-all");
  }

  @Test
  void whereEveryTreatmentFailedInSomeBlockTheBestIsRecommendedAllTheSame() {
    RunReport report =
        report(
            trial ->
                Stream.of(trial.block() == 1 ? ended(trial, 1, Outcome.FAILED, MEMORY) : trial));
    assertThat(recommended(report)).isEqualTo("put-all");
    assertThat(failed(report).values()).containsEntry("failed", Value.count(1));
  }

  @Test
  void theReasonOfTheExitCodeNamesTheTreatmentAndTheCause() {
    assertThat(outOfMemory().failure())
        .hasValueSatisfying(
            reason -> assertThat(reason).startsWith("1 of 6 trials").contains("OutOfMemoryError"));
    assertThat(report(Stream::of).failure()).isEmpty();
  }

  @Test
  void aFailedVerificationIsSaidWithWhatItFound() {
    RunReport report =
        report(
            trial ->
                Stream.of(
                    putAll(trial, 2)
                        ? ended(trial, 1, Outcome.WRONG, "Expected 10 records, found 9 records.")
                        : trial));
    assertThat(marks(report, "put-all")).isEqualTo("F 1/3");
    assertThat(failed(report).id()).isEqualTo("trials.wrong");
    assertThat(failed(report).values())
        .containsEntry("cause", Value.name("expected 10 records, found 9 records"));
  }

  /** Two treatments fail in the last block: one without a repeat, and another with one or not. */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 1"})
  void othersAreThoseThatFailedAlike(boolean repeated, long others) {
    RunReport report =
        report(
            WRITES.replace("put-all]", "put-all, put-async]"),
            trial -> {
              String path = trial.settings().get(CoreSettings.PATH);
              return trial.block() < 2 || path.equals("put")
                  ? Stream.of(trial)
                  : Stream.concat(
                      Stream.of(ended(trial, 1, Outcome.FAILED, MEMORY)),
                      Stream.of(MadeUpRun.again(trial, 2))
                          .filter(repeat -> repeated && path.equals("put-async")));
            });
    assertThat(failed(report).values().getOrDefault("others", Value.count(0)))
        .isEqualTo(Value.count(others));
  }
}
