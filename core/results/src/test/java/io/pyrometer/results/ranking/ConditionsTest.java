package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recommendation names what a user can choose, under each condition of its own. */
class ConditionsTest {
  private static final String EXPERIMENT =
      MadeUpRun.file(
          "choices",
          "driver: rich",
          "record: stock-order",
          """
      factors:
        path: [put, put-all]
        data:
          - {label: small, set: {records: 1000, bytes: 200}}
          - {label: large, set: {records: 100000, bytes: 2000}}
        repeats: [0, 90%]
      blocks: 3
      """);

  @TempDir Path runs;

  private RunReport report(String experiment, ToDoubleFunction<TrialSpec> throughput) {
    return RunReport.of(MadeUpRun.read(experiment).load(runs, throughput));
  }

  private static Answer.Choice choice(RunReport report, int index) {
    return report.answer().choices().get(index);
  }

  private static String treatment(Answer.Choice choice) {
    return choice.recommended().orElseThrow().treatment();
  }

  /** Repeated keys are four times as fast. */
  private static double rate(TrialSpec trial) {
    double repeats = trial.settings().decimal("repeats") > 0 ? 4 : 1;
    return repeats * (trial.path().equals("put-all") ? 9_000 : 1_000);
  }

  @Test
  void oneChoiceMayBeTheBestUnderAllConditions() {
    RunReport report = report(EXPERIMENT, ConditionsTest::rate);
    assertThat(Rankings.conditions(report.run())).containsExactly("data", "repeats");
    assertThat(report.rankings().get(0).conditions()).hasSize(4);
    assertThat(report.answer().choices()).hasSize(1);
    assertThat(treatment(choice(report, 0))).isEqualTo("put-all");
    assertThat(choice(report, 0).condition()).isEmpty();
    assertThat(report.answer().recommended().get(0).conditions()).isEqualTo(4);
  }

  @Test
  void whereTheBestDependsOnTheConditionEachHasItsOwn() {
    RunReport report =
        report(
            EXPERIMENT.replace("  repeats: [0, 90%]\n", ""),
            trial ->
                trial.levels().containsValue("large") == trial.path().equals("put")
                    ? 5_000
                    : 1_000);
    assertThat(report.answer().choices())
        .extracting(ConditionsTest::treatment, Answer.Choice::condition)
        .containsExactly(tuple("put-all", "small"), tuple("put", "large"));
  }

  @Test
  void theFileMayGiveAFactorItsRole() {
    String file =
        EXPERIMENT
            .replace("path: [put, put-all]", "path: {role: condition, levels: [put, put-all]}")
            .replace("repeats: [0, 90%]", "repeats: {role: choice, levels: [0, 90%]}");
    assertThat(Rankings.conditions(report(file, ConditionsTest::rate).run()))
        .containsExactly("path", "data");
  }

  @Test
  void whereOnlyConditionsAreVariedNothingIsRecommended() {
    RunReport report =
        report(EXPERIMENT.replace("path: [put, put-all]", "path: [put]"), ConditionsTest::rate);
    assertThat(report.answer().choices())
        .extracting(Answer.Choice::condition)
        .containsExactly("small · repeats 0", "large · repeats 90%");
  }

  @Test
  void varyingFactorsAreColumnsAConstantOneGoesToTheTitleAndTheTableFits() {
    Ranking all = report(EXPERIMENT, ConditionsTest::rate).rankings().get(0);
    assertThat(RankingTable.of(all).table().header()).startsWith("path", "data", "repeats");
    assertThat(TerminalTable.render(RankingTable.of(all).table(), 80, TerminalTable.Rules.ASCII))
        .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
    String constant = EXPERIMENT.replace("repeats: [0, 90%]", "repeats: [90%]");
    Ranking ranking = report(constant, ConditionsTest::rate).rankings().get(0);
    assertThat(RankingTable.title(ranking)).isEqualTo("Writing (repeats 90%)");
    assertThat(RankingTable.of(ranking).table().header()).doesNotContain("repeats");
  }

  @Test
  void theNextCommandSaysOnceHowManyBlocksThereAre() {
    Experiment one = Fixture.read(EXPERIMENT.replace("blocks: 3", "blocks: 1"));
    for (String option : List.of("--within", "--blocks")) {
      RunFolder folder =
          MadeUpRun.of(
                  Planner.plan(one, Fixture.CATALOGUE),
                  Fixture.CATALOGUE,
                  List.of(option, option.equals("--blocks") ? "1" : "5m"))
              .write(runs.resolve(option), ConditionsTest::rate);
      assertThat(next(folder).command()).isEqualTo("./pyrometer run choices.yaml --blocks 3");
    }
  }

  @Test
  void whatOnlyAFullRunSaysIsTheNextStepWhereNothingElseIsOpen() {
    String shorter =
        EXPERIMENT + "full: {set: {measure: 1m}, only: [rates of code that ran for hours.]}\n";
    RunFolder folder = MadeUpRun.read(shorter).write(runs, ConditionsTest::rate);
    ObjectNode plan = folder.read("plan.json", ObjectNode.class);
    plan.withObject("/longerForms").putObject("--full").put("blocks", 3).put("seconds", 1_800);
    folder.write("plan.json", plan);
    Answer.Next next = next(folder);
    assertThat(next.command()).isEqualTo("./pyrometer run choices.yaml --full");
    assertThat(next.seconds()).hasValue(1_800);
  }

  private static Answer.Next next(RunFolder folder) {
    return RunReport.of(RunRecord.load(folder)).answer().next().orElseThrow();
  }
}
