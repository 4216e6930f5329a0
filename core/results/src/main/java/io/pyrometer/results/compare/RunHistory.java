package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.changepoint.ChangeRule;
import io.pyrometer.analysis.changepoint.History;
import io.pyrometer.analysis.estimate.Medians;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
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

/**
 * The runs of one experiment over time: medians of each treatment, and where they changed.
 *
 * @param runs those on the newest run's machine, oldest first
 * @param elsewhere how many more were made on another machine, system or JVM
 */
public record RunHistory(String experiment, List<RunRecord> runs, int elsewhere, List<Line> lines) {

  public RunHistory {
    runs = List.copyOf(runs);
    lines = List.copyOf(lines);
  }

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
      throw new RunException(
          "There are no runs in %s; 'pyrometer run' makes one, and --out names another folder."
              .formatted(runs.toAbsolutePath().normalize()));
    }
    String name = experiment.orElseGet(() -> folders.get(folders.size() - 1).plan().name());
    List<RunRecord> all =
        folders.stream()
            .filter(folder -> folder.plan().name().equals(name))
            .map(RunRecord::load)
            .filter(run -> !run.finished().isEmpty())
            .toList();
    if (all.isEmpty()) {
      throw new RunException(
          "There is no run of '%s' in %s; there are runs of %s."
              .formatted(name, runs.toAbsolutePath().normalize(), names(folders)));
    }
    RunRecord newest = all.get(all.size() - 1);
    List<RunRecord> here =
        all.stream().filter(r -> r.environment().sameMachine(newest.environment())).toList();
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
                new Point(label(runs.get(i)), Medians.of(values.values(), metric.unit(), 0.95)));
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
    return HistoryFindings.of(this);
  }
}
