package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.NotCompared;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A comparison as a page: the verdict first, then every treatment by metric. */
public final class ComparisonPage {
  private final RunComparison found;

  private ComparisonPage(RunComparison found) {
    this.found = found;
  }

  /**
   * @param command as typed, to regenerate the page
   * @param flames flame graphs that lie beside the page
   */
  public static Page of(RunComparison found, String command, Optional<Section> flames) {
    ComparisonPage page = new ComparisonPage(found);
    List<Section> sections = new ArrayList<>();
    for (NamedMetric metric : found.rows().stream().map(Row::metric).distinct().toList()) {
      sections.add(page.metric(metric));
    }
    flames.ifPresent(sections::add);
    sections.add(page.runs());
    return new Page(
        "compare",
        "Is B worse than A?",
        found.margins().origin(),
        ComparisonFindings.of(found),
        sections,
        List.of(new Page.Command("Compare again", command)));
  }

  private Section metric(NamedMetric metric) {
    List<Row> rows = found.rows().stream().filter(row -> row.metric().equals(metric)).toList();
    List<Ranked> points =
        rows.stream()
            .map(
                row ->
                    new Ranked(
                        row.treatment(),
                        narrow(row.comparison().ratio()),
                        Optional.empty(),
                        verdict(row)))
            .toList();
    List<Figure> figures = new ArrayList<>();
    figures.add(
        IntervalChart.points(
            "Ratio to A of the " + metric.label() + ", with its interval", "×", points));
    figures.add(table(metric).figure("All figures", rows));
    return new Section(metric.id(), metric.title(), lead(metric), figures);
  }

  /** Without its interval where that is too wide to report. */
  private static Estimate narrow(Estimate ratio) {
    return RunComparison.tooWide(ratio)
        ? new Estimate(
            ratio.value(), ratio.value(), ratio.value(), 0, ratio.replicates(), ratio.unit())
        : ratio;
  }

  private String lead(NamedMetric metric) {
    String better = metric.better() == Direction.LOWER ? "Lower is better." : "Higher is better.";
    return better
        + " Regression: a loss beyond the smallest relevant difference, %s, with p below 0.01 after correction for all comparisons on this page. No regression: the interval of the ratio excludes such a loss; better, or no relevant difference, where it also shows that. Open: it contains one.%s"
            .formatted(
                Numbers.percent(found.margins().of(metric)),
                found.looksOnce()
                    ? " There was one look, after the last block."
                    : found.interleaved()
                        ? " The intervals hold at every look, whenever the run stops."
                        : "");
  }

  /** What the gate concludes and, where that is a pass, what else the interval shows. */
  static String verdict(Row row) {
    boolean worse = row.comparison().verdict() == Verdict.WORSE;
    return switch (row.outcome()) {
      case PASS ->
          switch (row.comparison().verdict()) {
            case BETTER -> "better";
            case NO_RELEVANT_DIFFERENCE -> "no relevant difference";
            case WORSE, NOT_ENOUGH_RUNS -> "no regression";
          };
      case LARGER_LOSS_EXCLUDED -> worse ? "worse, p ≥ 0.01" : "larger loss excluded";
      case NOT_ENOUGH_RUNS ->
          worse ? "worse, p ≥ 0.01" : row.gate().isPresent() ? "open" : "not judged";
      case REGRESSION ->
          row.gate().filter(LossTest::openSize).isPresent()
              ? "regression, size open"
              : "regression";
    };
  }

  private MetricTable<Row> table(NamedMetric metric) {
    return new MetricTable<Row>("not judged: too few blocks or runs")
        .text("treatment", Row::treatment)
        .formatted("A, " + metric.unit(), row -> value(row.comparison().baseline()))
        .formatted("B, " + metric.unit(), row -> value(row.comparison().candidate()))
        .formatted("ratio to A", row -> ratio(row.comparison().ratio()))
        .formatted("from", row -> row.comparison().replicates())
        .text("verdict", ComparisonPage::verdict)
        .formatted(
            "p of regression",
            row -> row.gate().map(gate -> Figures.bareP(gate.p())).orElse(Table.ABSENT));
  }

