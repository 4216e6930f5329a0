package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.plan.DueTrials;
import io.pyrometer.coordinator.plan.DueTrials.Attempt;
import io.pyrometer.coordinator.trial.CommonWarmUp;
import io.pyrometer.experiment.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The attempts that one group still owes, and what becomes of each. */
final class TrialQueue {
  private final RunContext context;
  private final Journal journal;
  private final List<TrialRecord> finished;
  private final TimeForecast forecast;
  private final Deque<Attempt> waiting;

  /**
   * @param finished every attempt of the run so far, to which those that are recorded here are
   *     added
   */
  TrialQueue(
      RunContext context,
      Group group,
      Journal journal,
      List<TrialRecord> finished,
      TimeForecast forecast) {
    this.context = context;
    this.journal = journal;
    this.finished = finished;
    this.forecast = forecast;
    this.waiting = new ArrayDeque<>(DueTrials.of(group, finished));
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the next one out. */
  Attempt next() {
    return waiting.remove();
  }

  /** A trial that is made again is left out: what it may do to others, it did. */
  List<TrialSpec> neverTried() {
    return waiting.stream().filter(attempt -> attempt.attempt() == 1).map(Attempt::spec).toList();
  }

  /** Whether a trial follows one whose result is not recorded yet. */
  boolean goesOnAfter(TrialRecord result) {
    return !waiting.isEmpty() || Attempts.repeatDue(result, finished);
  }

  /** Takes a result into the journal; if that is closed already, the run ends. */
  void record(Attempt attempt, TrialRecord result) {
    if (!journal.append(result)) {
      waiting.clear();
      return;
    }
    boolean futileBefore = Attempts.repeatingIsFutile(finished);
    finished.add(result);
    forecast.learn(attempt.spec(), result);
    context.progress().trial(result);
    if (Attempts.repeatDue(result, finished)) {
      waiting.addLast(new Attempt(attempt.spec(), attempt.attempt() + 1));
    } else if (Attempts.repeatingIsFutile(finished) && !futileBefore) {
      context
          .progress()
          .note(
              "Repeating does not help: the machine is disturbed all the time, so disturbed trials"
                  + " are kept and marked.");
    }
  }

  /**
   * The processes did not start.
   *
   * @param giveUp whether they are not tried again, so that all trials have failed for good
   */
  void couldNotStart(String why, boolean giveUp) {
    int attempts = giveUp ? waiting.size() : 1;
    for (int i = 0; i < attempts && !waiting.isEmpty(); i++) {
      Attempt attempt = waiting.remove();
      notBegun(attempt, giveUp ? 2 : attempt.attempt(), "While the grid was to start: " + why);
    }
  }

  /** The trials of the path at fault have failed; the others are to be made on fresh processes. */
  void couldNotWarmUp(CommonWarmUp.Failure failure) {
    for (Attempt attempt : List.copyOf(waiting)) {
      if (attempt.spec().path().equals(failure.path()) && attempt.attempt() == 1) {
        waiting.remove(attempt);
        notBegun(
            attempt,
            attempt.attempt(),
            "While the processes were to warm up: " + failure.sentence());
      }
    }
  }

  private void notBegun(Attempt attempt, int number, String why) {
    String now = context.time().now().toString();
    record(attempt, TrialRecord.notBegun(attempt.spec(), number, now, why));
  }
}
