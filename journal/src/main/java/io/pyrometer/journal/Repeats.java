package io.pyrometer.journal;

import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Outcome;
import java.util.List;

/** Which trials are made once more, and which of two attempts counts. */
public final class Repeats {
  /** After so many repeats that were disturbed as well, repeating is given up. */
  private static final int VAIN = 3;

  private Repeats() {}

  /** Whether something outside the trial disturbed it. */
  public static boolean disturbed(TrialResult trial) {
    return trial.validity().stream().anyMatch(check -> check.disturbed() && check.fromOutside());
  }

  /** What disturbed or limited a trial, in words; empty if nothing did. */
  public static String marks(TrialResult trial) {
    return String.join(
        ", ", trial.validity().stream().filter(Check::disturbed).map(Repeats::words).toList());
  }

  private static String words(Check check) {
    return "%s %s %s"
        .formatted(check.name(), io.pyrometer.analysis.Figures.plain(check.value()), check.unit());
  }

  /** Whether a finished trial is to be made once more, given all that were finished so far. */
  public static boolean due(TrialResult trial, List<TrialResult> finished) {
    if (trial.attempt() > 1) {
      return false;
    }
    boolean again =
        finished.stream().anyMatch(t -> t.trial().equals(trial.trial()) && t.attempt() > 1);
    return !again && (trial.outcome() == Outcome.FAILED || (disturbed(trial) && !inVain(finished)));
  }

  public static boolean inVain(List<TrialResult> finished) {
    return finished.stream().filter(t -> t.attempt() > 1 && disturbed(t)).count() >= VAIN;
  }

  /**
   * The attempt of each trial that counts, in order of the plan: one that is right before one that
   * is not, undisturbed before disturbed, the later one otherwise.
   */
  public static List<TrialResult> counting(List<TrialResult> finished) {
    return finished.stream()
        .collect(
            java.util.stream.Collectors.toMap(
                TrialResult::trial,
                trial -> trial,
                (a, b) -> worth(b) >= worth(a) ? b : a,
                java.util.LinkedHashMap::new))
        .values()
        .stream()
        .sorted(java.util.Comparator.comparingInt(TrialResult::ordinal))
        .toList();
  }

  private static int worth(TrialResult trial) {
    return switch (trial.outcome()) {
      case FAILED -> 0;
      case WRONG -> 1;
      case OK -> disturbed(trial) ? 2 : 3;
    };
  }
}
