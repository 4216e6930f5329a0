package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.analysis.comparison.BlockGate.Judgement;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.BriefText;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialLimits;
import io.pyrometer.results.compare.RunComparison.Absent;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.page.Limitations;
import io.pyrometer.results.ranking.NextStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison as a page: the verdict first, then every treatment by metric. */
public final class ComparisonPage {
  private static final String MICROS = "µs";

  private final RunComparison found;

  private ComparisonPage(RunComparison found) {
    this.found = found;
  }

  /**
   * Makes the page.
   *
   * @param command as typed, to regenerate the page
   */
  public static Page of(RunComparison found, String command) {
    ComparisonPage page = new ComparisonPage(found);
    return new Page(
        "compare",
        found.interleaved() ? "Is B worse than A?" : "What are the figures of A and B?",
        String.join("; ", page.versions()),
        findings(found),
        Stream.concat(Stream.of(page.comparison()), page.noise().stream()).toList(),
        List.of(new Page.Command("Compare again", command)));
  }

  /** The verdict, one table and the limits, for the terminal. */
  public static BriefText brief(RunComparison found) {
    ComparisonPage page = new ComparisonPage(found);
    List<Finding> findings = new ArrayList<>(List.of(page.answer()));
    found.lost().forEach(lost -> findings.add(lost(lost)));
    return new BriefText(page.versions(), findings, page.table(), page.limits());
  }

  /** The answer, regressions and gains, then the limits. */
  static List<Finding> findings(RunComparison found) {
    ComparisonPage page = new ComparisonPage(found);
    return Stream.of(
            Stream.of(page.answer()),
            found.lost().stream().map(ComparisonPage::lost),
            page.rows(GateVerdict.REGRESSION).stream().map(ComparisonPage::change),
            found.rows().stream().filter(ComparisonPage::gained).map(ComparisonPage::change),
            page.limits().stream())
        .flatMap(each -> each)
        .toList();
  }

  /** Changes of an interleaved run, with intervals: shown ones, and those of throughput. */
  public static List<Finding> effects(RunComparison found) {
    return found.rows().stream()
        .filter(row -> shown(row) || row.metric().name().equals(Metric.THROUGHPUT))
        .sorted(Comparator.comparing(row -> !shown(row)))
        .map(ComparisonPage::change)
        .toList();
  }

  private static boolean shown(Row row) {
    return gained(row) || row.outcome() == GateVerdict.REGRESSION;
  }

  private static boolean gained(Row row) {
    return row.judged().filter(Judgement::improvement).isPresent();
  }

  private List<Row> rows(GateVerdict verdict) {
    return found.rows().stream().filter(row -> row.outcome() == verdict).toList();
  }

  private List<String> versions() {
    return List.of("A: " + found.a().name(), "B: " + found.b().name());
  }

  private Finding answer() {
    if (!found.interleaved()) {
      return Finding.notice("compare.separate-runs");
    }
    Value comparisons = Value.count(found.rows().size());
    return switch (found.outcome()) {
      case PASS -> Finding.info("compare.no-relevant-loss").with("comparisons", comparisons);
      case NOT_DECIDED -> undecided().with("comparisons", comparisons);
      case REGRESSION ->
          Finding.warning("compare.regression")
              .with("comparisons", comparisons)
              .with(
                  "regressions",
                  Optional.of(rows(GateVerdict.REGRESSION).size())
                      .filter(number -> number > 0)
                      .map(Value::count));
    };
  }

