package io.pyrometer.results.compare;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The smallest regressions that a machine can detect, from a run of {@code calibrate}: an A/A test.
 *
 * @param floors what was found of each metric
 */
public record Calibration(RunRecord run, Margins margins, Map<NamedMetric, NoiseFloor> floors) {
  /**
   * The noise, and what a gate with these margins takes of one treatment that is judged by all
   * these metrics.
   *
   * @throws BadDataException if fewer than three pairs are valid
   */
  public static Calibration of(RunRecord run, Margins margins) {
    List<NamedMetric> metrics =
        NamedMetric.of(run.counting()).stream().filter(NamedMetric::standard).toList();
    Map<NamedMetric, NoiseFloor> floors = new LinkedHashMap<>();
    for (NamedMetric metric : metrics) {
      List<Pair> pairs = pairs(run, metric);
      if (pairs.size() >= 3) {
        floors.put(
            metric,
            NoiseFloor.of(
                pairs.stream().mapToDouble(Pair::first).toArray(),
                pairs.stream().mapToDouble(Pair::second).toArray(),
                rule(margins, metric),
                metrics.size(),
                0.95));
      }
    }
    if (floors.keySet().stream().noneMatch(metric -> metric.name().equals(Metric.THROUGHPUT))) {
      throw BadDataException.of(
          "Fewer than 3 pairs of %s are valid, which gives no noise floor; calibrate again.",
          run.folder().path().getFileName());
    }
    return new Calibration(run, margins, floors);
  }

  /** The treatment, and the same once more, in one block. */
  private record Pair(String block, double first, double second) {}

  private static List<Pair> pairs(RunRecord run, NamedMetric metric) {
    TreatmentTrials trials = new TreatmentTrials(run);
    List<Map<String, Double>> both =
        CalibrationPlan.BOTH.stream()
            .map(levels -> trials.values(levels, metric.name()).replicates())
            .toList();
    List<Pair> pairs = new ArrayList<>();
    both.get(0)
        .forEach(
            (block, first) ->
                Optional.ofNullable(both.get(1).get(block))
                    .ifPresent(second -> pairs.add(new Pair(block, first, second))));
    return pairs;
  }

  private static GateRule rule(Margins margins, NamedMetric metric) {
    return new GateRule(GateRule.DEFAULT.level(), margins.of(metric), metric.better());
  }

  /** The newest one in a folder of runs that was made in an environment like this. */
  public static Optional<Calibration> latest(Path runs, Environment environment) {
    List<RunFolder> folders = new ArrayList<>(RunFolder.all(runs));
    Collections.reverse(folders);
    return folders.stream()
        .filter(folder -> folder.plan().name().equals(CalibrationPlan.NAME))
        .flatMap(folder -> usable(folder, environment).stream())
        .findFirst();
  }

  private static Optional<Calibration> usable(RunFolder folder, Environment environment) {
    try {
      RunRecord run = RunRecord.load(folder);
      return run.environment().differences(environment).isEmpty()
          ? Optional.of(of(run, Margins.DEFAULT))
          : Optional.empty();
    } catch (BadDataException | RunException unfinished) {
      return Optional.empty();
    }
  }

  /** What was found of a metric; empty without such figures. */
  Optional<NoiseFloor> floor(String metric) {
    return floors.entrySet().stream()
        .filter(floor -> floor.getKey().name().equals(metric))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /**
   * The page that shows it.
   *
   * @param command as typed, to calibrate again
   */
  public Page page(String command) {
    List<Finding> answer = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    figures.add(table().figure("With 95 % intervals", new ArrayList<>(floors.entrySet())));
    floors.forEach(
        (metric, floor) -> {
          answer.add(floor.finding().under(metric.title()));
          figures.add(
              new MetricTable<Pair>()
                  .text("block", Pair::block)
                  .formatted("A", pair -> Numbers.shorten(pair.first(), 4))
                  .formatted("A again", pair -> Numbers.shorten(pair.second(), 4))
                  .formatted("change", pair -> Figures.change(pair.second() / pair.first()))
                  .figure(
                      "The pairs: %s in %s".formatted(metric.label(), metric.unit()),
                      pairs(run, metric)));
        });
    answer.add(
        Finding.info(
            Finding.Kind.COMPARISON,
            "These are the numbers of blocks for 'pyrometer compare --interleave' with one treatment; more treatments share the level of the gate and take more. The smallest relevant difference is for you to set (--delta) and does not follow from the noise.",
            "Another calibration, with more blocks or on a quieter machine."));
    return new Page(
        CalibrationPlan.NAME,
        run.plan().question(),
        "%s, %s, %s · %s"
            .formatted(
                run.plan().products(),
                run.environment().cpu(),
                Figures.count(run.environment().cores(), "core"),
                run.folder().path().getFileName()),
        answer,
        List.of(
            new Section(
                "noise",
                "Noise",
                "The same treatment twice in each block, each time with fresh processes. Numbers of blocks are those at the upper limit of the noise.",
                figures)),
        List.of(new Page.Command("Calibrate again", command)));
  }

  private MetricTable<Map.Entry<NamedMetric, NoiseFloor>> table() {
    return new MetricTable<Map.Entry<NamedMetric, NoiseFloor>>()
        .text("metric", each -> each.getKey().label())
        .formatted("noise of a trial", each -> Numbers.percent(each.getValue().noise().value()))
        .formatted(
            "95 %",
            each ->
                "[%s, %s]"
                    .formatted(
                        Numbers.percent(each.getValue().noise().low()),
                        Numbers.percent(each.getValue().noise().high())))
        .formatted(
            "finds a loss of",
            each -> blocks(rule(margins, each.getKey()).toFind(), each.getValue().blocksToFind()))
        .formatted(
            "excludes a loss of",
            each ->
                blocks(rule(margins, each.getKey()).margin(), each.getValue().blocksToExclude()))
        .formatted("A again/A", each -> Numbers.ratio(each.getValue().bias()));
  }

  private static String blocks(double loss, OptionalInt blocks) {
    return "%s: %s".formatted(Figures.percent(loss), NoiseFloor.blocks(blocks));
  }
}
