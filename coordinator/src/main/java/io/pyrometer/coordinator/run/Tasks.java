package io.pyrometer.coordinator.run;

import io.pyrometer.experiment.Group;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.Repeats;
import io.pyrometer.journal.TrialResult;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The trials of one group that are still to be made, and what becomes of each. */
final class Tasks {
  private final RunContext context;
  private final Journal journal;
  private final List<TrialResult> finished;
  private final Forecast forecast;
  private final Deque<Task> waiting = new ArrayDeque<>();

  /** One trial to make. */
  record Task(TrialSpec spec, int attempt) {}

  /**
   * Those that were never made, then those to be made again.
   *
   * @param finished all trials of the run, to which those that are recorded here are added
   */
  Tasks(
      RunContext context,
      Group group,
      Journal journal,
      List<TrialResult> finished,
      Forecast forecast) {
    this.context = context;
    this.journal = journal;
    this.finished = finished;
    this.forecast = forecast;
    for (TrialSpec spec : group.trials()) {
      if (finished.stream().noneMatch(trial -> trial.trial().equals(spec.id()))) {
        waiting.add(new Task(spec, 1));
      }
    }
    for (TrialSpec spec : group.trials()) {
      finished.stream()
          .filter(trial -> trial.trial().equals(spec.id()) && Repeats.due(trial, finished))
          .findFirst()
          .ifPresent(trial -> waiting.add(new Task(spec, 2)));
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the next one out. */
  Task next() {
    return waiting.remove();
  }

  /** A trial that is made again is left out: what it may do to others, it did. */
  List<TrialSpec> neverTried() {
    return waiting.stream().filter(task -> task.attempt() == 1).map(Task::spec).toList();
  }

  /** Whether a trial follows one whose result is not recorded yet. */
  boolean goOnAfter(TrialResult result) {
    return !waiting.isEmpty() || Repeats.due(result, finished);
  }

  /** Takes a result into the journal; if that is closed already, the run ends. */
  void record(Task task, TrialResult result) {
    if (!journal.append(result)) {
      waiting.clear();
      return;
    }
    boolean inVain = Repeats.inVain(finished);
    finished.add(result);
    forecast.learn(task.spec(), result);
    context.progress().trial(result);
    if (Repeats.due(result, finished)) {
      waiting.addLast(new Task(task.spec(), 2));
    } else if (Repeats.inVain(finished) && !inVain) {
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
      Task task = waiting.remove();
      notBegun(task, giveUp ? 2 : task.attempt(), "While the grid was to start: " + why);
    }
  }

  /** The trials of the path at fault have failed; the others are to be made on fresh processes. */
  void couldNotWarmUp(CommonWarmUp.Failure failure) {
    for (Task task : List.copyOf(waiting)) {
      if (task.spec().path().equals(failure.path()) && task.attempt() == 1) {
        waiting.remove(task);
        notBegun(
            task, task.attempt(), "While the processes were to warm up: " + failure.sentence());
      }
    }
  }

  private void notBegun(Task task, int attempt, String why) {
    String now = context.clock().instant().toString();
    record(task, TrialResult.notBegun(task.spec(), attempt, now, why));
  }
}
