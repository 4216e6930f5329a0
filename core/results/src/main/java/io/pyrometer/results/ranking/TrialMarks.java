package io.pyrometer.results.ranking;

import io.pyrometer.journal.Check;
import io.pyrometer.journal.TrialRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What checks found in the trials of a treatment, and in how many where it was not in all. */
public final class TrialMarks {

  private TrialMarks() {}

  /** Marks in words, such as {@code disturbed 1/3}. */
  public static List<String> of(List<TrialRecord> trials) {
    List<String> marks = new ArrayList<>();
    add(marks, trials, TrialRecord::disturbed, "disturbed");
    add(marks, trials, TrialRecord::oversubscribed, "oversubscribed");
    add(marks, trials, TrialRecord::notWarm, "not warm");
    add(marks, trials, trial -> marked(trial, "generator"), "limited by the load generator");
    add(marks, trials, trial -> marked(trial, "client"), "client busy");
    add(marks, trials, trial -> marked(trial, "schedule slip"), "calls begun late");
    add(
        marks,
        trials,
        trial -> marked(trial, Check.LATE_START) || marked(trial, Check.SLOWEST_RATE),
        "agents differ");
    add(
        marks,
        trials,
        trial -> trial.steadinessJudged() && !trial.timeline().warmUp().settled(),
        "not settled");
    return marks;
  }

  private static boolean marked(TrialRecord trial, String checks) {
    return trial.validity().stream()
        .anyMatch(check -> check.disturbed() && check.name().startsWith(checks));
  }

  private static void add(
      List<String> marks, List<TrialRecord> trials, Predicate<TrialRecord> which, String what) {
    long count = trials.stream().filter(which).count();
    if (count > 0) {
      marks.add(count == trials.size() ? what : what + " " + count + "/" + trials.size());
    }
  }
}
