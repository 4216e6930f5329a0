package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Figure;
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

/**
 * What servers of each product need to be there, in runs that compare products: memory and time.
 */
final class RunMemory {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "memory";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunMemory.of(run);
    }

    @Override
    public boolean always(RunRecord run) {
      return true;
    }
  }

  private static final String SERVER = Metric.RESIDENT_BYTES_OF + "node-";
  private static final double MEBIBYTE = 1 << 20;

  private RunMemory() {}

  /** One analysis of the whole run; none unless it has servers of two products or more. */
  static List<RunAnalysis> of(RunRecord run) {
    Map<String, Map<Integer, Double>> byProduct = new TreeMap<>();
    Map<String, Map<Integer, Double>> starts = new TreeMap<>();
    for (TrialRecord trial : run.counting()) {
      server(trial).ifPresent(bytes -> most(byProduct, trial, bytes));
      trial.value(Metric.SERVERS_START).ifPresent(seconds -> most(starts, trial, seconds));
    }
    if (byProduct.size() < 2) {
      return List.of();
    }
    List<List<String>> rows = new ArrayList<>();
    byProduct.forEach(
        (product, blocks) ->
            rows.add(row(product, blocks, starts.getOrDefault(product, Map.of()))));
    Section section =
        new Section(
            "servers",
            "Memory and start of servers",
            "Resident memory as the operating system counts it, mean of the servers, the most"
                + " after any trial of a block. It includes the heap, of which a JVM keeps what it"
                + " once took, and what earlier trials of the block left: it says what a server"
                + " needs here, not what a record takes. Start: from the start of the processes until the"
                + " servers have formed their grid; all start at once and share the machine.",
            List.of(
                Figure.of(
                    "Means of the blocks",
                    Table.of(
                            List.of(
                                "product",
                                "resident [MiB]",
                                "95 %",
                                "start of all servers [s]",
                                "95 %",
                                "blocks"),
                            1,
                            rows)
                        .withAbsent(
                            "no interval: it needs two blocks; no start: an older version made the run"))));
    return List.of(
        new RunAnalysis(
            "memory",
            "",
            "Memory and start of servers",
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

  private static void most(
      Map<String, Map<Integer, Double>> byProduct, TrialRecord trial, double value) {
    byProduct
        .computeIfAbsent(product(trial), name -> new TreeMap<>())
        .merge(trial.block(), value, Math::max);
  }

  private static List<String> row(
      String product, Map<Integer, Double> bytes, Map<Integer, Double> starts) {
    Estimate resident = mean(bytes, 1 / MEBIBYTE, "MiB");
    List<String> row =
        new ArrayList<>(
            List.of(product, Numbers.whole(resident.value()), Numbers.interval(resident)));
    if (starts.isEmpty()) {
      row.addAll(List.of(Table.ABSENT, Table.ABSENT));
    } else {
      Estimate start = mean(starts, 1, "s");
      row.addAll(List.of(Numbers.shorten(start.value()), Numbers.interval(start)));
    }
    row.add(String.valueOf(bytes.size()));
    return row;
  }

  private static Estimate mean(Map<Integer, Double> blocks, double factor, String unit) {
    return Means.arithmetic(
        blocks.values().stream().mapToDouble(value -> value * factor).toArray(), unit, 0.95);
  }
}
