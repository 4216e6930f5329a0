package io.pyrometer.results.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.TuningPlan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TuningRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Page;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.tuning.TuningResult.ConfigurationDiff;
import io.pyrometer.results.tuning.TuningResult.ConfigurationDiff.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches over the batch size and the calls in flight of a made-up grid. */
class TuningPageTest {
  private static final String EXPERIMENT =
      MadeUpRun.file(
          "tuned",
          "driver: rich",
          "record: stock-order, records: 1000, path: put-all",
          "tune:\n  levels: {batch: [100, 1000, 5000], threads: [1, 2]}\n");

  @TempDir Path runs;

  private TuningResult result(ToDoubleFunction<TrialSpec> throughput) {
    Plan plan =
        TuningPlan.of(
            Fixture.read(EXPERIMENT),
            Goal.parse("throughput").orElseThrow(),
            3_600,
            KeptGuarantees.ALL,
            Fixture.CATALOGUE);
    MadeUpRun made = MadeUpRun.of(plan, Fixture.CATALOGUE, List.of("tuned.yaml"));
    RunRecord empty = made.load(runs, trial -> Double.NaN);
    TuningRun search = TuningRun.of(empty.plan());
    List<TrialRecord> history = new ArrayList<>();
    for (Optional<Group> next = search.next(history); next.isPresent() && history.size() < 400; ) {
      TrialSpec trial = next.get().trials().get(0);
      history.add(made.record(trial, throughput.applyAsDouble(trial)));
      next = search.next(history);
    }
    return TuningResult.of(MadeUpRun.of(empty, history));
  }

  private static List<String> brief(TuningResult result) {
    return TuningPage.brief(result).render(100, TerminalTable.Rules.ASCII).lines().toList();
  }

  private static List<String> ids(Page page) {
    return page.answer().stream().map(Finding::id).toList();
  }

  @Test
  void theBestConfigurationHasItsGainItsSettingsAndItsCommand() {
    TuningResult result = result(trial -> trial.settings().integer("batch") == 5000 ? 2000 : 1000);
    Page page = TuningPage.of(result, "x");
    assertThat(ids(page)).startsWith("tune.best");
    assertThat(page.answer().get(0).values()).containsKeys("change", "low", "high", "blocks");
    assertThat(result.chosen().map(result::diff).orElseThrow().command(result.run().plan()))
        .isEqualTo("tuned.yaml --set batch=5000");
    assertThat(brief(result))
        .hasSizeLessThan(40)
        .allMatch(line -> line.length() <= 100)
        .anyMatch(line -> line.contains(" batch ") && line.contains(" 5000 "));
  }

  @Test
  void equalConfigurationsKeepTheDefault() {
    TuningResult result = result(trial -> 1000);
    assertThat(ids(TuningPage.of(result, "x"))).startsWith("tune.no-difference");
    assertThat(brief(result)).hasSizeLessThan(40);
  }

  @Test
  void aSearchWithoutTheLastTrialOfItsConfirmationHasNoResult() {
    RunRecord run = result(trial -> 1000).run();
    List<TrialRecord> begun = run.finished().subList(0, run.finished().size() - 1);
    TuningResult unfinished = TuningResult.of(MadeUpRun.of(run, begun));
    assertThat(unfinished.outcome()).isPresent();
    assertThat(ids(TuningPage.of(unfinished, "x"))).startsWith("tune.unfinished");
  }

  @Test
  void settingsStandWhereTheFileHasThemAndOptionsHaveTheProductsNames() {
    SettingDescription page =
        SettingDescription.property("properties.a.pageSize", Optional.empty());
    ConfigurationDiff diff =
        new ConfigurationDiff(
            List.of(
                new Change(CoreSettings.THREADS.description(), "1", "4"),
                new Change(page, "default", "8192")));
    assertThat(diff.yaml())
        .isEqualTo(
            """
             grid:
            -  # properties.a.pageSize: default
            +  properties.a.pageSize: 8192
             workload:
            -  # threads: 1
            +  threads: 4""");
  }
}
