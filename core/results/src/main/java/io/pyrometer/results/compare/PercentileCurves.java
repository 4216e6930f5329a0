package io.pyrometer.results.compare;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.chart.Charts;
import io.pyrometer.report.chart.PercentileLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The percentile curves of an operation with all compared runs overlaid, a chart for each
 * treatment. A line holds all calls of one run; where a version has several runs, their lines show
 * how much runs of the same differ.
 */
final class PercentileCurves {
  /** More charts are a wall; their figures stand in the tables of the metrics. */
  static final int MOST_CHARTS = 12;

  private PercentileCurves() {}

  /** Of the first treatments that the baseline and another side have calls of. */
  static List<Exhibit> of(List<Side> sides, String operation) {
    List<Exhibit> charts = new ArrayList<>();
    List<Map<String, String>> treatments =
        new TreatmentTrials(sides.get(0).runs().get(0)).treatments();
    for (int i = 0; i < treatments.size() && charts.size() < MOST_CHARTS; i++) {
      Map<String, String> levels = treatments.get(i);
      List<PercentileLine> ofBaseline = lines(sides.subList(0, 1), 0, levels, operation);
      List<PercentileLine> ofOthers = lines(sides.subList(1, sides.size()), 1, levels, operation);
      if (!ofBaseline.isEmpty() && !ofOthers.isEmpty()) {
        List<PercentileLine> lines = new ArrayList<>(ofBaseline);
        lines.addAll(ofOthers);
        boolean cut = charts.size() == MOST_CHARTS - 1 && i < treatments.size() - 1;
        charts.add(
            Charts.percentiles(
                "Latency of %s with %s by the share of calls that were faster; a line for each version or run%s"
                    .formatted(
                        operation,
                        Labels.of(levels, "the treatment"),
                        cut ? "; further treatments are not drawn" : ""),
                "Run",
                lines));
      }
    }
    return charts;
  }

  /**
   * A line for each run of some sides.
   *
   * @param first place of the first of them among all sides
   */
  private static List<PercentileLine> lines(
      List<Side> sides, int first, Map<String, String> levels, String operation) {
    List<PercentileLine> lines = new ArrayList<>();
    for (int i = 0; i < sides.size(); i++) {
      List<RunRecord> runs = sides.get(i).runs();
      for (int r = 0; r < runs.size(); r++) {
        List<LatencyCounts> calls = calls(runs.get(r), levels, operation);
        List<PercentileLine.Point> points =
            calls.isEmpty() ? List.of() : PercentileLine.points(LatencyCounts.merged(calls));
        if (points.size() > 1) {
          String name =
              RunComparison.letter(first + i) + (runs.size() == 1 ? "" : String.valueOf(r + 1));
          lines.add(new PercentileLine(name, points));
        }
      }
    }
    return lines;
  }

  /** Empty where the file of a valid trial is missing: the others would be another distribution. */
  private static List<LatencyCounts> calls(
      RunRecord run, Map<String, String> levels, String operation) {
    List<TrialRecord> valid =
        run.counting().stream()
            .filter(trial -> trial.levels().equals(levels) && trial.outcome() == Outcome.OK)
            .toList();
    List<LatencyCounts> calls =
        valid.stream()
            .map(
                trial ->
                    Latencies.counts(
                            run.folder().histogram(trial.id(), trial.attempt()),
                            LatencyCounts.Timing.INTENDED_START)
                        .get(operation))
            .filter(Objects::nonNull)
            .toList();
    return calls.size() == valid.size() ? calls : List.of();
  }
}
