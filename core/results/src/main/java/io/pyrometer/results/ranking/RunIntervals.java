package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import java.util.Optional;

/**
 * The intervals of a run's estimates. They are of 95 %, or of what the run's stopping rule
 * promises. A run that stopped before its cap chose its stop for the narrowness of its intervals,
 * so that they are computed at the rule's adjusted confidence and cover what is printed.
 *
 * @param rule of an adaptive run; empty where the number of blocks was fixed
 * @param starts which trials share a start of processes, and with it a part of their error
 */
record RunIntervals(Optional<StoppingRule> rule, ProcessStarts starts) {
  private static final double USUAL = 0.95;

  static RunIntervals of(RunRecord run) {
    return new RunIntervals(run.plan().stopping(), ProcessStarts.of(run.counting()));
  }

  double promised() {
    return rule.map(StoppingRule::confidence).orElse(USUAL);
  }

  /** Confidence that an interval over so many blocks is computed at. */
  double computed(int blocks) {
    return rule.map(r -> r.confidenceAt(blocks)).orElse(USUAL);
  }

  /** The geometric mean of one value a block. */
  Estimate geometric(double[] values, String unit) {
    return promised(Means.geometric(values, unit, computed(values.length)));
  }

  /** An estimate computed at {@link #computed}, as it is printed. */
  Estimate promised(Estimate estimate) {
    return estimate.hasInterval()
        ? new Estimate(
            estimate.value(),
            estimate.low(),
            estimate.high(),
            promised(),
            estimate.replicates(),
            estimate.unit())
        : estimate;
  }
}