  private static String ratio(Estimate ratio) {
    return RunComparison.tooWide(ratio)
        ? Numbers.ratio(ratio.value()) + ", interval too wide"
        : Numbers.ratio(ratio);
  }

  private static String value(Estimate mean) {
    return Numbers.shorten(mean.value());
  }

  private Section runs() {
    record Made(String letter, Side side, RunRecord run) {
      String of(Function<RunRecord, String> what) {
        return what.apply(run);
      }
    }
    List<Made> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Side side = found.sides().get(i);
      String letter = RunComparison.letter(i);
      side.runs().forEach(run -> all.add(new Made(letter, side, run)));
    }
    MetricTable<Made> table = new MetricTable<Made>().text("", Made::letter);
    if (found.interleaved()) {
      table.text("version", each -> each.side().name());
    } else {
      table.text("run", each -> each.of(ComparisonPage::name));
      table.formatted("seed", each -> each.of(run -> String.valueOf(run.plan().seed())));
      table.text("commit", each -> each.of(run -> commit(run.environment())));
    }
    return Section.of(
        "runs",
        found.interleaved() ? "The versions" : "The runs",
        (found.interleaved()
                ? "Both were measured in every block, each on fresh processes, in an order drawn anew: run %s, seed %d, commit %s. "
                    .formatted(
                        all.get(0).of(ComparisonPage::name),
                        all.get(0).run().plan().seed(),
                        commit(all.get(0).run().environment()))
                : "")
            + "Made by "
            + all.stream()
                .map(each -> String.join(" ", each.run().plan().arguments()))
                .distinct()
                .map("./pyrometer %s"::formatted)
                .collect(Collectors.joining("; "))
            + ".",
        table
            .count("blocks", each -> each.run().blocksSeen())
            .formatted("trials", each -> each.of(run -> String.valueOf(run.counting().size())))
            .formatted("disturbed", each -> each.of(ComparisonPage::disturbed))
            .text("begun", each -> each.of(run -> run.environment().taken()))
            .figure("What is compared", all));
  }

  private static String disturbed(RunRecord run) {
    return String.valueOf(run.counting().stream().filter(TrialRecord::disturbed).count());
  }

  private static String name(RunRecord run) {
    return String.valueOf(run.folder().path().getFileName());
  }

  private static String commit(Environment environment) {
    return environment.commit().isEmpty() ? "built without Git" : environment.commit();
  }

  /** Each judged comparison as a test, as CI systems show it. */
  public static List<JUnitXml.Case> cases(RunComparison found) {
    List<JUnitXml.Case> cases = new ArrayList<>();
    for (Lost lost : found.lost()) {
      cases.add(
          new JUnitXml.Case(
              found.sides().get(1).name(),
              lost.treatment(),
              0,
              JUnitXml.Outcome.FAILED,
              lost.refuted()
                  ? "It does not keep its guarantees: %s.".formatted(lost.why())
                  : "It has no valid trial. " + lost.why()));
    }
    for (Row row : found.rows()) {
      cases.add(
          new JUnitXml.Case(
              found.sides().get(1).name(),
              row.treatment() + ": " + row.metric().label(),
              0,
              switch (row.outcome()) {
                case PASS -> JUnitXml.Outcome.PASSED;
                case REGRESSION -> JUnitXml.Outcome.FAILED;
                case LARGER_LOSS_EXCLUDED, NOT_ENOUGH_RUNS -> JUnitXml.Outcome.UNDECIDED;
              },
              ComparisonFindings.sentence(found, row)));
    }
    for (NotCompared each : found.notCompared()) {
      cases.add(
          new JUnitXml.Case(
              found.sides().get(1).name(),
              each.treatment() + ": " + each.metric().label(),
              0,
              JUnitXml.Outcome.SKIPPED,
              each.sentence()));
    }
    return cases;
  }
}
