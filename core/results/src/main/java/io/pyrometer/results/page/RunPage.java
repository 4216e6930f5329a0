package io.pyrometer.results.page;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.PercentileChart;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RatioReasons;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.ranking.OperationLatency;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A run's report: the answer first, then what it rests on. */
final class RunPage {
  /** More small charts than this are a wall, so that the report shows the first block's only. */
  private static final int MOST_TIME_LINES = 48;

  private final RunRecord run;

  private RunPage(RunRecord run) {
    this.run = run;
  }

  static Page of(RunReport report) {
    RunRecord run = report.run();
    List<Ranking> rankings = report.rankings();
    RunPage page = new RunPage(run);
    List<Section> sections = new ArrayList<>();
    for (String asked : run.plan().experiment().analyses()) {
      sections.addAll(page.analysis(report, asked));
    }
    RunAnalyses.further(run).forEach(id -> sections.addAll(page.analysis(report, id)));
    page.time().ifPresent(sections::add);
    rankings.forEach(ranking -> latency(ranking).ifPresent(sections::add));
    LatencyOverTime.of(run, rankings).ifPresent(sections::add);
    sections.add(RunDetails.guarantees(rankings));
    RunDetails.equalTerms(run).ifPresent(sections::add);
    sections.add(RunDetails.validity(run));
    RunDetails.telemetry(run).ifPresent(sections::add);
    sections.add(RunDetails.environment(run));
    return new Page(
        run.plan().name(),
        run.plan().question(),
        page.about(),
        report.findings(),
        sections,
        page.again());
  }

  private List<Section> analysis(RunReport report, String asked) {
    if (asked.equals(AnalysisDeclaration.RANKING)) {
      return report.rankings().stream()
          .filter(r -> !r.rows().isEmpty())
          .map(ranking -> job(ranking, report.reasons()))
          .toList();
    }
    return RunAnalyses.sections(report.analyses(), asked);
  }

  private String about() {
    return String.format(
        Locale.ROOT,
        "%s, %s, %d cores · %d of %d trials in %d %s · begun %s",
        run.plan().products(),
        run.environment().cpu(),
        run.environment().cores(),
        run.counting().size(),
        run.plan().trials().size(),
        run.blocksSeen(),
        run.blocksSeen() == 1 ? "block" : "blocks",
        run.environment().taken());
  }

  private List<Page.Command> again() {
    String folder = run.folder().path().toString();
    List<Page.Command> commands = new ArrayList<>();
    commands.add(
        new Page.Command(
            "Run it again",
            "./pyrometer "
                + String.join(" ", run.plan().argumentsWith(folder + "/experiment.yaml"))));
    commands.add(new Page.Command("Regenerate this report", "./pyrometer report " + folder));
    run.counting().stream()
        .findFirst()
        .ifPresent(
            trial ->
                commands.add(
                    new Page.Command(
                        "Show one trial",
                        "./pyrometer report %s --trial %s".formatted(folder, trial.id()))));
    if (!run.whole()) {
      commands.add(new Page.Command("Resume it", "./pyrometer resume " + folder));
    }
    return commands;
  }

  private static Section job(Ranking ranking, RatioReasons reasons) {
    List<Figure> figures = new ArrayList<>();
    if (ranking.openLoop()) {
      figures.addAll(p99(ranking));
    } else {
      figures.add(throughput(ranking));
    }
    cost(ranking).ifPresent(figures::add);
    String common = RankingTable.common(ranking);
    figures.add(Figure.of(common.isEmpty() ? "All figures" : common, RankingTable.of(ranking)));
    reasons.figure(ranking).ifPresent(figures::add);
    return new Section(
        id(ranking),
        RankingTable.title(ranking),
        ranking.openLoop()
            ? "Open loop: throughput is what the experiment offers, so treatments are ranked by"
                + " p99, lowest first, by the slowest operation of each. Those that did not hold"
                + " the rate within 2 % come last."
            : "Fastest first. On a shared machine CPU time per record is steadier than throughput.",
        figures);
  }

  private static String id(Ranking ranking) {
    String slug = ranking.part().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String job = ranking.job().id() + (slug.isEmpty() ? "" : "-" + slug);
    return ranking.openLoop()
        ? job + "-" + Figures.plain(ranking.rate()).replaceAll("[^0-9]+", "-")
        : job;
  }

  private static String note(Ranking.Row row) {
    List<String> notes = new ArrayList<>(row.marks());
    row.offered()
        .filter(offered -> !offered.held())
        .ifPresent(offered -> notes.add("reached %s of the rate".formatted(offered.share())));
    return String.join("; ", notes);
  }

