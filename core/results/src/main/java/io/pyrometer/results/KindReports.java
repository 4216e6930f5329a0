package io.pyrometer.results;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** How reports present each kind of trial. */
public final class KindReports {
  private static final List<KindReport> ALL =
      ServiceLoader.load(KindReport.class).stream().map(ServiceLoader.Provider::get).toList();

  private KindReports() {}

  /** The report of a job's kind; empty for load trials, and for a kind whose plugin is absent. */
  public static Optional<KindReport> of(Job job) {
    return ALL.stream().filter(kind -> kind.job() == job).findFirst();
  }

  /** What separates a job's trials into rankings; empty for one ranking. */
  public static String rankedUnder(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.rankedUnder(trial)).orElse("");
  }

  /** Whether throughput is what a trial is compared by. */
  public static boolean rankedByThroughput(TrialRecord trial) {
    return of(trial.job()).map(kind -> kind.rankedByThroughput(trial)).orElse(true);
  }

  /** A trial's treatment in a ranking. */
  public static String label(TrialRecord trial) {
    return of(trial.job())
        .map(kind -> kind.label(trial))
        .orElseGet(() -> Labels.of(trial.levels(), trial.settings().get(CoreSettings.PATH)));
  }

  /** Whether trials of a job record latencies at all. */
  public static boolean recordsLatency(Job job) {
    return of(job).map(KindReport::recordsLatency).orElse(true);
  }
}
