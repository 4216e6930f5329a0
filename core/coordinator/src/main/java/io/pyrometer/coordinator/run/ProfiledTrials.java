package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Examination;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Runs every load treatment of the first block once more: under a profiler, where an analysis of
 * the experiment needs stacks, and while the driver's checks examine the grid, where one needs that
 * or the run attaches to a grid of others. The measured trials come first, so that they are free of
 * the overhead of both; these do not count and have a journal of their own.
 */
final class ProfiledTrials {
  private static final String ID = "profile-";
  private static final double MAX_WARM_UP_SECONDS = 0.3;

  /** Two samples of the grid's metrics, and a margin. */
  private static final double LEAST_EXAMINED = 4;

  private final RunContext context;
  private final boolean profiling;
  private final BiFunction<Cluster, TrialSpec, TrialRecord> trial;
  private final List<TrialRecord> made;
  private final List<Examination> examinations;

  ProfiledTrials(RunContext context, BiFunction<Cluster, TrialSpec, TrialRecord> trial) {
    this.context = context;
    this.profiling =
        AnalysisDeclaration.need(
            context.plan().experiment().analyses(), AnalysisDeclaration::needsProfiles);
    this.trial = trial;
    this.made = new ArrayList<>(context.folder().profiles());
    this.examinations = new ArrayList<>(context.folder().examinations());
  }

  List<TrialSpec> due(Group group) {
    boolean wanted =
        group.block() == 0
            && context.plan().interleaving().isEmpty()
            && !context.plan().searching()
            && (profiling || examines(group));
    return !wanted
        ? List.of()
        : group.trials().stream()
            .filter(spec -> spec.job().isLoad())
            .map(this::brief)
            .filter(spec -> made.stream().noneMatch(record -> record.id().equals(spec.id())))
            .toList();
  }

  private boolean examines(Group group) {
    PlannedRun plan = context.plan();
    return plan.driver(group.settings()).capabilities().contains(DriverDescription.DOCTOR)
        && (plan.testbed().attach().isPresent()
            || AnalysisDeclaration.need(
                plan.experiment().analyses(), AnalysisDeclaration::needsExamination));
  }

  /** Makes them until one fails or the cluster is not whole any more: nothing depends on them. */
  void make(Cluster cluster, Group group) {
    List<TrialSpec> due = due(group);
    if (due.isEmpty()) {
      return;
    }
    Runnable keepExamination = examine(cluster, group, due.size());
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
    keepExamination.run();
  }

  /**
   * Begins to examine the grid.
   *
   * @return waits for the end and keeps what was found
   */
  private Runnable examine(Cluster cluster, Group group, int trials) {
    Optional<ManagedProcess> agent = examines(group) ? cluster.member() : Optional.empty();
    if (agent.isEmpty()) {
      return () -> {};
    }
    double seconds = Math.max(LEAST_EXAMINED, AnalysisDeclaration.PROFILE_SECONDS * trials);
    CompletableFuture<Answer> answer =
        agent.get().send(new Command.Examine(Optional.empty(), seconds, Optional.empty()));
    return () -> {
      try {
        HealthReport report =
            agent.get().await(answer, Answer.Examined.class, "Examine", Timeouts.PREPARE).report();
        examinations.add(new Examination(common(group), report));
        context.folder().write(RunFolder.EXAMINATIONS, examinations);
      } catch (WorkerException failure) {
        context.progress().note(Messages.format("coordinator.examination", failure.sentence()));
      }
    };
  }

  private static Map<String, String> common(Group group) {
    Map<String, String> common = new LinkedHashMap<>(group.trials().get(0).levels());
    group.trials().forEach(each -> common.entrySet().retainAll(each.levels().entrySet()));
    return common;
  }

  private TrialSpec brief(TrialSpec spec) {
    Settings settings = CoreSettings.endless(spec.settings());
    double warmUp = Math.min(MAX_WARM_UP_SECONDS, settings.get(CoreSettings.WARM_UP));
    double measure =
        Math.min(AnalysisDeclaration.PROFILE_SECONDS, settings.get(CoreSettings.MEASURE));
    Settings brief =
        settings.with(CoreSettings.WARM_UP, warmUp).with(CoreSettings.MEASURE, measure);
    return spec.as(
        ID + spec.id(),
        profiling ? brief.with(CoreSettings.TELEMETRY.name(), TelemetryKind.PROFILE.id()) : brief);
  }
}