  private static Figure throughput(Ranking ranking) {
    return IntervalChart.points(
        "Throughput in records a second, geometric mean over the blocks with its 95 % interval;"
            + " ratios to "
            + ranking.baseline()
            + " within the blocks",
        "records/s",
        ranking.rows().stream()
            .map(row -> new Ranked(row.label(), row.throughput(), row.ratio(), note(row)))
            .toList());
  }

  /** A chart an operation; where each treatment has but one, they share a chart. */
  private static List<Figure> p99(Ranking ranking) {
    Map<String, List<Ranked>> byOperation = new TreeMap<>();
    for (Ranking.Row row : ranking.rows()) {
      for (OperationLatency latency : row.latencies()) {
        latency
            .of(LatencyStatistic.P99)
            .ifPresent(
                p99 ->
                    ListsByKey.add(
                        byOperation,
                        operation(ranking, latency),
                        new Ranked(
                            row.label(), p99.times(1e-3, "ms"), latency.ratio(), note(row))));
      }
    }
    List<Figure> charts = new ArrayList<>();
    byOperation.forEach(
        (operation, rows) ->
            charts.add(
                IntervalChart.points(
                    "p99 of %s in milliseconds with its 95 %% interval; ratios to %s within the blocks"
                        .formatted(operation, ranking.baseline()),
                    "ms",
                    rows)));
    return charts;
  }

  private static String operation(Ranking ranking, OperationLatency latency) {
    return ranking.severalOperations() ? latency.operation() : "a call";
  }

  private static Optional<Figure> cost(Ranking ranking) {
    List<Ranked> cost = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      row.cpuMicros()
          .ifPresent(cpu -> cost.add(new Ranked(row.label(), cpu, Optional.empty(), note(row))));
    }
    cost.sort(Comparator.comparingDouble(r -> r.estimate().value()));
    return cost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            IntervalChart.bars(
                "CPU time per record of all processes, servers and agents", "µs/record", cost));
  }

  private Optional<Section> time() {
    List<TrialRecord> shown =
        run.counting().stream().filter(t -> !t.timeline().samples().isEmpty()).toList();
    if (shown.size() > MOST_TIME_LINES) {
      int block = shown.get(0).block();
      shown = shown.stream().filter(t -> t.block() == block).limit(MOST_TIME_LINES).toList();
    }
    List<TimeLine> lines =
        shown.stream()
            .map(trial -> line(trial, trial.label() + ", block " + (trial.block() + 1)))
            .toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Section.of(
                "time",
                "Throughput over time",
                "Ten samples a second of every trial. The shaded part is warm-up and does not"
                    + " count.",
                TimeChart.throughput(
                    "Records a second over the seconds of each trial", "records/s", lines)));
  }

  static TimeLine line(TrialRecord trial, String name) {
    return new TimeLine(
        name,
        trial.timeline().samples().stream().map(n -> n * 10.0).toList(),
        10,
        trial.timeline().measuredFrom(),
        trial.timeline().warmUp().settled());
  }

  /** Percentile curves, a chart an operation, and all percentiles with their intervals. */
  private static Optional<Section> latency(Ranking ranking) {
    Map<String, List<PercentileLine>> byOperation = new TreeMap<>();
    for (Ranking.Row row : ranking.rows()) {
      for (OperationLatency latency : row.latencies()) {
        if (latency.curve().size() > 1) {
          ListsByKey.add(
              byOperation,
              operation(ranking, latency),
              new PercentileLine(row.label(), latency.curve()));
        }
      }
    }
    List<Figure> figures = new ArrayList<>();
    byOperation.forEach(
        (operation, lines) ->
            figures.add(
                PercentileChart.of(
                    "Latency of %s by the share of calls that were faster".formatted(operation),
                    lines.stream().sorted(Comparator.comparing(PercentileLine::name)).toList())));
    Table all = RankingTable.latencies(ranking);
    if (!all.rows().isEmpty()) {
      figures.add(Figure.of("Percentiles of every operation with 95 % intervals over blocks", all));
    }
    return figures.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "latency-" + id(ranking),
                "Latency: " + RankingTable.title(ranking),
                "Histograms of all blocks are added; operations are never pooled. A call of a"
                    + " batched path carries many records. "
                    + (ranking.openLoop()
                        ? "Latency counts from when a call was due."
                        : "In a closed loop this is the time of a call, not what users would wait"
                            + " at a given rate."),
                figures));
  }
}
