package io.pyrometer.results.capacity;

import io.pyrometer.analysis.capacity.ServiceModel;
import io.pyrometer.analysis.capacity.ServiceModel.Answer;
import io.pyrometer.analysis.capacity.ServiceModel.Cell;
import io.pyrometer.analysis.capacity.ServiceModel.Percentile;
import io.pyrometer.analysis.capacity.Testbed;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.ranking.OfferedRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The model checked against measurements that it was not fitted to: each cell (a number of servers,
 * of clients, and a rate) is left out in all blocks, predicted from all others on the machine of
 * the run, and compared with what was measured there.
 */
record CrossValidation(List<Check> checks) {
  /** The error of throughput up to which a cell counts as predicted. */
  static final double THROUGHPUT = 0.15;

  private static final double COVERED = 0.95;

  /** The error of p99 up to which a cell counts as predicted. */
  static final double P99 = 0.30;

  /**
   * One cell that was left out.
   *
   * @param throughputRatio predicted to measured; empty in an open loop, whose rate is given
   * @param p99Ratio predicted to measured; empty above 80 % of the CPUs or with too few calls
   * @param utilisation predicted, of the machine's CPUs
   */
  record Check(
      String path,
      String cell,
      double measured,
      Optional<Double> throughputRatio,
      Optional<Double> p99Ratio,
      double utilisation) {
    boolean throughputHolds() {
      return throughputRatio.filter(ratio -> Math.abs(ratio - 1) <= THROUGHPUT).isPresent();
    }

    boolean p99Holds() {
      return p99Ratio.filter(ratio -> Math.abs(ratio - 1) <= P99).isPresent();
    }

    boolean holds() {
      return (throughputRatio.isEmpty() || throughputHolds()) && (p99Ratio.isEmpty() || p99Holds());
    }
  }

  static CrossValidation of(List<MeasuredPath> paths) {
    List<Check> checks = new ArrayList<>();
    for (MeasuredPath path : paths) {
      Map<String, List<TrialDemands>> cells = path.cells();
      if (cells.size() >= 3) {
        cells.forEach((name, left) -> checks.add(check(path, name, left)));
      }
    }
    return new CrossValidation(checks);
  }

  private static Check check(MeasuredPath path, String name, List<TrialDemands> left) {
    List<TrialDemands> others = new ArrayList<>(path.demands());
    others.removeAll(left);
    ServiceModel model = path.model(others);
    Testbed machine = path.testbed();
    Cell cell = left.get(0).cell();
    double rate = OfferedRate.of(left.get(0).trial());
    boolean open = cell.clients() == 0;
    Answer answer =
        open
            ? model.open(cell.servers(), cell.backups(), rate, machine)
            : model.closed(cell.servers(), cell.backups(), cell.clients(), machine);
    double measured = geometric(left.stream().map(d -> d.cell().callsPerSecond()).toList());
    List<Double> p99 = left.stream().flatMap(d -> d.cell().p99Seconds().stream()).toList();
    Optional<Double> p99Ratio =
        answer.utilisation() >= ServiceModel.HIGHEST_UTILISATION || p99.isEmpty()
            ? Optional.empty()
            : model
                .percentile(Percentile.P99, cell.servers(), open, answer, machine)
                .map(seconds -> seconds / geometric(p99));
    return new Check(
        path.label(),
        name,
        measured,
        open ? Optional.empty() : Optional.of(answer.callsPerSecond() / measured),
        p99Ratio,
        Math.min(1, answer.utilisation()));
  }

  private static double geometric(List<Double> values) {
    return Math.exp(
        values.stream().mapToDouble(v -> Math.log(Math.max(v, 1e-12))).average().orElse(0));
  }

  private long ofThroughput() {
    return checks.stream().filter(c -> c.throughputRatio.isPresent()).count();
  }

  private long ofP99() {
    return checks.stream().filter(c -> c.p99Ratio.isPresent()).count();
  }

  /** One sentence on how well the model predicts what it was not fitted to. */
  String sentence() {
    if (checks.isEmpty()) {
      return "The run has too few cells to leave some out, so the model is not checked: vary the nodes, the threads or the rate.";
    }
    String throughput =
        ofThroughput() == 0
            ? "no throughput of a closed loop could be checked"
            : "throughput of closed loops predicted within %.0f %% in %d of %d"
                .formatted(
                    THROUGHPUT * 100,
                    checks.stream().filter(Check::throughputHolds).count(),
                    ofThroughput());
    String p99 =
        ofP99() == 0
            ? "no p99 could be checked"
            : "p99 within %.0f %% in %d of %d below 80 %% of the CPUs"
                .formatted(P99 * 100, checks.stream().filter(Check::p99Holds).count(), ofP99());
    return "Checked by leaving out each of %d cells: %s, %s."
        .formatted(checks.size(), throughput, p99);
  }

  /**
   * The factor by which throughput was off in the cells that were left out, as intervals hold it.
   */
  double throughputError() {
    return error(Check::throughputRatio);
  }

  /** The same of p99. */
  double p99Error() {
    return error(Check::p99Ratio);
  }

  /** Not exceeded in 19 of 20 cells, of fewer the largest; 1 where nothing could be checked. */
  private double error(Function<Check, Optional<Double>> ratio) {
    double[] logs =
        checks.stream()
            .flatMap(check -> ratio.apply(check).stream())
            .mapToDouble(each -> Math.abs(Math.log(each)))
            .sorted()
            .toArray();
    return logs.length == 0 ? 1 : Math.exp(logs[(int) Math.ceil(COVERED * logs.length) - 1]);
  }

  /** Whether nine of ten cells are predicted. */
  boolean holds() {
    return !checks.isEmpty()
        && checks.stream().filter(Check::throughputHolds).count() >= 0.9 * ofThroughput()
        && checks.stream().filter(Check::p99Holds).count() >= 0.9 * ofP99();
  }

  /** Whether more cells refute the model than agree with it. */
  boolean refuted() {
    return 2 * checks.stream().filter(Check::holds).count() < checks.size();
  }

  Figure table() {
    return new MetricTable<Check>(
            "no throughput: the rate is given; no p99: above 80 % of the CPUs, or too few calls")
        .text("path", Check::path)
        .text("left out", Check::cell)
        .formatted("measured calls/s", check -> Numbers.whole(check.measured))
        .formatted("throughput off by", check -> error(check.throughputRatio))
        .formatted("p99 off by", check -> error(check.p99Ratio))
        .formatted("CPU predicted", check -> Numbers.percent(check.utilisation))
        .formatted("holds", check -> check.holds() ? "yes" : "no")
        .figure("Each cell predicted from all others, on the machine of the run", checks);
  }

  private static String error(Optional<Double> ratio) {
    return ratio.map(r -> Numbers.percent(r - 1)).orElse(Table.ABSENT);
  }
}
