package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Judgement;
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
    figures.add(Figure.of("All figures", table(metric, rows, judged)));
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

  private Table table(NamedMetric metric, List<Row> rows, boolean judged) {
    boolean several = found.sides().size() > 2;
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows) {
      Judgement c = row.comparison();
      List<String> line = new ArrayList<>(List.of(row.treatment()));
      if (several) {
        line.add(RunComparison.letter(row.candidate()));
      }
      line.addAll(
          List.of(
              Numbers.shorten(c.baseline().value()),
              Numbers.shorten(c.candidate().value()),
              Numbers.ratio(c.ratio()),
              c.replicates(),
              verdict(row),
              row.gate().map(gate -> Figures.bareP(gate.p())).orElse(Table.ABSENT),
              judged ? regression(row) : "not judged"));
      cells.add(line);
    }
    List<String> header = new ArrayList<>(List.of("treatment"));
    List<Table.Align> aligned = new ArrayList<>(List.of(Table.Align.LEFT));
    if (several) {
      header.add("");
      aligned.add(Table.Align.LEFT);
    }
    header.addAll(
        List.of(
            "A, " + metric.unit(),
            (several ? "this, " : "B, ") + metric.unit(),
            "ratio to A",
            "from",
            "verdict",
            "p of regression",
            "regression"));
    Table.Align l = Table.Align.LEFT;
    Table.Align r = Table.Align.RIGHT;
    aligned.addAll(List.of(r, r, r, r, l, r, l));
    return new Table(header, cells, aligned, "not judged: too few blocks or runs");
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
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < found.sides().size(); i++) {
      Side side = found.sides().get(i);
      for (RunRecord run : side.runs()) {
        rows.add(
            List.of(
                RunComparison.letter(i),
                found.interleaved() ? side.name() : "",
                String.valueOf(run.folder().path().getFileName()),
                "./pyrometer " + String.join(" ", run.plan().arguments()),
                String.valueOf(run.blocksSeen()),
                String.valueOf(run.plan().seed()),
                run.environment().commit().isEmpty()
                    ? "built without Git"
                    : run.environment().commit(),
                run.environment().taken()));
      }
    }
    return new Section(
        "runs",
        found.interleaved() ? "The versions" : "The runs",
        found.interleaved()
            ? "Both were measured in every block, each on fresh processes, in an order drawn anew."
            : "",
        List.of(
            Figure.of(
                "What is compared",
                Table.ofWords(
                    List.of("", "version", "run", "made by", "blocks", "seed", "commit", "begun"),
                    rows))));
  }
}
