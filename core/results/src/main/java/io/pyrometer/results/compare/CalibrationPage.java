package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.util.ArrayList;
import java.util.List;

/** A calibration as a page. */
public final class CalibrationPage {
  private CalibrationPage() {}

  /**
   * @param command as typed, to calibrate again
   */
  public static Page of(Calibration found, String command) {
    RunRecord run = found.run();
    List<Finding> answer = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    List<Figure> pairs = new ArrayList<>();
    found
        .floors()
        .forEach(
            (metric, floor) -> {
              answer.add(floor.finding().under(metric.title()));
              rows.add(row(metric, floor, found.margins()));
              pairs.add(pairs(run, metric));
            });
    answer.add(use());
    List<Figure> figures = new ArrayList<>();
    figures.add(
        Figure.of(
            "With 95 % intervals",
            Table.of(
                List.of(
                    "metric",
                    "noise of a trial",
                    "95 %",
                    "finds a loss of",
                    "excludes a loss of",
                    "A again/A"),
                1,
                rows)));
    figures.addAll(pairs);
    return new Page(
        CalibrationPlan.NAME,
        run.plan().question(),
        "%s, %s, %d cores · %s"
            .formatted(
                run.plan().products(),
                run.environment().cpu(),
                run.environment().cores(),
                run.folder().path().getFileName()),
        answer,
        List.of(
            new Section(
                "noise",
                "Noise",
                "The same treatment twice in each block, each time with fresh processes.",
                figures)),
        List.of(new Page.Command("Calibrate again", command)));
  }

  private static Finding use() {
    return Finding.info(
        Finding.Kind.COMPARISON,
        "These are the numbers of blocks for 'pyrometer compare --interleave' with one treatment; more treatments share the level of the gate and take more. The smallest relevant difference is for you to set (--delta) and does not follow from the noise.",
        "Another calibration, with more blocks or on a quieter machine.");
  }

  private static List<String> row(NamedMetric metric, NoiseFloor floor, Margins margins) {
    GateRule rule = GateRule.DEFAULT.withMargin(margins.of(metric));
    return List.of(
        metric.label(),
        Numbers.percent(floor.noise().value()),
        percents(floor.noise().low(), floor.noise().high()),
        "%s: %s".formatted(Figures.percent(rule.toFind()), NoiseFloor.blocks(floor.blocksToFind())),
        "%s: %s"
            .formatted(Figures.percent(rule.margin()), NoiseFloor.blocks(floor.blocksToExclude())),
        Numbers.ratio(floor.bias()));
  }

  private static String percents(double low, double high) {
    return "[%s, %s]".formatted(Numbers.percent(low), Numbers.percent(high));
  }

  private static Figure pairs(RunRecord run, NamedMetric metric) {
    List<Treatment> both = Calibration.both(new TreatmentTrials(run), metric);
    List<List<String>> rows = new ArrayList<>();
    both.get(0)
        .replicates()
        .forEach(
            (block, first) -> {
              Double second = both.get(1).replicates().get(block);
              if (second != null) {
                rows.add(
                    List.of(
                        block,
                        Numbers.shorten(first, 4),
                        Numbers.shorten(second, 4),
                        Figures.change(second / first)));
              }
            });
    return Figure.of(
        "The pairs: %s in %s".formatted(metric.label(), metric.unit()),
        Table.of(List.of("block", "A", "A again", "change"), 0, rows));
  }
}
