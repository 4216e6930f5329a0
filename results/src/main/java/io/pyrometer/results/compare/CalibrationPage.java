package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.study.StudyResult;
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
    List<List<String>> rows = new ArrayList<>();
    List<Exhibit> pairs = new ArrayList<>();
    found
        .floors()
        .forEach(
            (metric, floor) -> {
              answer.add(named(metric, floor.finding()));
              rows.add(row(metric, floor));
              pairs.add(pairs(run, metric));
            });
    answer.add(use(found));
    List<Exhibit> exhibits = new ArrayList<>();
    exhibits.add(
        Exhibit.of(
            "With 95 % intervals",
            Table.of(
                List.of(
                    "metric",
                    "noise of a run",
                    "95 %",
                    "smallest regression detected",
                    "95 %",
                    "A again/A"),
                1,
                rows)));
    exhibits.addAll(pairs);
    return new Page(
        Calibration.NAME,
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
                exhibits)),
        List.of(new Page.Command("Calibrate again", command)));
  }

  private static Finding named(NamedMetric metric, Finding finding) {
    return new Finding(
        finding.kind(),
        finding.severity(),
        metric.title() + ": " + StudyResult.small(finding.sentence()),
        finding.estimates(),
        finding.wouldChange());
  }

  private static Finding use(Calibration found) {
    List<String> parts = new ArrayList<>();
    for (NamedMetric metric : found.floors().keySet()) {
      String loss = Figures.percent(GateRule.DEFAULT.toFind());
      parts.add(
          found
              .pairsNeeded(metric.name())
              .map(
                  pairs ->
                      "%s to find a loss of %s of %s"
                          .formatted(Figures.count(pairs, "pair"), loss, metric.label()))
              .orElse(
                  "more than a thousand pairs to find a loss of %s of %s"
                      .formatted(loss, metric.label())));
    }
    return new Finding(
        Finding.Kind.COMPARISON,
        Finding.Severity.INFO,
        "A gate with a margin of %s takes %s here; the margin is for you to set and does not follow from the noise."
            .formatted(Figures.percent(GateRule.DEFAULT.margin()), Phrases.and(parts)),
        Map.of(),
        "Another calibration, with more blocks or on a quieter machine.");
  }

  private static List<String> row(NamedMetric metric, NoiseFloor floor) {
    return List.of(
        metric.label(),
        Numbers.percent(floor.noise().value()),
        percents(floor.noise().low(), floor.noise().high()),
        Numbers.percent(floor.smallestLoss().value()),
        percents(floor.smallestLoss().low(), floor.smallestLoss().high()),
        Numbers.ratio(floor.bias()));
  }

  private static String percents(double low, double high) {
    return "[%s, %s]".formatted(Numbers.percent(low), Numbers.percent(high));
  }

  private static Exhibit pairs(RunRecord run, NamedMetric metric) {
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
    return Exhibit.of(
        "The pairs: %s in %s".formatted(metric.label(), metric.unit()),
        Table.of(List.of("block", "A", "A again", "change"), 0, rows));
  }
}
