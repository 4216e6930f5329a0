package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Finding;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * How reports present the trials of a kind that a plugin adds, found by {@link ServiceLoader}; see
 * {@link io.pyrometer.experiment.model.TrialKind}.
 */
public interface KindReport {

  /**
   * Reports of all plugins, in a class of its own: an implementation that another thread
   * initializes first would wait for this interface, and this for it.
   */
  final class Loaded {
    private static final List<KindReport> ALL =
        ServiceLoader.load(KindReport.class).stream().map(ServiceLoader.Provider::get).toList();

    private Loaded() {}
  }

  /** The job of the kind's trials. */
  Job job();

  /** The heading of its rankings. */
  String title();

  /** The heading of the ranking that a trial belongs to; empty for one ranking. */
  default String rankedUnder(TrialRecord trial) {
    return "";
  }

  /** Tells whether trials are compared by throughput; otherwise an analysis of the kind ranks. */
  default boolean rankedByThroughput(TrialRecord trial) {
    return true;
  }

  /** A trial's treatment in a ranking. */
  default String label(TrialRecord trial) {
    return trial.label();
  }

  /** Limits of the comparison of a trial with one of the baseline. */
  default List<String> marks(TrialRecord trial, TrialRecord baseline) {
    return List.of();
  }

  /** Tells whether trials record latencies by time. */
  default boolean recordsLatencyOverTime() {
    return true;
  }

  /** The reason why the steady state of trials is not judged; empty where it is. */
  default Optional<Finding> steadinessNotJudged() {
    return Optional.empty();
  }

  /** The report of a job's kind; empty for load trials, and for a kind whose plugin is absent. */
  static Optional<KindReport> of(Job job) {
    return Loaded.ALL.stream().filter(kind -> kind.job() == job).findFirst();
  }

  /** The heading of the ranking that a trial belongs to; empty for one ranking. */
  static String partOf(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.rankedUnder(trial)).orElse("");
  }

  /** A trial's treatment in a ranking. */
  static String labelOf(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.label(trial)).orElseGet(trial::label);
  }
}
