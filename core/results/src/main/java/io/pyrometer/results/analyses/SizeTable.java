package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Throughput in total, for each node and for each client, at each number of them. */
final class SizeTable {
  private SizeTable() {}

  private record Size(long nodes, long clients) {}

  static Section of(List<TrialRecord> trials) {
    Comparator<Size> order = Comparator.comparingLong(Size::nodes);
    Map<Size, List<Double>> bySize = new TreeMap<>(order.thenComparingLong(Size::clients));
    for (TrialRecord trial : trials) {
      Size size = new Size(Count.NODES.of(trial.settings()), Count.CLIENTS.of(trial.settings()));
      bySize.computeIfAbsent(size, s -> new ArrayList<>()).add(trial.throughput().orElseThrow());
    }
    List<List<String>> rows = new ArrayList<>();
    bySize.forEach((size, values) -> rows.add(row(size, values)));
    return new Section(
        "sizes",
        "Total, by node, by client",
        "All fits are of the total. A share for each node or client falls even where the total"
            + " grows; it is no throughput of the cluster.",
        List.of(
            Figure.of(
                "Records a second, geometric mean over the blocks; clients are load threads",
                Table.of(
                        List.of(
                            "nodes",
                            "clients",
                            "total",
                            "95 %",
                            "for each node",
                            "for each client"),
                        0,
                        rows)
                    .withAbsent(
                        "no interval: it needs two blocks; an attached grid's servers are not counted"))));
  }

  private static List<String> row(Size size, List<Double> values) {
    Estimate total =
        Means.geometric(
            values.stream().mapToDouble(Double::doubleValue).toArray(), Rankings.UNIT, 0.95);
    return List.of(
        size.nodes() == 0 ? Table.ABSENT : String.valueOf(size.nodes()),
        String.valueOf(size.clients()),
        Numbers.whole(total.value()),
        Numbers.interval(total),
        size.nodes() == 0 ? Table.ABSENT : Numbers.whole(total.value() / size.nodes()),
        Numbers.whole(total.value() / size.clients()));
  }
}
