package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.changepoint.History;
import io.pyrometer.analysis.changepoint.History.ChangePoint;
import io.pyrometer.analysis.changepoint.History.ChangeRule;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HistoryChart;
import io.pyrometer.report.chart.HistoryChart.HistoryPoint;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The runs of one experiment over time: medians of each treatment, and where they changed.
 *
 * @param runs those on the newest run's machine, oldest first
 * @param elsewhere how many more were made on another machine, system or JVM, or with other JIT
 *     compilers
 */
public record RunHistory(String experiment, List<RunRecord> runs, int elsewhere, List<Line> lines) {
  private static final String MORE = "More runs of this experiment on this machine.";

  /** One metric of one treatment over the runs that have it. */
  record Line(String treatment, NamedMetric metric, List<Point> points, History history) {}

  /** The median of one run's blocks. */
  record Point(String run, Estimate median) {}

  /**
   * Reads the runs of an experiment; of that of the newest run, if none is named. Throughput, CPU
   * time per record, and p50 and p99 of each operation are followed.
   *
   * @param further names of metrics that are followed as well
   * @throws RunException if there is no such run
   */
  public static RunHistory of(Path runs, Optional<String> experiment, Set<String> further) {
    List<RunFolder> folders =
        RunFolder.all(runs).stream()
            .filter(folder -> !folder.plan().name().equals(CalibrationPlan.NAME))
            .toList();
    if (folders.isEmpty()) {
      throw RunException.of(
          "There are no runs in %s; 'pyrometer run' makes one, and --out names another folder.",
          runs.toAbsolutePath().normalize());
    }
    String name = experiment.orElseGet(() -> folders.get(folders.size() - 1).plan().name());
    List<RunRecord> all =
        folders.stream()
            .filter(folder -> folder.plan().name().equals(name))
            .map(RunRecord::load)
            .filter(run -> !run.finished().isEmpty())
            .toList();
    if (all.isEmpty()) {
      throw RunException.of(
          "There is no run of '%s' in %s; there are runs of %s.",
          name, runs.toAbsolutePath().normalize(), names(folders));
    }
    RunRecord newest = all.get(all.size() - 1);
    List<RunRecord> here =
        all.stream()
            .filter(run -> run.environment().sameMachine(newest.environment()))
            .filter(run -> CompiledByC1.in(run) == CompiledByC1.in(newest))
            .toList();
    return new RunHistory(name, here, all.size() - here.size(), lines(here, further));
  }

  private static String names(List<RunFolder> folders) {
    Set<String> names = new LinkedHashSet<>();
    folders.forEach(folder -> names.add(folder.plan().name()));
    return String.join(", ", names);
  }

