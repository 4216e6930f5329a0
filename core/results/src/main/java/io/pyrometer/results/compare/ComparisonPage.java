package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.journal.Environment;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A comparison as a page: the verdict first, then every treatment by metric. */
public final class ComparisonPage {
  private final RunComparison found;

  private ComparisonPage(RunComparison found) {
    this.found = found;
  }

  /**
   * @param command as typed, to make the page again
   * @param flames flame graphs that lie beside the page
   */
  public static Page of(RunComparison found, String command, Optional<Section> flames) {
    ComparisonPage page = new ComparisonPage(found);
    List<Section> sections = new ArrayList<>();
    for (NamedMetric metric : page.metrics()) {
      sections.add(page.metric(metric));
    }
    flames.ifPresent(sections::add);
    sections.add(page.runs());
    return new Page(
        "compare",
        "Is %s worse than %s?"
            .formatted(found.sides().size() == 2 ? "B" : "any other run", RunComparison.letter(0)),
        found.margins().origin(),
        ComparisonFindings.of(found),
        sections,
        List.of(new Page.Command("Compare again", command)));
  }

  /** Those that are judged, in the order of the first row that has them, then the others. */
  private Set<NamedMetric> metrics() {
    Set<NamedMetric> metrics = new LinkedHashSet<>();
    found.rows().forEach(row -> metrics.add(row.metric()));
    found.shown().forEach(row -> metrics.add(row.metric()));
    return metrics;
  }

  private Section metric(NamedMetric metric) {
    boolean judged = found.rows().stream().anyMatch(row -> row.metric().equals(metric));
    List<Row> rows =
        (judged ? found.rows() : found.shown())
            .stream().filter(row -> row.metric().equals(metric)).toList();
    List<Ranked> points =
        rows.stream()
            .map(
                row ->
                    new Ranked(
                        named(row), row.comparison().ratio(), Optional.empty(), verdict(row)))
            .toList();
    List<Figure> figures = new ArrayList<>();
    figures.add(
        IntervalChart.points(
            "Ratio to A of the " + metric.label() + ", with its interval", "×", points));
    figures.add(table(metric, judged).figure("All figures", rows));
    return new Section(metric.id(), metric.title(), lead(metric, judged), figures);
  }

  private String lead(NamedMetric metric, boolean judged) {
    String better = metric.better() == Direction.LOWER ? "Lower is better." : "Higher is better.";
    String verdict =
        " The verdict follows from the interval of the ratio and the smallest relevant difference, %s: beyond it, inside it, or open; better and worse are corrected for all comparisons on this page.%s"
            .formatted(
                Numbers.percent(found.margins().of(metric)),
                found.interleaved()
                    ? " The intervals hold at every look, whenever the run stops."
                    : "");
    return better
        + verdict
        + (judged
            ? " A regression has p below 0.01 after correction for all comparisons on this page, and a loss beyond that difference."
            : " Shown, not judged; --metric %s judges it as well.".formatted(metric.name()));
  }

  private String named(Row row) {
    return found.sides().size() == 2
        ? row.treatment()
        : row.treatment() + " in " + RunComparison.letter(row.candidate());
  }

  static String verdict(Row row) {
    return switch (row.comparison().verdict()) {
      case BETTER -> "better";
      case WORSE -> "worse";
      case NO_RELEVANT_DIFFERENCE -> "no relevant difference";
      case NOT_ENOUGH_RUNS -> row.comparison().ratio().hasInterval() ? "open" : "not judged";
    };
  }

  private MetricTable<Row> table(NamedMetric metric, boolean judged) {
    boolean several = found.sides().size() > 2;
    MetricTable<Row> table =
        new MetricTable<Row>("not judged: too few blocks or runs")
            .text("treatment", Row::treatment);
    if (several) {
      table.text("", row -> RunComparison.letter(row.candidate()));
    }
    return table
        .formatted("A, " + metric.unit(), row -> value(row.comparison().baseline()))
        .formatted(
            (several ? "this, " : "B, ") + metric.unit(),
            row -> value(row.comparison().candidate()))
        .formatted("ratio to A", row -> Numbers.ratio(row.comparison().ratio()))
        .formatted("from", row -> row.comparison().replicates())
        .text("verdict", ComparisonPage::verdict)
        .formatted(
            "p of regression",
            row -> row.gate().map(gate -> Figures.bareP(gate.p())).orElse(Table.ABSENT))
        .text("regression", row -> judged ? regression(row) : "not judged");
  }

  private static String value(Estimate mean) {
    return Numbers.shorten(mean.value());
  }

  private static String regression(Row row) {
    return switch (row.outcome()) {
      case PASS -> "excluded";
      case LARGER_LOSS_EXCLUDED -> "larger one excluded";
      case NOT_ENOUGH_RUNS -> row.gate().isPresent() ? "not excluded" : "not judged";
      case REGRESSION ->
          row.gate().filter(LossTest::openSize).isPresent()
              ? "regression, size open"
              : "regression";
    };
  }

  private Section runs() {
    record Made(String letter, Side side, RunRecord run) {}
    List<Made> all = new ArrayList<>();
    for (int i = 0; i < found.sides().size(); i++) {
      Side side = found.sides().get(i);
      String letter = RunComparison.letter(i);
      side.runs().forEach(run -> all.add(new Made(letter, side, run)));
    }
    return new Section(
        "runs",
        found.interleaved() ? "The versions" : "The runs",
        found.interleaved()
            ? "Both were measured in every block, each on fresh processes, in an order drawn anew."
            : "",
        List.of(
            new MetricTable<Made>()
                .text("", Made::letter)
                .text("version", each -> found.interleaved() ? each.side().name() : "")
                .text("run", each -> String.valueOf(each.run().folder().path().getFileName()))
                .text(
                    "made by",
                    each -> "./pyrometer " + String.join(" ", each.run().plan().arguments()))
                .text("blocks", each -> String.valueOf(each.run().blocksSeen()))
                .text("seed", each -> String.valueOf(each.run().plan().seed()))
                .text("commit", each -> commit(each.run().environment()))
                .text("begun", each -> each.run().environment().taken())
                .figure("What is compared", all)));
  }

  private static String commit(Environment environment) {
    return environment.commit().isEmpty() ? "built without Git" : environment.commit();
  }
}
