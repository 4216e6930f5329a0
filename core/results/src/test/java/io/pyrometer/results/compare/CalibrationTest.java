package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {

  @TempDir Path runs;

  private static Plan plan(int blocks) {
    return CalibrationPlan.of(
        Fixture.CATALOGUE,
        "rich",
        Optional.empty(),
        new Overrides(false, Optional.of(blocks), Optional.empty(), List.of()));
  }

  static MadeUpRun calibration(double noise) {
    return MadeUpRun.of(plan(40), Fixture.CATALOGUE).noise(noise);
  }

  @Test
  void everyTrialHasProcessesOfItsOwnAndTheOrderWithinPairsVaries() {
    Plan plan = plan(12);
    assertThat(plan.groups()).hasSize(24).allMatch(group -> group.trials().size() == 1);
    List<String> first =
        plan.groups().stream()
            .filter(group -> group.trials().get(0).ordinal() % 2 == 0)
            .map(group -> group.trials().get(0).levels().get("same"))
            .toList();
    assertThat(first).contains("A", "A again");
    assertThat(plan.groups())
        .extracting(Group::process)
        .containsOnly(plan.groups().get(0).process());
    assertThat(plan.trials()).extracting(t -> t.id()).doesNotHaveDuplicates();
  }

  @Test
  void theNoiseThatIsThereIsFound() {
    Calibration found =
        Calibration.of(RunRecord.load(calibration(0.02).write(runs, t -> 1e4)), Margins.DEFAULT);
    assertThat(found.floors().keySet())
        .extracting(NamedMetric::name)
        .containsExactly("throughput", "cpu-per-record", "latency.call.p50", "latency.call.p99");
    assertThat(found.floors().values()).allMatch(floor -> floor.noise().contains(0.02));
    assertThat(Markdown.page(found.page("x")))
        .contains("finds a loss of 10 % within ", "finds an increase of 10 % within ")
        .contains("The pairs: throughput in records/s")
        .doesNotContain("NaN");
  }

  @Test
  void theMarginIsTheUsersAndDecidesHowManyBlocksAGateTakes() {
    RunRecord run = RunRecord.load(calibration(0.03).write(runs, t -> 1e4));
    int usual = blocks(Calibration.of(run, Margins.DEFAULT));
    int wide = blocks(Calibration.of(run, Margins.given(Optional.of(0.06), Map.of())));
    assertThat(wide).isLessThan(usual);
  }

  /** A reader who meets two numbers of blocks for one fact believes neither. */
  @Test
  void theSentenceAndTheTableOfAMetricNameTheSameNumbersOfBlocks() {
    Calibration found =
        Calibration.of(RunRecord.load(calibration(0.02).write(runs, t -> 1e4)), Margins.DEFAULT);
    Page page = found.page("x");
    List<List<String>> rows = page.sections().get(0).figures().get(0).table().rows();
    assertThat(rows).hasSize(found.floors().size());
    List<NamedMetric> metrics = List.copyOf(found.floors().keySet());
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      String title = metrics.get(i).title() + ":";
      assertThat(row.get(0)).isEqualTo(metrics.get(i).label());
      String sentence =
          page.answer().stream()
              .map(Finding::sentence)
              .filter(text -> text.startsWith(title))
              .findFirst()
              .orElseThrow();
      for (String cell : List.of(row.get(3), row.get(4))) {
        assertThat(cell).matches("[0-9.]+ %: .*block.*");
        assertThat(sentence).contains(cell.replace(":", " within"));
      }
    }
  }

  private static int blocks(Calibration found) {
    return found.floor("throughput").orElseThrow().blocksToFind().orElseThrow();
  }

  @Test
  void fewerThanThreePairsGiveNoFloor() {
    RunRecord two =
        RunRecord.load(
            MadeUpRun.of(plan(3), Fixture.CATALOGUE).write(runs, t -> t.block() == 0 ? 0 : 1e4));
    assertThatThrownBy(() -> Calibration.of(two, Margins.DEFAULT))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith("Fewer than 3 pairs of ");
  }
}
