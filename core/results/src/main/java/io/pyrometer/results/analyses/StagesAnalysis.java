package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Stages;
import io.pyrometer.protocol.Stages.Stage;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Latency in each stage of the offered rate. */
public final class StagesAnalysis extends WholeRunAnalysis {

  /** A percentile needs ten calls beyond it. */
  private static final int CALLS_BEYOND = 10;

  /** A stage that completes less than this share of its calls is overloaded. */
  private static final double COMPLETED = 0.98;

  public StagesAnalysis() {
    super("stages", "latency by stage", "ms");
  }

  @Override
  public boolean always(RunRecord run) {
    return run.counting().stream().anyMatch(trial -> stages(trial).isPresent());
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> each.settings().has(CoreSettings.STAGES),
        "'stages' needs stages of the rate, and no treatment has them; give 'stages' in the workload or remove it.");
  }

  /**
   * One operation in one stage of a treatment, over all of its blocks.
   *
   * @param from begin of the stage, seconds since that of the measured part
   * @param blocks the calls that ended in the stage, one histogram a block
   * @param callsOfAll calls of all operations that ended in the stage, in all blocks
   */
  private record Row(
      String treatment,
      Stage stage,
      double from,
      String operation,
      List<Histogram> blocks,
      long callsOfAll) {
    /** In milliseconds; empty unless every block has enough calls. */
    Optional<Estimate> percentile(double percent) {
      double[] values =
          blocks.stream()
              .filter(block -> block.getTotalCount() * (1 - percent / 100) >= CALLS_BEYOND)
              .mapToDouble(block -> block.getValueAtPercentile(percent) / 1e6)
              .toArray();
      return values.length < blocks.size()
          ? Optional.empty()
          : Optional.of(Means.geometric(values, "ms"));
    }

    double completed() {
      return callsOfAll / (stage.calls() * blocks.size());
    }

    String rate() {
      return stage.ramps()
          ? "%s → %s/s".formatted(Numbers.shorten(stage.from()), Numbers.shorten(stage.to()))
          : Numbers.shorten(stage.from()) + "/s";
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<Row> rows = new ArrayList<>();
    for (TreatmentRow treatment : TreatmentRow.valid(run, trial -> stages(trial).isPresent())) {
      rows.addAll(rows(run, treatment));
    }
    if (rows.isEmpty()) {
      throw new NoResult("stages.no-trial");
    }
    MetricTable<Row> table =
        new MetricTable<Row>("too few calls for this percentile: ten must lie beyond it")
            .text("treatment", Row::treatment)
            .text("offered", Row::rate)
            .formatted(
                "from [s]", row -> Numbers.shorten(row.from) + "–" + Numbers.shorten(end(row)))
            .text("operation", Row::operation)
            .count("calls", row -> row.blocks.stream().mapToLong(Histogram::getTotalCount).sum())
            .formatted("completed [%]", row -> Numbers.shorten(100 * row.completed()))
            .estimate("p50 [ms]", row -> row.percentile(50))
            .estimate("p99 [ms]", row -> row.percentile(99));
    return StudyResult.of(
        findings(rows),
        Section.of(
            "stages",
            "Latency by stage of the rate",
            "Calls that ended in each stage, from their intended start. Completed: calls of all operations that ended in the stage, of those that it offered; what is missing waits for the next stage. Intervals over blocks at 95 %.",
            table.figure("One row per treatment, stage and operation", rows)));
  }

  private static double end(Row row) {
    return row.from + row.stage.seconds();
  }

  private static Optional<Stages> stages(TrialRecord trial) {
    return trial.settings().find(CoreSettings.STAGES);
  }

  /** The histograms of each stage and operation; an interval belongs where its middle lies. */
  private static List<Row> rows(RunRecord run, TreatmentRow treatment) {
    List<Latencies> blocks = new ArrayList<>();
    for (TrialRecord trial : treatment.trials()) {
      Path log = run.folder().histogram(trial.id(), trial.attempt());
      if (Files.exists(log)) {
        blocks.add(Latencies.read(log));
      }
    }
    List<Row> rows = new ArrayList<>();
    double from = 0;
    for (Stage stage : stages(treatment.trial()).orElseThrow().stages()) {
      double begin = from;
      List<Map<String, Histogram>> parts =
          blocks.stream().map(each -> each.between(begin, begin + stage.seconds())).toList();
      long all =
          parts.stream()
              .flatMap(part -> part.values().stream())
              .mapToLong(Histogram::getTotalCount)
              .sum();
      parts.stream()
          .flatMap(part -> part.keySet().stream())
          .distinct()
          .sorted()
          .forEach(
              operation -> {
                List<Histogram> of =
                    parts.stream()
                        .map(part -> part.getOrDefault(operation, new Histogram(3)))
                        .toList();
                rows.add(new Row(treatment.label(), stage, begin, operation, of, all));
              });
      from += stage.seconds();
    }
    return rows;
  }

  /** For each treatment and operation the stage of the highest p99, overloaded or not. */
  private static List<Finding> findings(List<Row> rows) {
    List<Finding> findings = new ArrayList<>();
    rows.stream()
        .filter(row -> row.percentile(99).isPresent())
        .collect(ListsByKey.by(row -> List.of(row.treatment, row.operation)))
        .values()
        .forEach(
            stages -> {
              Row highest =
                  Collections.max(stages, Comparator.comparingDouble(r -> p99(r).value()));
              findings.add(
                  (highest.completed() < COMPLETED
                          ? Finding.warning("stages.overloaded")
                          : Finding.info("stages.highest"))
                      .with("treatment", Value.name(highest.treatment))
                      .with("operation", Value.name(highest.operation))
                      .with("rate", Value.name(highest.rate()))
                      .with("completed", Value.share(highest.completed()))
                      .with(
                          "first",
                          Optional.of(stages.get(0))
                              .filter(first -> !first.equals(highest))
                              .map(first -> Value.micros(1e3 * p99(first).value())))
                      .with("p99", p99(highest)));
            });
    return findings;
  }

  private static Estimate p99(Row row) {
    return row.percentile(99).orElseThrow();
  }
}