  private static List<Line> lines(List<RunRecord> runs, Set<String> further) {
    List<NamedMetric> metrics =
        NamedMetric.of(runs.stream().flatMap(run -> run.counting().stream()).toList()).stream()
            .filter(metric -> metric.standard() || further.contains(metric.name()))
            .toList();
    Set<Map<String, String>> treatments = new LinkedHashSet<>();
    List<TreatmentTrials> replicates = runs.stream().map(TreatmentTrials::new).toList();
    replicates.forEach(run -> treatments.addAll(run.treatments()));
    List<Line> lines = new ArrayList<>();
    for (Map<String, String> levels : treatments) {
      for (NamedMetric metric : metrics) {
        List<Point> points = new ArrayList<>();
        List<double[]> blocks = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
          Treatment values = replicates.get(i).values(levels, metric.name());
          if (values.values().length > 0) {
            points.add(
                new Point(label(runs.get(i)), Means.median(values.values(), metric.unit(), 0.95)));
            blocks.add(values.values());
          }
        }
        if (!points.isEmpty()) {
          int figures = treatments.size() * metrics.size();
          lines.add(line(Labels.of(levels, "the treatment"), metric, points, blocks, figures));
        }
      }
    }
    return lines;
  }

  private static Line line(
      String treatment,
      NamedMetric metric,
      List<Point> points,
      List<double[]> blocks,
      int figures) {
    History history =
        History.ofRuns(
            blocks,
            points.stream().map(Point::run).toList(),
            "the " + metric.label() + " of " + treatment,
            ChangeRule.OF_RUNS,
            figures);
    return new Line(treatment, metric, points, history);
  }

  /** The moment it began, as its folder is named after, and the commit where one is known. */
  private static String label(RunRecord run) {
    String folder = String.valueOf(run.folder().path().getFileName());
    String stamp =
        folder.endsWith("-" + run.plan().name())
            ? folder.substring(0, folder.length() - run.plan().name().length() - 1)
            : folder;
    String commit = run.environment().commit();
    return commit.isEmpty() ? stamp : stamp + " " + commit;
  }

  /** The changes in the order of the treatments, then in how many lines there is none. */
  List<Finding> findings() {
    List<Line> changed = lines.stream().filter(RunHistory::moved).toList();
    List<Line> few =
        lines.stream()
            .filter(
                line ->
                    line.history().findings().stream()
                        .anyMatch(finding -> finding.kind() == Kind.NOT_ENOUGH_RUNS))
            .toList();
    List<Finding> findings = new ArrayList<>();
    changed.forEach(line -> findings.addAll(line.history().findings()));
    List<Line> steady =
        lines.stream().filter(line -> !changed.contains(line) && !few.contains(line)).toList();
    if (!steady.isEmpty()) {
      findings.add(steady(steady, changed.isEmpty()));
    }
    if (!few.isEmpty()) {
      findings.add(few(few));
    }
    if (elsewhere > 0) {
      findings.add(
          finding(
              Kind.DISTURBED,
              Severity.NOTICE,
              "%s left out, as made on another machine, system or JVM than the newest, or with other JIT compilers."
                  .formatted(Figures.count(elsewhere, "run") + (elsewhere == 1 ? " is" : " are"))));
    }
    return findings;
  }

  private Finding steady(List<Line> steady, boolean all) {
    List<Double> visible =
        steady.stream()
            .flatMap(line -> line.history().visible().stream().boxed())
            .sorted()
            .toList();
    String seen =
        visible.isEmpty()
            ? ""
            : "; at their spread a change of %s would be found in the quietest and of %s in the noisiest, in 95 of 100 cases"
                .formatted(
                    Figures.percent(visible.get(0)),
                    Figures.percent(visible.get(visible.size() - 1)));
    return finding(
        Kind.CHANGE_POINT,
        Severity.INFO,
        "No lasting change by %s or more was found in %s%s%s."
            .formatted(
                Figures.percent(ChangeRule.OF_RUNS.smallest()),
                Figures.count(steady.size(), all ? "figure" : "other figure"),
                " over " + Figures.count(runs.size(), "run"),
                seen));
  }

  /** By a step or a trend. */
  private static boolean moved(Line line) {
    return line.history().findings().stream()
        .anyMatch(
            finding ->
                finding.kind() == Kind.CHANGE_POINT && finding.severity() == Severity.NOTICE);
  }

  private Finding few(List<Line> few) {
    boolean all = few.size() == lines.size();
    return finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        all
            ? few.get(0).history().findings().get(0).sentence()
            : "%s of fewer than 4 runs, which show no change yet."
                .formatted(few.size() + (few.size() == 1 ? " series is" : " series are")));
  }

  private static Finding finding(Kind kind, Severity severity, String sentence) {
    return new Finding(kind, severity, sentence, Map.of(), MORE);
  }

  /**
   * The changes first, then a chart for each treatment.
   *
   * @param command as typed, to make the page again
   */
  public Page page(String command) {
    List<Section> sections = new ArrayList<>();
    for (NamedMetric metric : lines.stream().map(Line::metric).distinct().toList()) {
      List<Line> own = lines.stream().filter(line -> line.metric().equals(metric)).toList();
      List<Figure> figures = new ArrayList<>(List.of(overview(metric, own)));
      own.forEach(line -> figures.add(chart(line)));
      sections.add(
          new Section(
              metric.id(),
              metric.title(),
              "Medians over the blocks of each run, with a distribution-free interval. Runs made one after the other carry the drift of the machine: confirm a change by running both sides of it again.",
              figures));
    }
    return new Page(
        experiment,
        "When did %s change?".formatted(experiment),
        Figures.count(runs.size(), "run") + ", the oldest first",
        findings(),
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
        .text("lasting changes", RunHistory::changes)
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
        .map(RunHistory::change)
        .findFirst()
        .orElse("");
  }

  private static String change(ChangePoint point) {
    return Figures.change(point.after() / point.before());
  }
}
