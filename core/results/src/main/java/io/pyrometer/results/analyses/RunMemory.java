package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/**
 * What servers of each product need to be there, in runs that compare products: memory and time.
 */
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
    Map<String, Map<Integer, Double>> byProduct = new TreeMap<>();
    Map<String, Map<Integer, Double>> starts = new TreeMap<>();
    for (TrialRecord trial : run.counting()) {
      server(trial).ifPresent(bytes -> most(byProduct, trial, bytes));
      trial.value(Metric.SERVERS_START).ifPresent(seconds -> most(starts, trial, seconds));
    }
    if (byProduct.size() < 2) {
      return List.of();
    }
    MetricTable<String> table =
        new MetricTable<String>(
                "no interval: it needs two blocks; no start: an older version made the run")
            .text("product", product -> product)
            .formatted("resident [MiB]", of -> value(mean(byProduct, of, MEBIBYTE), Numbers::whole))
            .formatted("95 %", of -> interval(mean(byProduct, of, MEBIBYTE)))
            .formatted(
                "start of all servers [s]", of -> value(mean(starts, of, 1), Numbers::shorten))
            .formatted("95 %", of -> interval(mean(starts, of, 1)))
            .count("blocks", product -> byProduct.getOrDefault(product, Map.of()).size());
    Section section =
        new Section(
            "servers",
            "Memory and start of servers",
            "Resident memory as the operating system counts it, mean of the servers, the most"
                + " after any trial of a block. It includes the heap, of which a JVM keeps what it"
                + " once took, and what earlier trials of the block left: it says what a server"
                + " needs here, not what a record takes. Start: from the start of the processes until the"
                + " servers have formed their grid; all start at once and share the machine.",
            List.of(table.figure("Means of the blocks", List.copyOf(byProduct.keySet()))));
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

  private static Optional<Estimate> mean(
      Map<String, Map<Integer, Double>> byProduct, String product, double unit) {
    double[] blocks =
        byProduct.getOrDefault(product, Map.of()).values().stream()
            .mapToDouble(value -> value / unit)
            .toArray();
    return blocks.length == 0 ? Optional.empty() : Optional.of(Means.arithmetic(blocks, "", 0.95));
  }

  private static String value(Optional<Estimate> mean, DoubleFunction<String> words) {
    return mean.map(found -> words.apply(found.value())).orElse(Table.ABSENT);
  }

  private static String interval(Optional<Estimate> mean) {
    return mean.map(Numbers::interval).orElse(Table.ABSENT);
  }
}
