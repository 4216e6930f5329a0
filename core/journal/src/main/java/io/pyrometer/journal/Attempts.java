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
import java.util.function.Function;
import java.util.stream.Collectors;

/** Decides which trials are repeated and which attempt at a trial is selected. */
public final class Attempts {
  /** Repeating is given up after this many repeats that were disturbed as well. */
  private static final int MAX_DISTURBED_REPEATS = 3;

  /** The check that says whether an open loop kept its rate. */
  public static final String ACHIEVED_RATE = "achieved of offered rate";

  /**
   * A criterion of an attempt's quality.
   *
   * @param quality the better attempt is the greater one
   * @param why a clause that says why a worse attempt does not count
   */
  private record Criterion(Comparator<TrialRecord> quality, Function<TrialRecord, String> why) {}

  /**
   * The criteria in their order: the first by which two attempts differ decides. No criterion is a
   * measured figure, or whether verification passed. An attempt with more trials before it on its
   * processes is warmer.
   */
  private static final List<Criterion> CRITERIA =
      List.of(
          new Criterion(Comparator.comparing(t -> t.outcome() != Outcome.FAILED), t -> "failed"),
          new Criterion(
              Comparator.comparingLong(Attempts::disturbances).reversed(),
              t -> "more disturbed (%s)".formatted(marks(t))),
          new Criterion(Comparator.comparing(t -> !t.notWarm()), t -> "not warm"),
          new Criterion(
              Comparator.comparing(t -> t.timeline().warmUp().settled()), t -> "did not settle"),
          new Criterion(
              Comparator.comparing(t -> !t.isMarked(ACHIEVED_RATE)), t -> "did not keep its rate"),
          new Criterion(
              Comparator.comparingInt(Attempts::position),
              t -> Messages.format("journal.less-warm")),
          new Criterion(
              Comparator.comparingInt(TrialRecord::attempt).reversed(),
              t -> Messages.format("journal.equal-quality")));

  private static final Comparator<TrialRecord> BY_QUALITY =
      CRITERIA.stream().map(Criterion::quality).reduce(Comparator::thenComparing).orElseThrow();

  private Attempts() {}

  private static long disturbances(TrialRecord trial) {
    return trial.validity().stream().filter(c -> c.disturbed() && c.fromOutside()).count();
  }

  private static int position(TrialRecord trial) {
    return trial.identity().start().map(TrialRecord.ProcessStart::position).orElse(0);
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
    return CRITERIA.stream()
        .filter(criterion -> criterion.quality().compare(other, selected) < 0)
        .findFirst()
        .map(criterion -> criterion.why().apply(other))
        .orElseGet(() -> Messages.format("journal.equal-quality"));
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
