package io.pyrometer.results;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * How reports present the trials of a kind that a plugin adds, found by {@link ServiceLoader}; see
 * {@link io.pyrometer.experiment.model.TrialKind}.
 */
public interface KindReport {

  /**
   * Those of all plugins, in a class of its own: an implementation that another thread initializes
   * first would wait for this interface, and this for it.
   */
  final class Loaded {
    private static final List<KindReport> ALL =
        ServiceLoader.load(KindReport.class).stream().map(ServiceLoader.Provider::get).toList();

    private Loaded() {}
  }

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
    return trial.label();
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

  /** Why the steady state of trials is not judged; empty where it is. */
  default Optional<Finding> steadinessNotJudged() {
    return Optional.empty();
  }

  /** The report of a job's kind; empty for load trials, and for a kind whose plugin is absent. */
  static Optional<KindReport> of(Job job) {
    return Loaded.ALL.stream().filter(kind -> kind.job() == job).findFirst();
  }

  /** What separates a job's trials into rankings; empty for one ranking. */
  static String partOf(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.rankedUnder(trial)).orElse("");
  }

  /** Whether throughput is what a trial is compared by. */
  static boolean isRankedByThroughput(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.rankedByThroughput(trial)).orElse(true);
  }

  /** A trial's treatment in a ranking. */
  static String labelOf(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.label(trial)).orElseGet(trial::label);
  }

  /** Whether trials of a job record latencies at all. */
  static boolean recordsLatency(Job job) {
    return of(job).map(KindReport::recordsLatency).orElse(true);
  }
}
