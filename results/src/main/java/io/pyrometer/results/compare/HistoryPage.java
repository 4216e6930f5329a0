package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.changepoint.ChangePoint;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.Charts;
import io.pyrometer.report.chart.HistoryPoint;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.compare.RunHistory.Line;
import io.pyrometer.results.compare.RunHistory.Point;
import java.util.ArrayList;
import java.util.List;

/** A history as a page: the changes first, then a chart for each treatment. */
public final class HistoryPage {
  private HistoryPage() {}

  /**
   * @param command as typed, to make the page again
   */
  public static Page of(RunHistory history, String command) {
    List<Section> sections = new ArrayList<>();
    List<NamedMetric> metrics = history.lines().stream().map(Line::metric).distinct().toList();
    for (NamedMetric metric : metrics) {
      List<Exhibit> charts =
          history.lines().stream()
              .filter(line -> line.metric().equals(metric))
              .map(HistoryPage::chart)
              .toList();
      if (!charts.isEmpty()) {
        sections.add(
            new Section(
                metric.id(),
                metric.title(),
                "Medians over the blocks of each run, with a distribution-free"
                    + " interval. Runs made one after the other carry the drift of the machine:"
                    + " confirm a change by running both sides of it again.",
                charts));
      }
    }
    return new Page(
        history.experiment(),
        "When did %s change?".formatted(history.experiment()),
        Figures.count(history.runs().size(), "run") + ", the oldest first",
        history.findings(),
        sections,
        List.of(new Page.Command("Make this page again", command)));
  }

  private static Exhibit chart(Line line) {
    List<HistoryPoint> points = new ArrayList<>();
    for (int i = 0; i < line.points().size(); i++) {
      Point point = line.points().get(i);
      points.add(new HistoryPoint(point.run(), point.median(), change(line, i)));
    }
    return Charts.history(line.treatment(), line.metric().unit(), points);
  }

  private static String change(Line line, int index) {
    return line.history().points().stream()
        .filter(point -> point.index() == index)
        .map(HistoryPage::change)
        .findFirst()
        .orElse("");
  }

  private static String change(ChangePoint point) {
    return Figures.change(point.after() / point.before());
  }
}
