package io.pyrometer.journal;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Decides which trials are repeated and which attempt at a trial is selected. */
public final class Attempts {
  /** Repeating is given up after this many repeats that were disturbed as well. */
  private static final int MAX_DISTURBED_REPEATS = 3;

  /** The check that says whether an open loop kept its rate. */
  public static final String ACHIEVED_RATE = "achieved of offered rate";

  /**
   * The attempt of higher quality is the greater one. It is never decided by the figures that were
   * measured, nor by whether verification passed: an attempt that could be carried out before one
   * that could not, then the one with fewer disturbances from outside, then the one whose code was
   * warm, then the one that settled, then the one that kept its rate, then the one that came later
   * in the life of its processes, then the earlier one.
   */
  private static final Comparator<TrialRecord> BY_QUALITY =
      Comparator.<TrialRecord>comparingInt(t -> t.outcome() == Outcome.FAILED ? 0 : 1)
          .thenComparing(Comparator.<TrialRecord>comparingLong(Attempts::disturbances).reversed())
          .thenComparing(t -> !t.notWarm())
          .thenComparing(t -> t.timeline().warmUp().settled())
          .thenComparing(Attempts::keptRate)
          .thenComparingInt(Attempts::position)
          .thenComparing(Comparator.comparingInt(TrialRecord::attempt).reversed());

  private Attempts() {}

  private static long disturbances(TrialRecord trial) {
    return trial.validity().stream().filter(c -> c.disturbed() && c.fromOutside()).count();
  }

  /** The warmer of two attempts is the one with more trials before it; 0 where that is unknown. */
  private static int position(TrialRecord trial) {
    return trial.identity().start().map(TrialRecord.ProcessStart::position).orElse(0);
  }

  private static boolean keptRate(TrialRecord trial) {
    return trial.validity().stream()
        .noneMatch(check -> check.disturbed() && check.name().equals(ACHIEVED_RATE));
  }

  /** The disturbances and limits of a trial, in words; empty if there are none. */
  public static String marks(TrialRecord trial) {
    return trial.validity().stream()
        .filter(Check::disturbed)
        .map(
            check ->
                "%s %s %s%s"
                    .formatted(check.words(), rounded(check), check.unit(), program(trial, check)))
        .collect(Collectors.joining(", "));
  }

  /** The program that used most of what other processes of this machine used. */
  private static String program(TrialRecord trial, Check check) {
    return check.name().equals(Check.OTHER_PROCESSES) && check.subject().isEmpty()
        ? trial.metrics().entrySet().stream()
            .filter(metric -> metric.getKey().startsWith(Metric.OTHER_PROGRAM))
            .filter(metric -> metric.getValue().value() >= check.value() / 2)
            .map(metric -> " by " + metric.getKey().substring(Metric.OTHER_PROGRAM.length()))
            .findFirst()
            .orElse("")
        : "";
  }

  /** A share has two digits; more would be noise. */
  private static String rounded(Check check) {
    return check.unit().equals("%")
        ? new BigDecimal(check.value())
            .round(new MathContext(2))
            .stripTrailingZeros()
            .toPlainString()
        : Figures.plain(check.value());
  }

  /**
   * One attempt to make.
   *
   * @param attempt from 1
   */
  public record Due(TrialSpec spec, int attempt) {}

  /**
   * The attempts that a group still owes: first the trials never made, then those to repeat. In a
   * group of several trials a repeat runs last, when the processes are warmer than they were
   * before; unless the code was warm already, that alone would make it faster, so the disturbed
   * trial is kept. A trial with processes of its own is repeated on fresh ones.
   */
  public static List<Due> due(Group group, List<TrialRecord> history) {
    Map<String, TrialRecord> made = new HashMap<>();
    history.forEach(trial -> made.putIfAbsent(trial.id(), trial));
    List<Due> due = new ArrayList<>();
    List<Due> repeats = new ArrayList<>();
    for (TrialSpec spec : group.trials()) {
      TrialRecord trial = made.get(spec.id());
      if (trial == null) {
        due.add(new Due(spec, 1));
      } else if (repeatDue(trial, history) && (isAlone(group) || isComparable(trial))) {
        repeats.add(new Due(spec, trial.attempt() + 1));
      }
    }
    due.addAll(repeats);
    return due;
  }

  /** Checks whether a group's trial has processes of its own. */
  public static boolean isAlone(Group group) {
    return group.trials().size() == 1;
  }

  private static boolean isComparable(TrialRecord trial) {
    return trial.outcome() == Outcome.FAILED || !trial.notWarm();
  }

  /**
   * Checks whether a finished trial with processes of its own is to be repeated, given all that
   * were finished so far.
   */
  public static boolean repeatDue(TrialRecord trial, List<TrialRecord> finished) {
    if (trial.attempt() > 1) {
      return false;
    }
    boolean repeated =
        finished.stream().anyMatch(t -> t.id().equals(trial.id()) && t.attempt() > 1);
    return !repeated
        && (trial.outcome() == Outcome.FAILED
            || (trial.disturbed() && !repeatingIsFutile(finished)));
  }

  /** Checks whether so many repeats were disturbed as well that no more are made. */
  public static boolean repeatingIsFutile(List<TrialRecord> finished) {
    return finished.stream().filter(t -> t.attempt() > 1 && t.disturbed()).count()
        >= MAX_DISTURBED_REPEATS;
  }

  /**
   * Why an attempt does not count: the first criterion by which the one that counts is better.
   *
   * @param selected the attempt at the same trial that counts
   * @return a clause, such as {@code did not settle}
   */
  public static String whyNot(TrialRecord other, TrialRecord selected) {
    if (other.outcome() == Outcome.FAILED && selected.outcome() != Outcome.FAILED) {
      return "failed";
    }
    if (disturbances(other) > disturbances(selected)) {
      return "more disturbed (%s)".formatted(marks(other));
    }
    if (other.notWarm() && !selected.notWarm()) {
      return "not warm";
    }
    if (!other.timeline().warmUp().settled() && selected.timeline().warmUp().settled()) {
      return "did not settle";
    }
    if (!keptRate(other) && keptRate(selected)) {
      return "did not keep its rate";
    }
    return position(other) < position(selected)
        ? Messages.format("journal.less-warm")
        : Messages.format("journal.equal-quality");
  }

  /** The attempt at each trial that counts, in order of the plan. */
  public static List<TrialRecord> selectedAttempts(List<TrialRecord> finished) {
    return finished.stream()
        .collect(
            Collectors.toMap(
                TrialRecord::id,
                trial -> trial,
                BinaryOperator.maxBy(BY_QUALITY),
                LinkedHashMap::new))
        .values()
        .stream()
        .sorted(Comparator.comparingInt(TrialRecord::ordinal))
        .toList();
  }
}
