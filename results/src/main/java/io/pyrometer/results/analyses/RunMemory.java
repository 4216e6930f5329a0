package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The resident memory of a server of each product, in runs that compare products. */
final class RunMemory {
  private static final String SERVER = Metric.RESIDENT_BYTES_OF + "node-";
  private static final double MEBIBYTE = 1 << 20;

  private RunMemory() {}

  /** One analysis of the whole run; none unless it has servers of two products or more. */
  static List<RunAnalysis> of(RunRecord run) {
    Map<String, Map<Integer, Double>> byProduct = new TreeMap<>();
    for (TrialRecord trial : run.counting()) {
      server(trial)
          .ifPresent(
              bytes ->
                  byProduct
                      .computeIfAbsent(product(trial), name -> new TreeMap<>())
                      .merge(trial.block(), bytes, Math::max));
    }
    if (byProduct.size() < 2) {
      return List.of();
    }
    List<List<String>> rows = new ArrayList<>();
    byProduct.forEach((product, blocks) -> rows.add(row(product, blocks)));
    Section section =
        new Section(
            "servers",
            "Memory of a server",
            "Resident memory as the operating system counts it, mean of the servers, the most"
                + " after any trial of a block. It includes the heap, of which a JVM keeps what it"
                + " once took, and what earlier trials of the block left: it says what a server"
                + " needs here, not what a record takes.",
            List.of(
                Exhibit.of(
                    "MiB, mean of the blocks",
                    Table.of(List.of("product", "resident", "95 %", "blocks"), 1, rows)
                        .withAbsent("no interval: it needs two blocks"))));
    return List.of(
        new RunAnalysis(
            RunAnalyses.MEMORY,
            "",
            "Memory of a server",
            "MiB",
            false,
            new StudyResult("", List.of(), List.of(section), List.of())));
  }

  private static String product(TrialRecord trial) {
    return trial.settings().find(CoreSettings.DRIVER).orElse("");
  }

  private static OptionalDouble server(TrialRecord trial) {
    return trial.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith(SERVER))
        .mapToDouble(metric -> metric.getValue().value())
        .average();
  }

  private static List<String> row(String product, Map<Integer, Double> blocks) {
    Estimate resident =
        Means.arithmetic(
            blocks.values().stream().mapToDouble(bytes -> bytes / MEBIBYTE).toArray(), "MiB", 0.95);
    return List.of(
        product,
        Numbers.whole(resident.value()),
        Numbers.interval(resident),
        String.valueOf(blocks.size()));
  }
}
