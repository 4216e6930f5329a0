package io.pyrometer.results;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import java.util.List;
import java.util.Optional;

/**
 * How reports present the trials of a kind that a plugin adds, found by {@link
 * java.util.ServiceLoader}; see {@link io.pyrometer.experiment.model.TrialKind}.
 */
public interface KindReport {

  /** The job of the kind's trials. */
  Job job();

  /** What a trial does, for a sentence: {@code run the benchmark}. */
  String verb();

  /** The heading of its rankings. */
  String title();

  /** What separates the trials into rankings, for a heading; empty for one ranking. */
  default String rankedUnder(TrialRecord trial) {
    return "";
  }

  /** Whether throughput is what a trial is compared by; otherwise an analysis of the kind ranks. */
  default boolean rankedByThroughput(TrialRecord trial) {
    return true;
  }

  /** A trial's treatment in a ranking. */
  default String label(TrialRecord trial) {
    return Labels.of(trial.levels(), trial.settings().get(CoreSettings.PATH));
  }

  /** What limits the comparison of a trial with one of the baseline. */
  default List<String> marks(TrialRecord trial, TrialRecord baseline) {
    return List.of();
  }

  /** Whether trials record latencies at all. */
  default boolean recordsLatency() {
    return true;
  }

  /** Why trials have no latencies by time, in one sentence; empty where they may have some. */
  default Optional<String> withoutLatencyOverTime() {
    return Optional.empty();
  }

  /** What is said of so many trials whose steady state is not judged; empty where it is. */
  default Optional<Finding> steadinessNotJudged(long trials) {
    return Optional.empty();
  }
}
