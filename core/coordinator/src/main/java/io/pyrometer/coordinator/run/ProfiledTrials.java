package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Runs every load treatment of the first block once more, under a profiler, where an analysis of
 * the experiment needs stacks. The measured trials come first, so that they are free of its
 * overhead; these do not count and have a journal of their own.
 */
final class ProfiledTrials {
  private static final String ID = "profile-";
  private static final double MAX_WARM_UP_SECONDS = 0.3;

  private final RunContext context;
  private final BiFunction<Cluster, TrialSpec, TrialRecord> trial;
  private final List<TrialRecord> made;

  /**
   * @param trial runs one attempt at a trial on a cluster
   */
  ProfiledTrials(RunContext context, BiFunction<Cluster, TrialSpec, TrialRecord> trial) {
    this.context = context;
    this.trial = trial;
    this.made = new ArrayList<>(context.folder().profiles());
  }

  /** The profiled trials of a group that were not made yet. */
  List<TrialSpec> due(Group group) {
    boolean wanted =
        group.block() == 0
            && context.plan().interleaving().isEmpty()
            && !context.plan().searching()
            && AnalysisDeclaration.needProfiles(context.plan().experiment().analyses());
    return !wanted
        ? List.of()
        : group.trials().stream()
            .filter(spec -> spec.job().isLoad())
            .map(ProfiledTrials::profiled)
            .filter(spec -> made.stream().noneMatch(record -> record.id().equals(spec.id())))
            .toList();
  }

  /** Makes them until one fails or the cluster is not whole any more: nothing depends on them. */
  void make(Cluster cluster, Group group) {
    List<TrialSpec> due = due(group);
    if (due.isEmpty()) {
      return;
    }
    try (Journal journal = Journal.open(context.folder().profileJournal())) {
      for (TrialSpec spec : due) {
        if (!cluster.isComplete()) {
          return;
        }
        TrialRecord record = trial.apply(cluster, spec);
        made.add(record);
        journal.append(record);
        if (record.outcome() == TrialRecord.Outcome.FAILED) {
          return;
        }
      }
    }
  }

  private static TrialSpec profiled(TrialSpec spec) {
    Settings settings = spec.settings();
    double warmUp = Math.min(MAX_WARM_UP_SECONDS, settings.get(CoreSettings.WARM_UP));
    double measure =
        Math.min(AnalysisDeclaration.PROFILE_SECONDS, settings.get(CoreSettings.MEASURE));
    return spec.as(
        ID + spec.id(),
        settings
            .with(CoreSettings.WARM_UP.name(), warmUp)
            .with(CoreSettings.MEASURE.name(), measure)
            .with(CoreSettings.TELEMETRY.name(), TelemetryKind.PROFILE.id()));
  }
}
