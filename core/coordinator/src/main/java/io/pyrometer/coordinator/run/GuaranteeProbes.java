package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.fault.ProbeTrial;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes the guarantee probes that an experiment asks for, each once a run for every treatment that
 * writes, when the trials of its group are done.
 */
final class GuaranteeProbes {
  private final RunContext context;
  private final Journal journal;
  private final List<TrialRecord> trials;
  private final TimeForecast forecast;
  private final List<ProbeResult> made;

  /**
   * @param trials those finished so far, as they come
   */
  GuaranteeProbes(
      RunContext context, Journal journal, List<TrialRecord> trials, TimeForecast forecast) {
    this.context = context;
    this.journal = journal;
    this.trials = trials;
    this.forecast = forecast;
    this.made = new ArrayList<>(context.folder().probes());
  }

  /** One probe to make. */
  record Due(TrialSpec spec, ProbeKind kind) {}

  /**
   * The probes of a group's treatments that were not made yet, those that need a whole grid first.
   */
  List<Due> due(Group group) {
    return open(group).filter(due -> works(due.spec())).toList();
  }

  /** Whether probes of the group may be due once its trials are done. */
  boolean maybe(Group group) {
    return open(group).findAny().isPresent();
  }

  /** The probes of the whole run that were not made yet. */
  Set<Due> left() {
    Map<List<Object>, Due> left = new LinkedHashMap<>();
    context.plan().groups().stream()
        .flatMap(this::open)
        .forEach(due -> left.putIfAbsent(List.of(due.kind(), due.spec().levels()), due));
    return Set.copyOf(left.values());
  }

  private Stream<Due> open(Group group) {
    return Stream.of(ProbeKind.values())
        .filter(kind -> context.plan().experiment().probes().contains(kind))
        .flatMap(
            kind ->
                group.trials().stream()
                    .filter(spec -> spec.job().isProbed() && differs(spec) && !isMade(spec, kind))
                    .map(spec -> new Due(spec, kind)));
  }

  /** Old records cannot be detected if all records are equal. */
  private static boolean differs(TrialSpec spec) {
    return spec.settings().find(CoreSettings.DISTINCT_RECORDS).orElse(2) > 1;
  }

  /** A path without a single completed trial would hang or fail in its probe as well. */
  private boolean works(TrialSpec spec) {
    return trials.stream()
        .anyMatch(t -> t.levels().equals(spec.levels()) && t.outcome() != Outcome.FAILED);
  }

  private boolean isMade(TrialSpec spec, ProbeKind kind) {
    return made.stream()
        .anyMatch(probe -> probe.probe() == kind && probe.levels().equals(spec.levels()));
  }

  /** Makes probes until none is left, or until a kill or a failure has made the grid unusable. */
  void make(Cluster cluster, Group group) {
    for (Due due : due(group)) {
      if (!cluster.isComplete()) {
        return;
      }
      Made outcome = one(cluster, due);
      record(due, outcome);
      forecast.learn(due);
      if (outcome.why().isPresent()) {
        return;
      }
    }
  }

  private Made one(Cluster cluster, Due due) {
    context.progress().now(now(due));
    try {
      return new Made(
          Optional.empty(),
          Optional.of(new ProbeTrial(cluster, due.spec(), due.kind(), context.time()).make()));
    } catch (WorkerException failure) {
      Timeouts.letShutdownComeFirst(context.time());
      return new Made(Optional.of(failure.sentence()), Optional.empty());
    }
  }

  private record Made(Optional<String> why, Optional<ProbeResult.ProbeCounts> found) {}

  private Progress.Now now(Due due) {
    int total = context.plan().trials().size();
    int done = (int) trials.stream().map(TrialRecord::id).distinct().count();
    String phase = "probe " + due.kind().name().toLowerCase(java.util.Locale.ROOT);
    return new Progress.Now(
        done,
        total,
        due.spec().block(),
        RunExecutor.words(due.spec()),
        phase,
        0,
        forecast.left(context.plan(), trials, left(), !Attempts.repeatingIsFutile(trials)));
  }

  /** Gives the group's probes up. */
  void giveUp(Group group, String why) {
    due(group).forEach(due -> record(due, new Made(Optional.of(why), Optional.empty())));
  }

  private void record(Due due, Made outcome) {
    ProbeResult result =
        new ProbeResult(
            due.kind(),
            ProbeResult.SCHEMA,
            due.spec().levels(),
            due.spec().path(),
            context.time().now().toString(),
            outcome.why(),
            outcome.found());
    made.add(result);
    if (journal.append(result)) {
      context.progress().probe(result);
    }
  }
}
