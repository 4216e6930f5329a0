package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Chart;
import io.pyrometer.report.CsvFile;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs of one experiment over time: medians of each treatment and metric.
 *
 * @param runs those on the newest run's machine, oldest first
 * @param elsewhere number of others, made on another machine, system or JVM, or with other JIT
 *     compilers
 */
public record RunHistory(String experiment, List<RunRecord> runs, int elsewhere, List<Line> lines) {

  /**
   * One metric of one treatment.
   *
   * @param medians over the blocks of each run, by the run's place in the history
   */
  record Line(String treatment, NamedMetric metric, Map<Integer, Estimate> medians) {
    private List<Estimate> values() {
      return List.copyOf(medians.values());
    }

    private double oldest() {
      return values().get(0).value();
    }

    private double newest() {
      return values().get(medians.size() - 1).value();
    }

    private double change() {
      return newest() / oldest();
    }
  }

  /**
   * Reads the runs of an experiment; of that of the newest run, if none is named: throughput, CPU
   * time per record, and p50 and p99 of each operation.
   *
   * @param further names of other metrics to include
   * @throws RunException if there is no such run
   */
  public static RunHistory of(Path runs, Optional<String> experiment, Set<String> further) {
    List<RunFolder> folders = RunFolder.all(runs).stream().filter(RunHistory::isReadable).toList();
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
          name,
          runs.toAbsolutePath().normalize(),
          folders.stream()
              .map(of -> of.plan().name())
              .distinct()
              .collect(Collectors.joining(", ")));
    }
    RunRecord newest = all.get(all.size() - 1);
    List<RunRecord> here =
        all.stream()
            .filter(run -> run.environment().sameMachine(newest.environment()))
            .filter(run -> run.compiledByC1() == newest.compiledByC1())
            .toList();
    return new RunHistory(name, here, all.size() - here.size(), lines(here, further));
  }

  private static List<Line> lines(List<RunRecord> runs, Set<String> further) {
    List<NamedMetric> metrics =
        NamedMetric.of(runs.stream().flatMap(run -> run.counting().stream()).toList()).stream()
            .filter(metric -> metric.standard() || further.contains(metric.name()))
            .toList();
    Set<Map<String, String>> treatments = new LinkedHashSet<>();
    runs.forEach(run -> treatments.addAll(run.byTreatment().keySet()));
    List<Line> lines = new ArrayList<>();
    for (Map<String, String> levels : treatments) {
      for (NamedMetric metric : metrics) {
        Map<Integer, Estimate> medians = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
          Treatment values = runs.get(i).values(levels, metric.name());
          if (values.values().length > 0) {
            medians.put(i, Means.median(values.values(), metric.unit()));
          }
        }
        if (!medians.isEmpty()) {
          lines.add(new Line(Labels.of(levels, RunComparison.ONLY), metric, medians));
        }
      }
    }
    return lines;
  }

  /** The moment it began, and the commit where one is known. */
  private static String label(RunRecord run) {
    return (run.environment().taken() + " " + run.environment().commit()).strip();
  }

  List<Finding> findings(Path csv) {
    List<Finding> findings = new ArrayList<>();
    lines.stream()
        .filter(line -> line.medians().size() > 1)
        .max(Comparator.comparingDouble(line -> Math.abs(Math.log(line.change()))))
        .map(
            line ->
                Finding.info("history.largest-change")
                    .with("metric", line.metric().label())
                    .with("treatment", line.treatment())
                    .with("change", Value.change(line.change())))
        .ifPresent(findings::add);
    findings.add(Finding.info("history.change-points").with("file", csv.toString()));
    if (elsewhere > 0) {
      findings.add(Finding.notice("history.other-machines").with("runs", elsewhere));
    }
    return findings;
  }

  /**
   * One table, and a chart for each treatment and metric.
   *
   * @param command as typed, to regenerate the page
   * @param csv the file that {@link #writeCsv} writes
   */
  public Page page(String command, Path csv) {
    List<Figure> figures = new ArrayList<>(List.of(overview()));
    lines.forEach(line -> figures.add(chart(line)));
    return new Page(
        experiment,
        "How did %s develop?".formatted(experiment),
        Figures.count(runs.size(), "run") + ", the oldest first",
        findings(csv),
        List.of(Texts.section("history", Texts.of("history.lead"), figures)),
        List.of(new Page.Command("Regenerate this page", command)));
  }

  private Figure overview() {
    return new MetricTable<Line>()
        .text("metric", line -> "%s, %s".formatted(line.metric().label(), line.metric().unit()))
        .text("treatment", Line::treatment)
        .count("runs", line -> line.medians().size())
        .formatted("oldest", line -> Numbers.shorten(line.oldest()))
        .formatted("newest", line -> Numbers.shorten(line.newest()))
        .formatted(
            "change",
            line -> line.medians().size() > 1 ? Value.change(line.change()).text() : "one run")
        .figure("The oldest and the newest run", lines);
  }

  private Figure chart(Line line) {
    record Point(String run, Estimate median) {}
    String caption = line.treatment() + ": " + line.metric().label();
    String unit = line.metric().unit();
    List<Point> points = new ArrayList<>();
    line.medians().forEach((run, median) -> points.add(new Point(label(runs.get(run)), median)));
    return Figure.of(
        caption,
        new Chart(
            Chart.Kind.HISTORY,
            Chart.Axis.PLAIN,
            Chart.Axis.linear(unit),
            List.of(
                new Chart.Series(
                    caption,
                    points.stream().map(p -> Chart.point(p.run(), p.median(), "")).toList()))),
        new MetricTable<Point>("no interval: a run needs two blocks for it")
            .text("Run", Point::run)
            .formatted(unit, point -> Numbers.shorten(point.median().value()))
            .formatted("Interval", point -> Numbers.interval(point.median()))
            .of(points));
  }

  /**
   * Writes one row a run: {@code time} in ISO 8601, {@code commit}, {@code run}, and the median of
   * each treatment and metric in a column such as {@code put throughput}; empty where a run has
   * none. Apache Otava reads it.
   */
  public void writeCsv(Path file) {
    List<String> header = new ArrayList<>(List.of("time", "commit", "run"));
    lines.forEach(line -> header.add(line.treatment() + " " + line.metric().name()));
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      RunRecord run = runs.get(i);
      List<Object> row =
          new ArrayList<>(
              List.of(
                  run.environment().taken(),
                  run.environment().commit(),
                  String.valueOf(run.folder().path().getFileName())));
      for (Line line : lines) {
        row.add(
            Optional.ofNullable(line.medians().get(i))
                .map(median -> (Object) median.value())
                .orElse(""));
      }
      rows.add(row);
    }
    CsvFile.write(file, header, rows);
  }

  private static boolean isReadable(RunFolder folder) {
    try {
      return !folder.attempts().isEmpty() && !folder.plan().name().isEmpty();
    } catch (RunException unreadable) {
      return false;
    }
  }
}