  private Finding undecided() {
    PlannedRun plan = found.a().run().plan();
    int seen = found.a().run().blocksSeen();
    if (found.rows().stream().allMatch(row -> row.judged().isEmpty())) {
      return seen < plan.blocks()
          ? Finding.notice("compare.unfinished")
              .with("finished", seen)
              .with("blocks", plan.blocks())
          : Finding.notice("compare.too-few-blocks").with("blocks", BlockGate.MIN_BLOCKS);
    }
    List<Row> open = rows(GateVerdict.NOT_DECIDED);
    int most =
        open.stream()
            .flatMap(row -> row.judged().stream())
            .mapToInt(judged -> judged.blocksToDecide().orElse(Integer.MAX_VALUE))
            .max()
            .orElse(0);
    Finding finding =
        most > NextStep.MAX_BLOCKS
            ? Finding.notice("compare.too-noisy")
            : Finding.notice("compare.not-decided")
                .with("blocks", String.valueOf(Math.max(most, plan.blocks() + 1)));
    return finding.with("open", open.size());
  }

  private static Finding lost(Lost lost) {
    return Finding.warning(lost.id())
        .with("treatment", lost.treatment())
        .with(
            "why",
            Optional.of(lost.why().replaceFirst("\\.$", ""))
                .filter(why -> !why.isEmpty())
                .map(Value::name));
  }

  private static Finding change(Row row) {
    Estimate ratio = row.ratio();
    Optional<Estimate> interval =
        Optional.of(ratio).filter(Estimate::hasInterval).filter(each -> !each.tooWide());
    return new Finding(
            "change." + outcome(row),
            row.outcome() == GateVerdict.REGRESSION ? Severity.WARNING : Severity.INFO,
            Map.of(),
            Map.of("ratio", ratio))
        .with("metric", row.metric().label())
        .with("treatment", row.treatment())
        .with("change", Value.change(ratio.value()))
        .with("low", interval.map(each -> Value.change(each.low())))
        .with("high", interval.map(each -> Value.change(each.high())))
        .with("p", row.judged().map(judged -> Value.number(judged.p())));
  }

  private static Finding absent(Absent absent) {
    return Finding.notice("change.absent")
        .with("metric", absent.metric())
        .with("treatment", absent.treatment())
        .with("version", absent.version());
  }

  /** Limits of both runs; those of one alone name it. */
  private List<Finding> limits() {
    List<Finding> limits = new ArrayList<>();
    List<Finding> ofA = limits(found.a().run());
    List<Finding> ofB = limits(found.b().run());
    Finding.warning("compare.environments")
        .naming("differences", found.interleaved() ? List.of() : environments())
        .ifPresent(limits::add);
    TrialLimits.oversubscribed(found.trials()).ifPresent(limits::add);
    ofA.stream().map(each -> ofB.contains(each) ? each : each.under("A")).forEach(limits::add);
    ofB.stream()
        .filter(each -> !ofA.contains(each))
        .map(each -> each.under("B"))
        .forEach(limits::add);
    found.absent().stream().map(ComparisonPage::absent).forEach(limits::add);
    Finding.info("compare.settings")
        .naming("settings", found.a().differences(found.b()))
        .ifPresent(limits::add);
    return limits;
  }

  private static List<Finding> limits(RunRecord run) {
    return Stream.concat(
            FailedTrials.finding(run, false, List.of()).stream(), Limitations.of(run).stream())
        .toList();
  }

  private List<String> environments() {
    RunRecord a = found.a().run();
    RunRecord b = found.b().run();
    List<String> unlike = new ArrayList<>(a.environment().differences(b.environment()));
    if (a.compiledByC1() != b.compiledByC1()) {
      unlike.add("JIT compilers");
    }
    return unlike;
  }

  /** All rows, regressions first, and a chart of their ratios. */
  private Section comparison() {
    List<Figure> figures = new ArrayList<>(List.of(table()));
    if (found.interleaved()) {
      figures.add(
          IntervalChart.points(
              "Ratio of B to A with its 95 % interval",
              "×",
              found.rows().stream()
                  .map(
                      row ->
                          new Ranked(
                              row.metric().label() + " · " + row.treatment(),
                              row.ratio(),
                              Optional.empty(),
                              verdict(row)))
                  .toList()));
    }
    return new Section("comparison", "Comparison", "", figures);
  }

