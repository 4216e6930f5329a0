package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What servers of each product need, in runs that compare products: memory and time to start. */
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
    List<Row> rows = rows(run);
    if (rows.isEmpty()) {
      return List.of();
    }
    MetricTable<Row> table =
        new MetricTable<Row>("no interval: it needs two blocks")
            .text("product", Row::product)
            .estimate("resident [MiB]", Row::memory)
            .estimate("start of all servers [s]", Row::start)
            .count("blocks", Row::blocks);
    Section section =
        Section.of(
            "servers",
            "Memory and start of servers",
            "Resident memory as the operating system counts it: mean of the servers, the most after any trial of a block. It includes the heap, which a JVM does not return. Start: from the start of the processes until the grid has formed; all servers start at once.",
            table.figure("Means of the blocks", rows));
    return List.of(
        new RunAnalysis(
            id(), "", section.title(), "MiB", false, StudyResult.of(List.of(), section)));
  }

  /** The servers of one product. */
  private record Row(
      String product, Optional<Estimate> memory, Optional<Estimate> start, long blocks) {
    double bytes() {
      return memory.orElseThrow().value() * MEBIBYTE;
    }
  }

  /** None unless there are servers of two products or more. */
  private static List<Row> rows(RunRecord run) {
    Map<String, List<TrialRecord>> byProduct =
        run.counting().stream()
            .collect(
                Collectors.groupingBy(
                    trial -> trial.settings().find(CoreSettings.DRIVER).orElse(""),
                    TreeMap::new,
                    Collectors.toList()));
    byProduct.values().removeIf(trials -> mean(trials, RunMemory::mebibytes).isEmpty());
    if (byProduct.size() < 2) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    byProduct.forEach(
        (product, trials) ->
            rows.add(
                new Row(
                    product,
                    mean(trials, RunMemory::mebibytes),
                    mean(trials, trial -> trial.value(Metric.SERVERS_START)),
                    trials.stream().map(TrialRecord::block).distinct().count())));
    return rows;
  }

  /** The products with the least and the most memory of a server. */
  public static Optional<Finding> finding(RunRecord run) {
    List<Row> rows = rows(run).stream().sorted(Comparator.comparingDouble(Row::bytes)).toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Row least = rows.get(0);
    Row most = rows.get(rows.size() - 1);
    return Optional.of(
        Finding.info("memory.resident")
            .with("least", Value.name(least.product()))
            .with("bytes", Value.bytes(least.bytes()))
            .with("most", Value.name(most.product()))
            .with("bytes of the most", Value.bytes(most.bytes())));
  }

  /** The mean of the servers. */
  private static Optional<Double> mebibytes(TrialRecord trial) {
    return trial.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith(SERVER))
        .mapToDouble(metric -> metric.getValue().value() / MEBIBYTE)
        .average()
        .stream()
        .boxed()
        .findFirst();
  }

  /** Of the largest value in each block. */
  private static Optional<Estimate> mean(
      List<TrialRecord> trials, Function<TrialRecord, Optional<Double>> value) {
    Map<Integer, Double> blocks = new TreeMap<>();
    trials.forEach(
        t -> value.apply(t).ifPresent(found -> blocks.merge(t.block(), found, Math::max)));
    return Means.arithmetic(blocks.values().stream().mapToDouble(Double::doubleValue), "");
  }
}
