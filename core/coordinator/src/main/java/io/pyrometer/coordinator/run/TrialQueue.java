package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.trial.CommonWarmUp;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;

/**
 * The attempts that one group still owes, and what becomes of each. What is owed follows from the
 * history alone, so a resumed run owes the same.
 */
final class TrialQueue {
  /** Beginning of the reason of a trial whose processes did not start. */
  static final String NOT_STARTED = "The grid did not start: ";

  private final RunContext context;
  private final Group group;
  private final Journal journal;
  private final List<TrialRecord> finished;
  private final TimeForecast forecast;
  private boolean closed;

  TrialQueue(
      RunContext context,
      Group group,
      Journal journal,
      List<TrialRecord> finished,
      TimeForecast forecast) {
    this.context = context;
    this.group = group;
    this.journal = journal;
    this.finished = finished;
    this.forecast = forecast;
  }

  private List<Attempts.Due> due() {
    return closed ? List.of() : Attempts.due(group, finished);
  }

  boolean isEmpty() {
    return due().isEmpty();
  }

  /** The next attempt; it is owed until it is recorded. */
  Attempts.Due next() {
    return due().get(0);
  }

  /** The trials that are owed, repeated ones included: their code is cold in fresh processes. */
  List<TrialSpec> trials() {
    return due().stream().map(Attempts.Due::spec).toList();
  }

  /**
   * Returns whether an attempt on the same processes follows one whose record is not in the journal
   * yet.
   */
  boolean goesOnAfter(TrialRecord record) {
    if (needsFreshProcessesAfter(record)) {
      return false;
    }
    List<TrialRecord> then = new ArrayList<>(finished);
    then.add(record);
    return !Attempts.due(group, then).isEmpty();
  }

  /** A repeat begins as its first attempt did; after a failure the processes are in doubt. */
  boolean needsFreshProcessesAfter(TrialRecord record) {
    return Attempts.isAlone(group) || record.outcome() == TrialRecord.Outcome.FAILED;
  }

  /** Takes a record into the journal; if that is closed already, the run ends. */
  void record(TrialRecord record, TrialSpec spec) {
    forecast.learn(spec, record);
    append(record);
  }

  private void append(TrialRecord record) {
    if (!journal.append(record)) {
      closed = true;
      return;
    }
    boolean futileBefore = Attempts.repeatingIsFutile(finished);
    finished.add(record);
    context.progress().trial(record);
    if (Attempts.repeatingIsFutile(finished) && !futileBefore) {
      context.progress().note(Messages.format("coordinator.always-disturbed"));
    }
  }

  /**
   * The processes did not start: the next trial has failed.
   *
   * @param giveUp whether they are not tried again, so that all trials have failed for good
   */
  void recordFailedStart(String why, boolean giveUp) {
    for (Attempts.Due attempt : giveUp ? due() : due().stream().limit(1).toList()) {
      notBegun(attempt.spec(), giveUp ? 2 : attempt.attempt(), NOT_STARTED + why);
    }
  }

  /** The trials of the path at fault have failed; the others are made on fresh processes. */
  void recordFailedWarmUp(CommonWarmUp.Failure failure) {
    for (Attempts.Due attempt : due()) {
      if (attempt.spec().path().equals(failure.path())) {
        String why = "The common warm-up failed: " + failure.sentence();
        notBegun(attempt.spec(), attempt.attempt(), why);
      }
    }
  }

  private void notBegun(TrialSpec spec, int attempt, String why) {
    append(TrialRecord.notBegun(spec, attempt, context.time().now().toString(), why));
  }
}
