package io.pyrometer.results.compare;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.TrialRecord;
import java.util.Optional;

/** What runs are compared on. */
enum Metric {
  THROUGHPUT("throughput", "records/s", Direction.HIGHER),
  /** Over all processes of the trial; on shared machines steadier than the clock. */
  CPU("CPU time per record", "µs", Direction.LOWER);

  private final String label;
  private final String unit;
  private final Direction better;

  Metric(String label, String unit, Direction better) {
    this.label = label;
    this.unit = unit;
    this.better = better;
  }

  String label() {
    return label;
  }

  String unit() {
    return unit;
  }

  Direction better() {
    return better;
  }

  /** Above 0, or empty. */
  Optional<Double> of(TrialRecord trial) {
    Optional<Double> value =
        this == THROUGHPUT ? trial.throughput() : trial.value(io.pyrometer.journal.Metric.CPU);
    return value.filter(v -> v > 0);
  }
}