  private Figure table() {
    MetricTable<Row> table =
        new MetricTable<Row>()
            .text("metric", row -> label(row.metric()))
            .text("treatment", Row::treatment)
            .formatted("A", row -> value(row.metric(), row.baseline()))
            .formatted("B", row -> value(row.metric(), row.candidate()))
            .formatted(
                "change in B [95 %]",
                row -> Numbers.withInterval(row.ratio(), each -> Value.change(each).text()));
    if (found.interleaved()) {
      table.text("verdict", ComparisonPage::verdict);
    }
    return table.figure(
        "Geometric means over the blocks",
        found.rows().stream()
            .sorted(Comparator.comparing(row -> row.outcome() != GateVerdict.REGRESSION))
            .toList());
  }

  private static String label(NamedMetric metric) {
    return metric.unit().equals(MICROS) ? metric.label() : metric.label() + ", " + metric.unit();
  }

  private static String value(NamedMetric metric, Estimate mean) {
    return metric.unit().equals(MICROS)
        ? Numbers.micros(mean.value())
        : Numbers.shorten(mean.value());
  }

  /** The last part of a finding's id; with spaces the verdict of a table. */
  private static String outcome(Row row) {
    return switch (row.outcome()) {
      case PASS -> gained(row) ? "better" : "no-relevant-loss";
      case NOT_DECIDED -> row.judged().isPresent() ? "not-decided" : "not-judged";
      case REGRESSION -> "regression";
    };
  }

  private static String verdict(Row row) {
    return outcome(row).replace('-', ' ');
  }

  /** Blocks that differences take at the noise of each metric, by its noisiest treatment. */
  private Optional<Section> noise() {
    record Noise(NamedMetric metric, double sd) {}
    List<Noise> noise =
        found.rows().stream()
            .filter(row -> row.judged().isPresent())
            .collect(
                Collectors.groupingBy(
                    Row::metric,
                    LinkedHashMap::new,
                    Collectors.summarizingDouble(
                        row -> Math.sqrt(Samples.variance(row.lnRatios())))))
            .entrySet()
            .stream()
            .map(each -> new Noise(each.getKey(), each.getValue().getMax()))
            .toList();
    JudgedMetrics metrics = found.metrics();
    return noise.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Texts.section(
                "compare.noise",
                new MetricTable<Noise>()
                    .text("metric", each -> each.metric().label())
                    .formatted("noise", each -> Numbers.percent(each.sd()))
                    .formatted(
                        "relevant difference",
                        each -> Numbers.percent(metrics.margin(each.metric())))
                    .formatted(
                        "blocks to exclude it",
                        each ->
                            blocks(
                                BlockGate.blocksToExclude(
                                    each.sd(),
                                    metrics.margin(each.metric()),
                                    each.metric().better())))
                    .figure("Blocks by metric", noise)));
  }

  private static String blocks(OptionalInt blocks) {
    return blocks.isPresent() ? String.valueOf(blocks.getAsInt()) : "> 1,000";
  }

  /** Rows of an interleaved run as tests, for CI systems. */
  public static List<JUnitXml.Case> cases(RunComparison found) {
    String group = found.b().name();
    List<JUnitXml.Case> cases = new ArrayList<>();
    for (Lost lost : found.lost()) {
      cases.add(new JUnitXml.Case(group, lost.treatment(), JUnitXml.Outcome.FAILED, lost(lost)));
    }
    for (Row row : found.rows()) {
      cases.add(
          new JUnitXml.Case(
              group,
              row.treatment() + ": " + row.metric().label(),
              switch (row.outcome()) {
                case PASS -> JUnitXml.Outcome.PASSED;
                case REGRESSION -> JUnitXml.Outcome.FAILED;
                case NOT_DECIDED -> JUnitXml.Outcome.UNDECIDED;
              },
              change(row)));
    }
    for (Absent absent : found.absent()) {
      cases.add(
          new JUnitXml.Case(
              group,
              absent.treatment() + ": " + absent.metric(),
              JUnitXml.Outcome.SKIPPED,
              absent(absent)));
    }
    return cases;
  }
}
