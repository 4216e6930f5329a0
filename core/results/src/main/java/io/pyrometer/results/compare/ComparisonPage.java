package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.analysis.comparison.BlockGate.Judgement;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
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
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Oversubscription;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Absent;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import io.pyrometer.results.page.Limitations;
import io.pyrometer.results.ranking.NextStep;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Comparison as a page: the verdict first, then every treatment by metric. */
public final class ComparisonPage {
  private static final String DEFAULTS = "3 % of throughput and CPU time, 5 % of p50, 10 % of p99";
  private static final String REPEAT = "A repeat that does not show it.";

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
    List<Section> sections = new ArrayList<>();
    for (NamedMetric metric : found.rows().stream().map(Row::metric).distinct().toList()) {
      sections.add(page.metric(metric));
    }
    page.noise().ifPresent(sections::add);
    sections.add(page.runs());
    return new Page(
        "compare",
        found.interleaved() ? "Is B worse than A?" : "What are the figures of A and B?",
        found.interleaved() ? page.margins() : "",
        findings(found),
        sections,
        List.of(new Page.Command("Compare again", command)));
  }

  private String margins() {
    JudgedMetrics metrics = found.metrics();
    String deltas =
        metrics.deltas().entrySet().stream()
            .map(each -> "; %s of %s".formatted(Figures.percent(each.getValue()), each.getKey()))
            .collect(Collectors.joining());
    return "Smallest relevant difference: %s%s; --delta sets another."
        .formatted(metrics.delta().map(Figures::percent).orElse(DEFAULTS), deltas);
  }

  /** The answer, regressions and gains, then the limits. */
  static List<Finding> findings(RunComparison found) {
    ComparisonPage page = new ComparisonPage(found);
    List<Finding> all = new ArrayList<>();
    all.add(page.answer());
    found.lost().forEach(lost -> all.add(lost(lost)));
    page.rows(GateVerdict.REGRESSION).forEach(row -> all.add(page.finding(row)));
    found.rows().stream().filter(ComparisonPage::gained).map(page::finding).forEach(all::add);
    Oversubscription.of(
            found.trials(),
            "throughput and latency compare CPU cost on this machine, not what a cluster can do")
        .ifPresent(all::add);
    all.addAll(page.limits());
    return all;
  }

  /** Changes of an interleaved run, with intervals: shown ones, and those of throughput. */
  public static List<Finding> effects(RunComparison found) {
    ComparisonPage page = new ComparisonPage(found);
    return found.rows().stream()
        .filter(row -> shown(row) || row.metric().name().equals(Metric.THROUGHPUT))
        .sorted(Comparator.comparing(row -> !shown(row)))
        .map(page::finding)
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

  private Finding answer() {
    if (!found.interleaved()) {
      return Finding.notice(
          Kind.COMPARISON,
          "No verdict: runs made at different times do not show how much two runs of the same differ.",
          "Both in the same blocks: compare --interleave.");
    }
    return switch (found.outcome()) {
      case PASS ->
          Finding.info(
              Kind.COMPARISON,
              "No regression in %s: a loss of the smallest relevant difference is excluded in each."
                  .formatted(Figures.count(found.rows().size(), "comparison")),
              "More blocks, which exclude smaller losses.");
      case NOT_DECIDED ->
          Finding.notice(Kind.NOT_ENOUGH_RUNS, undecided(), "More, or longer, trials of both.");
      case REGRESSION -> Finding.warning(Kind.COMPARISON, regressed(), REPEAT);
    };
  }

  private String undecided() {
    RunRecord run = found.first();
    List<Row> judged = found.rows().stream().filter(row -> row.judged().isPresent()).toList();
    if (judged.isEmpty() && run.blocksSeen() < run.plan().blocks()) {
      return "Not decided: %d of %s are finished, and the one look is after the last; pyrometer resume continues the run."
          .formatted(run.blocksSeen(), Figures.count(run.plan().blocks(), "planned block"));
    } else if (judged.isEmpty()) {
      return "Not decided: a verdict needs %d blocks with valid trials of both versions."
          .formatted(BlockGate.MIN_BLOCKS);
    }
    List<Row> open = rows(GateVerdict.NOT_DECIDED);
    return "Not decided: %d of %s show neither a regression nor its absence; %s."
        .formatted(
            open.size(), Figures.count(found.rows().size(), "comparison"), blocksToDecide(open));
  }

  private String blocksToDecide(List<Row> open) {
    int most = 0;
    for (Row row : open) {
      OptionalInt blocks = row.judged().map(Judgement::blocksToDecide).orElse(OptionalInt.empty());
      if (blocks.isEmpty() || blocks.getAsInt() > NextStep.MAX_BLOCKS) {
        return "at the noise of the %s of %s that takes more than %d blocks: lengthen the trials%s, or give a larger --delta, or --only"
            .formatted(row.metric().label(), row.treatment(), NextStep.MAX_BLOCKS, longer());
      }
      most = Math.max(most, blocks.getAsInt());
    }
    PlannedRun plan = found.first().plan();
    int wanted = Math.max(most, plan.blocks() + 1);
    return "at this noise that takes about %d blocks: compare again with --blocks %d (%s)"
        .formatted(wanted, wanted, Phrases.about(NextStep.secondsOfBlock(plan) * wanted));
  }

  private String longer() {
    return NextStep.longerMeasure(found.first().plan()).stream()
        .mapToObj(seconds -> String.format(Locale.ROOT, " (--set measure=%.0fs)", seconds))
        .collect(Collectors.joining());
  }

  /** Each treatment with the metrics that it lost by. */
  private String regressed() {
    TreeMap<String, List<String>> names = new TreeMap<>();
    for (Lost lost : found.lost()) {
      names
          .computeIfAbsent(lost.treatment(), name -> new ArrayList<>())
          .add(lost.refuted() ? "guarantee refuted" : "no valid trial");
    }
    for (Row row : rows(GateVerdict.REGRESSION)) {
      names.computeIfAbsent(row.treatment(), name -> new ArrayList<>()).add(row.metric().label());
    }
    return names.entrySet().stream()
        .map(each -> "%s in B (%s)".formatted(each.getKey(), String.join(", ", each.getValue())))
        .collect(Collectors.joining("; ", "Regression: ", "."));
  }

  private static Finding lost(Lost lost) {
    return Finding.warning(
        Kind.COMPARISON,
        lost.refuted()
            ? "%s does not keep its guarantees in B: %s.".formatted(lost.treatment(), lost.why())
            : "%s has valid trials in A and none in B%s"
                .formatted(lost.treatment(), lost.why().isEmpty() ? "." : ": " + lost.why()),
        lost.refuted() ? "Nothing: one stale or lost key is proof." : "A valid trial of it.");
  }

  private Finding finding(Row row) {
    return Finding.of(
        row.judged().isPresent() ? Kind.COMPARISON : Kind.NOT_ENOUGH_RUNS,
        row.outcome() == GateVerdict.REGRESSION ? Severity.WARNING : Severity.INFO,
        sentence(row),
        Map.of("ratio", row.ratio()),
        REPEAT);
  }

  private String sentence(Row row) {
    Estimate ratio = row.ratio();
    String change =
        "The %s of %s in B is %s against A"
            .formatted(row.metric().label(), row.treatment(), Figures.change(ratio.value()));
    return row.judged()
        .map(
            judged ->
                "%s (%s, %s, %s%s): %s%s."
                    .formatted(
                        change,
                        ratio.interval(Figures::change),
                        Figures.count(ratio.replicates(), "block"),
                        Figures.p(judged.p()),
                        found.rows().size() > 1
                            ? " corrected for %d comparisons".formatted(found.rows().size())
                            : "",
                        verdict(row),
                        cpuCost(row) ? ", as CPU cost on this machine" : ""))
        .orElseGet(() -> change + ", not judged.");
  }

  /** Whether a change of throughput or latency is one of CPU cost: the versions fight for it. */
  private static boolean cpuCost(Row row) {
    return row.oversubscribed() && !row.metric().name().equals(Metric.CPU);
  }

  /** Limits of both runs; those of one alone name it. */
  private List<Finding> limits() {
    List<Finding> notes = new ArrayList<>();
    List<List<Finding>> own =
        found.sides().stream().map(side -> Limitations.of(side.run())).toList();
    for (int side = 0; side < 2; side++) {
      for (Finding each : own.get(side)) {
        boolean both = own.get(1 - side).stream().anyMatch(other -> other.equals(each));
        if (!both) {
          notes.add(each.under(RunComparison.letter(side)));
        } else if (side == 0) {
          notes.add(each);
        }
      }
    }
    if (!found.interleaved()) {
      List<String> unlike = environments();
      if (!unlike.isEmpty()) {
        notes.add(
            note(
                Severity.WARNING,
                "A and B were measured in different environments, so their figures are not comparable: %s."
                    .formatted(String.join(", ", unlike)),
                "Runs of both in one environment."));
      }
    }
    for (Absent absent : found.absent()) {
      notes.add(note(Severity.NOTICE, sentence(absent), "Longer trials, or the same treatments."));
    }
    List<String> differing = found.sides().get(0).differences(found.sides().get(1));
    if (!differing.isEmpty()) {
      notes.add(
          note(
              Severity.INFO,
              "A and B differ in their settings: %s.".formatted(String.join(", ", differing)),
              "Versions that differ in nothing but the change under test."));
    }
    return notes;
  }

  private List<String> environments() {
    RunRecord a = found.sides().get(0).run();
    RunRecord b = found.sides().get(1).run();
    List<String> unlike = new ArrayList<>(a.environment().differences(b.environment()));
    if (CompiledByC1.in(a) != CompiledByC1.in(b)) {
      unlike.add("JIT compilers (C1 alone in one of them)");
    }
    return unlike;
  }

  private static String sentence(Absent absent) {
    return "%s of %s: %s has no value."
        .formatted(
            Phrases.capital(absent.metric()),
            absent.treatment(),
            RunComparison.letter(absent.side()));
  }

  private static Finding note(Severity severity, String sentence, String wouldChange) {
    return Finding.of(Kind.DISTURBED, severity, sentence, Map.of(), wouldChange);
  }

  private Section metric(NamedMetric metric) {
    List<Row> rows = found.rows().stream().filter(row -> row.metric().equals(metric)).toList();
    String better = metric.better() == Direction.LOWER ? "Lower is better." : "Higher is better.";
    Figure table = table().figure("%s, %s".formatted(metric.title(), metric.unit()), rows);
    if (!found.interleaved()) {
      return Section.of(metric.id(), metric.title(), better, table);
    }
    List<Ranked> points =
        rows.stream()
            .map(row -> new Ranked(row.treatment(), row.ratio(), Optional.empty(), verdict(row)))
            .toList();
    return new Section(
        metric.id(),
        metric.title(),
        better
            + " Smallest relevant difference: %s. Judged once, after the last block, as one family of %s."
                .formatted(
                    Numbers.percent(found.metrics().margin(metric)),
                    Figures.count(found.rows().size(), "comparison")),
        List.of(
            IntervalChart.points(
                "Ratio to A of the " + metric.label() + ", with its 95 % interval", "×", points),
            table));
  }

  static String verdict(Row row) {
    return switch (row.outcome()) {
      case PASS -> gained(row) ? "better" : "no regression";
      case NOT_DECIDED -> row.judged().isPresent() ? "not decided" : "not judged";
      case REGRESSION -> "regression";
    };
  }

  private MetricTable<Row> table() {
    MetricTable<Row> table =
        new MetricTable<Row>()
            .text("treatment", Row::treatment)
            .formatted("A", row -> Numbers.shorten(row.baseline().value()))
            .formatted("B", row -> Numbers.shorten(row.candidate().value()))
            .formatted("ratio to A", row -> Numbers.ratio(row.ratio()));
    if (found.interleaved()) {
      table
          .count("blocks", row -> row.lnRatios().length)
          .text("verdict", ComparisonPage::verdict)
          .formatted(
              "p of regression",
              row -> row.judged().map(judged -> Figures.bareP(judged.p())).orElse(Table.ABSENT));
    }
    return table.text("marks", this::marks);
  }

  private String marks(Row row) {
    List<String> marks = new ArrayList<>();
    for (int side = 0; side < 2; side++) {
      List<String> own =
          Rankings.ofChecks(
              found.sides().get(side).run().counting().stream()
                  .filter(trial -> trial.levels().equals(row.levels()))
                  .toList());
      if (!own.isEmpty()) {
        marks.add(RunComparison.letter(side) + ": " + String.join(", ", own));
      }
    }
    return String.join("; ", marks);
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
    if (noise.isEmpty()) {
      return Optional.empty();
    }
    int rows = found.rows().size();
    JudgedMetrics metrics = found.metrics();
    MetricTable<Noise> table =
        new MetricTable<Noise>()
            .text("metric", each -> each.metric().label())
            .formatted("noise of the ratio", each -> Numbers.percent(each.sd()))
            .formatted("difference", each -> Numbers.percent(metrics.margin(each.metric())))
            .formatted(
                "blocks to exclude it",
                each ->
                    blocks(
                        BlockGate.blocksToExclude(
                            each.sd(), metrics.margin(each.metric()), each.metric().better())));
    for (int times : new int[] {2, 3}) {
      table.formatted(
          "to find %d times that".formatted(times),
          each -> {
            double margin = metrics.margin(each.metric());
            return blocks(
                BlockGate.blocksToFind(
                    each.sd(),
                    Math.min(0.99, times * margin),
                    margin,
                    each.metric().better(),
                    rows));
          });
    }
    return Optional.of(
        Section.of(
            "noise",
            "How many blocks a difference takes",
            "Standard deviation of the ratio between blocks, by the noisiest treatment, and the blocks that exclude a loss, if there is none, or find one, each in 95 of 100 cases at this noise.",
            table.figure("Blocks by metric", noise)));
  }

  private static String blocks(OptionalInt blocks) {
    return blocks.isPresent() ? String.valueOf(blocks.getAsInt()) : "> 1,000";
  }

  private Section runs() {
    record Made(String letter, Side side) {}
    List<Made> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      all.add(new Made(RunComparison.letter(i), found.sides().get(i)));
    }
    return Section.of(
        "runs",
        found.interleaved() ? "The versions" : "The runs",
        found.interleaved()
            ? "Both were measured in every block, each on fresh processes, in random order."
            : "Made at different times.",
        new MetricTable<Made>()
            .text("", Made::letter)
            .text(found.interleaved() ? "version" : "run", each -> each.side().name())
            .formatted("seed", each -> String.valueOf(each.side().run().plan().seed()))
            .text("commit", each -> commit(each.side().run().environment()))
            .count("blocks", each -> each.side().run().blocksSeen())
            .count("trials", each -> each.side().run().counting().size())
            .count(
                "disturbed",
                each ->
                    each.side().run().counting().stream().filter(TrialRecord::disturbed).count())
            .text("begun", each -> each.side().run().environment().taken())
            .text(
                "command",
                each -> "./pyrometer " + String.join(" ", each.side().run().plan().arguments()))
            .figure("What is compared", all));
  }

  private static String commit(Environment environment) {
    return environment.commit().isEmpty() ? "built without Git" : environment.commit();
  }

  /** Rows of an interleaved run as tests, for CI systems. */
  public static List<JUnitXml.Case> cases(RunComparison found) {
    ComparisonPage page = new ComparisonPage(found);
    String group = found.sides().get(1).name();
    List<JUnitXml.Case> cases = new ArrayList<>();
    for (Lost lost : found.lost()) {
      cases.add(
          new JUnitXml.Case(
              group, lost.treatment(), 0, JUnitXml.Outcome.FAILED, lost(lost).sentence()));
    }
    for (Row row : found.rows()) {
      cases.add(
          new JUnitXml.Case(
              group,
              row.treatment() + ": " + row.metric().label(),
              0,
              switch (row.outcome()) {
                case PASS -> JUnitXml.Outcome.PASSED;
                case REGRESSION -> JUnitXml.Outcome.FAILED;
                case NOT_DECIDED -> JUnitXml.Outcome.UNDECIDED;
              },
              page.sentence(row)));
    }
    for (Absent absent : found.absent()) {
      cases.add(
          new JUnitXml.Case(
              group,
              absent.treatment() + ": " + absent.metric(),
              0,
              JUnitXml.Outcome.SKIPPED,
              sentence(absent)));
    }
    return cases;
  }
}
