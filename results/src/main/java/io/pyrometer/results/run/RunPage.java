package io.pyrometer.results.run;

import io.pyrometer.experiment.Analysis;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.Charts;
import io.pyrometer.report.chart.PercentileLine;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.report.chart.TimeLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
    page.time().ifPresent(sections::add);
    latency(rankings).ifPresent(sections::add);
    TelemetrySection.of(run).ifPresent(sections::add);
    sections.add(FactSections.guarantees(run, rankings));
    sections.add(FactSections.validity(run));
    sections.add(FactSections.environment(run));
    return new Page(
        run.plan().name(),
        run.plan().question(),
        page.about(),
        report.findings(),
        sections,
        page.again());
  }

  private List<Section> analysis(RunReport report, String asked) {
    if (asked.equals(Analysis.RANKING.word())) {
      return report.rankings().stream().filter(r -> !r.rows().isEmpty()).map(this::job).toList();
    }
    List<Section> sections = new ArrayList<>();
    for (RunAnalysis analysis : report.analyses()) {
      if (analysis.analysis().equals(asked)) {
        sections.addAll(RunAnalyses.sections(analysis, report.analyses().indexOf(analysis) + 1));
      }
    }
    return sections;
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
    String original = "./pyrometer " + String.join(" ", run.plan().arguments());
    List<Page.Command> commands = new ArrayList<>();
    commands.add(new Page.Command("Run it again", original));
    commands.add(new Page.Command("Make this report again", "./pyrometer report " + folder));
    if (!run.whole()) {
      commands.add(new Page.Command("Go on with it", "./pyrometer resume " + folder));
    }
    return commands;
  }

  private Section job(Ranking ranking) {
    List<Ranked> speed = new ArrayList<>();
    List<Ranked> cost = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      String note = String.join("; ", row.marks());
      speed.add(new Ranked(row.label(), row.throughput(), row.ratio(), note));
      row.cpuMicros()
          .ifPresent(cpu -> cost.add(new Ranked(row.label(), cpu, Optional.empty(), note)));
    }
    cost.sort(Comparator.comparingDouble(r -> r.estimate().value()));
    List<Exhibit> exhibits = new ArrayList<>();
    exhibits.add(
        Charts.ranking(
            "Throughput in records a second, geometric mean over the blocks with its 95 % interval;"
                + " ratios to "
                + ranking.baseline()
                + " within the blocks",
            "records/s",
            speed));
    if (!cost.isEmpty()) {
      exhibits.add(
          Charts.cost(
              "CPU time of all processes, nodes and agents, for one record", "µs/record", cost));
    }
    exhibits.add(Exhibit.of("All figures", RankingTable.of(ranking)));
    return new Section(
        ranking.job().name().toLowerCase(Locale.ROOT),
        Words.title(ranking.job()),
        "Fastest first. On a shared machine CPU time for a record is steadier than throughput.",
        exhibits);
  }

  private Optional<Section> time() {
    List<TrialRecord> shown =
        run.counting().stream().filter(t -> !t.timeline().samples().isEmpty()).toList();
    if (shown.size() > MOST_TIME_LINES) {
      int block = shown.get(0).block();
      shown = shown.stream().filter(t -> t.block() == block).limit(MOST_TIME_LINES).toList();
    }
    List<TimeLine> lines = shown.stream().map(RunPage::line).toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "time",
                "Throughput over time",
                "Ten samples a second of every trial; what is shaded is warm-up and does not count.",
                List.of(
                    Charts.throughputOverTime(
                        "Records a second over the seconds of each trial", "records/s", lines))));
  }

  private static TimeLine line(TrialRecord trial) {
    return new TimeLine(
        Rankings.label(trial) + ", block " + (trial.block() + 1),
        trial.timeline().samples().stream().map(n -> n * 10.0).toList(),
        10,
        trial.timeline().measuredFrom(),
        trial.timeline().warmUp().settled());
  }

  private static Optional<Section> latency(List<Ranking> rankings) {
    List<PercentileLine> lines =
        rankings.stream()
            .flatMap(ranking -> ranking.rows().stream())
            .filter(row -> row.percentiles().size() > 1)
            .map(row -> new PercentileLine(row.label(), row.percentiles()))
            .sorted(Comparator.comparing(PercentileLine::name))
            .toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "latency",
                "Latency of a call",
                "Histograms of all blocks added. A call of a batched path carries many records. In"
                    + " a closed loop this is the time a call takes, not what users would wait at a"
                    + " given rate.",
                List.of(
                    Charts.percentiles("Latency by the share of calls that were faster", lines))));
  }
}
