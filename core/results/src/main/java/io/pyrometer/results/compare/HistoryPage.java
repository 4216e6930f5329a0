package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.changepoint.ChangePoint;
import io.pyrometer.analysis.changepoint.History;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HistoryChart;
import io.pyrometer.report.chart.HistoryPoint;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.compare.RunHistory.Line;
import io.pyrometer.results.compare.RunHistory.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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
      List<Line> lines =
          history.lines().stream().filter(line -> line.metric().equals(metric)).toList();
      if (!lines.isEmpty()) {
        List<Figure> charts = new ArrayList<>(List.of(overview(metric, lines)));
        lines.forEach(line -> charts.add(chart(line)));
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

  /** Every treatment in one row, because a terminal shows no charts. */
  private static Figure overview(NamedMetric metric, List<Line> lines) {
    return new MetricTable<Line>()
        .text("treatment", Line::treatment)
        .count("runs", line -> line.points().size())
        .formatted("oldest", line -> Numbers.shorten(oldest(line)))
        .formatted("newest", line -> Numbers.shorten(newest(line)))
        .formatted(
            "newest/oldest",
            line ->
                line.points().size() > 1 ? Figures.change(newest(line) / oldest(line)) : "one run")
        .text("lasting changes", HistoryPage::changes)
        .figure("%s of every treatment, %s".formatted(metric.title(), metric.unit()), lines);
  }

  private static double oldest(Line line) {
    return line.points().get(0).median().value();
  }

  private static double newest(Line line) {
    return line.points().get(line.points().size() - 1).median().value();
  }

  private static String changes(Line line) {
    if (line.points().size() < History.LEAST) {
      return "too few runs";
    }
    return line.history().points().isEmpty()
        ? "none found"
        : line.history().points().stream()
            .map(point -> line.points().get(point.index()).run() + " " + change(point))
            .collect(Collectors.joining("; "));
  }

  private static Figure chart(Line line) {
    List<HistoryPoint> points = new ArrayList<>();
    for (int i = 0; i < line.points().size(); i++) {
      Point point = line.points().get(i);
      points.add(new HistoryPoint(point.run(), point.median(), change(line, i)));
    }
    return HistoryChart.of(line.treatment(), line.metric().unit(), points);
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
