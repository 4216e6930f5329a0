package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A calibration as a page. */
public final class CalibrationPage {
  private CalibrationPage() {}

  /**
   * @param command as typed, to calibrate again
   */
  public static Page of(Calibration found, String command) {
    RunRecord run = found.run();
    List<Finding> answer = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    figures.add(
        noise(found.margins())
            .figure("With 95 % intervals", new ArrayList<>(found.floors().entrySet())));
    found
        .floors()
        .forEach(
            (metric, floor) -> {
              answer.add(floor.finding().under(metric.title()));
              figures.add(pairs(run, metric));
            });
    answer.add(use());
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

  private static MetricTable<Map.Entry<NamedMetric, NoiseFloor>> noise(Margins margins) {
    return new MetricTable<Map.Entry<NamedMetric, NoiseFloor>>()
        .text("metric", each -> each.getKey().label())
        .formatted("noise of a trial", each -> Numbers.percent(each.getValue().noise().value()))
        .formatted(
            "95 %", each -> percents(each.getValue().noise().low(), each.getValue().noise().high()))
        .formatted(
            "finds a loss of",
            each ->
                "%s: %s"
                    .formatted(
                        Figures.percent(rule(margins, each.getKey()).toFind()),
                        NoiseFloor.blocks(each.getValue().blocksToFind())))
        .formatted(
            "excludes a loss of",
            each ->
                "%s: %s"
                    .formatted(
                        Figures.percent(rule(margins, each.getKey()).margin()),
                        NoiseFloor.blocks(each.getValue().blocksToExclude())))
        .formatted("A again/A", each -> Numbers.ratio(each.getValue().bias()));
  }

  private static GateRule rule(Margins margins, NamedMetric metric) {
    return GateRule.DEFAULT.withMargin(margins.of(metric));
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
