package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The time to load all records once, and the memory that they then take. */
public final class LoadAnalysis extends WholeRunAnalysis {
  private static final double MIB = 1 << 20;

  public LoadAnalysis() {
    super("load", "time to load", "s");
  }

  @Override
  public boolean always(RunRecord run) {
    return run.counting().stream().anyMatch(LoadAnalysis::loads);
  }

  private static boolean loads(TrialRecord trial) {
    return CoreSettings.loadsOnce(trial.settings());
  }

  @Override
  StudyResult analyze(RunRecord run) {
    Tabulation all =
        new Tabulation(
            run,
            TreatmentRow.valid(run, LoadAnalysis::loads),
            "No valid trial loads its records once; set 'keys: once' for paths that write.");
    all.compare(
        "the time to load",
        new NamedMetric(Metric.LOADED, "s", Direction.LOWER),
        trial -> trial.value(Metric.LOADED));
    all.compare(
        "the CPU time of a record",
        new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
        trial -> trial.value(Metric.CPU));
    all.show(
        "One row per treatment: means of the blocks",
        all.table(
                "not known: pages of an earlier trial are used again, or the product does not tell")
            .formatted("records", row -> Numbers.whole(records(row.trial())))
            .estimate("time [s]", row -> row.geometricMean(Metric.LOADED))
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("CPU [µs/record]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B/record, all copies]", row -> row.geometricMean(Metric.MEMORY))
            .estimate("off-heap, all servers [MiB]", row -> row.geometricMean(total(Metric.MEMORY)))
            .estimate(
                "on-heap, all servers [MiB]", row -> row.geometricMean(total(Metric.HEAP_MEMORY))));
    StudyResult result =
        all.result(
            "load",
            "Loading all records once",
            "Time from the first write to the last acknowledgement, with the last flush. Memory is what the records take on all servers with all copies: off-heap with indexes; on-heap what a collection leaves. The rate over time is below.",
            "Other numbers of records: indexes, checkpoints and collections grow with them.");
    List<Finding> findings = new ArrayList<>(result.findings());
    memory(all.rows()).ifPresent(findings::add);
    return StudyResult.of(findings, result.sections().get(0));
  }

  private static double records(TrialRecord trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  /** On all servers with all copies, MiB. */
  private static Function<TrialRecord, Optional<Double>> total(String perRecord) {
    return trial -> trial.value(perRecord).map(one -> one * records(trial) / MIB);
  }

  /** What the servers hold at the end of a load, from the least to the most of the treatments. */
  private static Optional<Finding> memory(List<TreatmentRow> rows) {
    List<String> parts = new ArrayList<>();
    range(rows, total(Metric.MEMORY))
        .ifPresent(
            all ->
                parts.add(
                    "%s MiB off-heap (%s B per record, all copies)"
                        .formatted(
                            all, range(rows, trial -> trial.value(Metric.MEMORY)).orElseThrow())));
    range(rows, total(Metric.HEAP_MEMORY)).ifPresent(all -> parts.add(all + " MiB of heap"));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.info(
                Finding.Kind.ESTIMATE,
                "At the end the records take %s on all servers together%s."
                    .formatted(Phrases.and(parts), onEach(rows)),
                "Other records, numbers of copies or indexes."));
  }

  /** The share of one server, where all treatments have as many. */
  private static String onEach(List<TreatmentRow> rows) {
    List<Integer> servers =
        rows.stream()
            .map(row -> row.trial().settings().find(CoreSettings.NODES).orElse(0))
            .distinct()
            .toList();
    int each = servers.size() == 1 ? servers.get(0) : 0;
    return each < 2
        ? ""
        : range(rows, total(Metric.MEMORY).andThen(all -> all.map(mib -> mib / each)))
            .map(mib -> ", on average %s MiB off-heap on each of %d".formatted(mib, each))
            .orElse("");
  }

  private static Optional<String> range(
      List<TreatmentRow> rows, Function<TrialRecord, Optional<Double>> value) {
    DoubleSummaryStatistics means =
        rows.stream()
            .flatMap(row -> row.geometricMean(value).stream())
            .mapToDouble(Estimate::value)
            .summaryStatistics();
    if (means.getCount() == 0) {
      return Optional.empty();
    }
    String least = figure(means.getMin());
    String most = figure(means.getMax());
    return Optional.of(least.equals(most) ? least : least + " to " + most);
  }

  /** Whole from ten on: 1.4 k MiB would hide what fits into a region. */
  private static String figure(double value) {
    return value < 10 ? Numbers.shorten(value) : Numbers.whole(value);
  }
}
