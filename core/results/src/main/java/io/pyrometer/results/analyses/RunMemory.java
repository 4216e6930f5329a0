package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Memory and time to start of the servers of each product, in runs that compare products. */
public final class RunMemory implements Analysis {
  private static final String SERVER = Metric.RESIDENT_BYTES_OF + "node-";
  private static final double MEBIBYTE = 1 << 20;

  @Override
  public String id() {
    return "memory";
  }

  @Override
  public boolean always(RunRecord run) {
    return true;
  }

  /** One analysis of the whole run; none unless it has servers of two products or more. */
  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<TreatmentRow> rows = rows(run);
    if (rows.isEmpty()) {
      return List.of();
    }
    Section section =
        Section.of(
            "servers",
            "Memory and start of servers",
            "Resident memory as the operating system counts it: mean of the servers, the most after any trial of a block. It includes the heap, which a JVM does not return. Start: from the start of the processes until the grid has formed; all servers start at once.",
            new MetricTable<TreatmentRow>("not recorded")
                .text("product", TreatmentRow::label)
                .estimate("resident [MiB]", row -> mean(row, RunMemory::mebibytes))
                .estimate(
                    "start of all servers [s]",
                    row -> mean(row, trial -> trial.value(Metric.SERVERS_START)))
                .count(
                    "blocks", row -> row.trials().stream().map(t -> t.block()).distinct().count())
                .figure("Means of the blocks", rows));
    return List.of(
        new RunAnalysis(
            id(), "", section.title(), "MiB", false, StudyResult.of(List.of(), section)));
  }

  /** By product, the one with the least memory first; none unless there are two or more. */
  private static List<TreatmentRow> rows(RunRecord run) {
    List<TreatmentRow> rows =
        TreatmentRow.of(
                run.counting(),
                trial -> trial.settings().find(CoreSettings.DRIVER).orElse(""),
                List.of())
            .stream()
            .filter(row -> mean(row, RunMemory::mebibytes).isPresent())
            .sorted(Comparator.comparingDouble(RunMemory::bytes))
            .toList();
    return rows.size() < 2 ? List.of() : rows;
  }

  private static double bytes(TreatmentRow row) {
    return mean(row, RunMemory::mebibytes).orElseThrow().value() * MEBIBYTE;
  }

  /** The products with the least and the most memory of a server. */
  public static Optional<Finding> finding(RunRecord run) {
    List<TreatmentRow> rows = rows(run);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    TreatmentRow least = rows.get(0);
    TreatmentRow most = rows.get(rows.size() - 1);
    return Optional.of(
        Finding.info("memory.resident")
            .with("least", Value.name(least.label()))
            .with("bytes", Value.bytes(bytes(least)))
            .with("most", Value.name(most.label()))
            .with("bytes of the most", Value.bytes(bytes(most))));
  }

  /** The mean of the servers. */
  private static Optional<Double> mebibytes(TrialRecord trial) {
    return Means.arithmetic(
            trial.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().startsWith(SERVER))
                .mapToDouble(metric -> metric.getValue().value() / MEBIBYTE),
            "")
        .map(Estimate::value);
  }

  /** The mean of the largest value in each block. */
  private static Optional<Estimate> mean(
      TreatmentRow row, Function<TrialRecord, Optional<Double>> value) {
    Map<Integer, Double> blocks = new TreeMap<>();
    row.trials()
        .forEach(t -> value.apply(t).ifPresent(found -> blocks.merge(t.block(), found, Math::max)));
    return Means.arithmetic(blocks.values().stream().mapToDouble(Double::doubleValue), "");
  }
}
