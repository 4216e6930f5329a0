package io.pyrometer.journal;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A search for the highest offered rate of a ladder that keeps {@code p99-limit}, in each block by
 * itself, so that blocks are replicates of it.
 *
 * <p>It bisects the ladder. A rate fails only if the next higher one fails too: a disturbance makes
 * a trial slower, hardly ever quicker, so that one slow trial must not end the search far below the
 * truth. A rate holds if the trial is valid, 98 % of the offered rate were completed, the p99 of
 * every operation is within the limit, and no request timed out, lost a race or failed. The next
 * trial is a pure function of the plan and the history.
 */
public final class RateSearch {
  /** The share of the offered rate that must be completed. */
  public static final double REACHED = 0.98;

  private static final List<String> FAILURES =
      List.of("outcome.timed-out", "outcome.lost-race", "outcome.failed");

  private final RateLadder ladder;
  private final List<TrialRecord> history;
  private final Map<String, TrialRecord> counting = new LinkedHashMap<>();

  private RateSearch(RateLadder ladder, List<TrialRecord> history) {
    this.ladder = ladder;
    this.history = history;
    Attempts.selectedAttempts(history).forEach(trial -> counting.put(trial.id(), trial));
  }

  /**
   * The next trial, in a group of its own, so that it gets fresh processes; empty if every search
   * has ended.
   *
   * @param history every finished attempt
   */
  public static Optional<Group> next(List<Group> groups, List<TrialRecord> history) {
    for (Group group : groups) {
      for (RateLadder ladder : RateLadder.of(group)) {
        Optional<TrialSpec> due = new RateSearch(ladder, history).search().due();
        if (due.isPresent()) {
          return Optional.of(new Group(group.block(), group.process(), List.of(due.get())));
        }
      }
    }
    return Optional.empty();
  }

  /** The rate that a ladder's search has found; empty if none holds or it has not ended. */
  public static Optional<Double> highest(RateLadder ladder, List<TrialRecord> history) {
    RateSearch search = new RateSearch(ladder, history);
    State state = search.search();
    return state.due().isPresent() || state.holds() < 0
        ? Optional.empty()
        : Optional.of(ladder.rungs().get(state.holds()).settings().get(CoreSettings.RATE));
  }

  /** Checks whether a trial kept its rate, the limit, and every request. */
  public static boolean holds(TrialRecord trial) {
    double limitMicros = trial.settings().get(CoreSettings.P99_LIMIT) * 1e6;
    return trial.outcome() == Outcome.OK
        && reached(trial) >= REACHED * trial.settings().get(CoreSettings.RATE)
        && worst(trial, LatencyStatistic.P99).filter(p99 -> p99 <= limitMicros).isPresent()
        && FAILURES.stream()
            .map(trial.metrics()::get)
            .allMatch(share -> share == null || share.value() == 0);
  }

  /** Completed calls per second. */
  public static double reached(TrialRecord trial) {
    return trial.counts().calls() / Math.max(trial.counts().seconds(), 1e-9);
  }

  /** A statistic of the operation for which it is worst, microseconds. */
  public static Optional<Double> worst(TrialRecord trial, LatencyStatistic statistic) {
    return trial.metrics().entrySet().stream()
        .filter(
            metric ->
                Metric.parseLatency(metric.getKey())
                    .filter(latency -> latency.statistic() == statistic)
                    .isPresent())
        .map(metric -> metric.getValue().value())
        .max(Double::compare);
  }

  /**
   * Where a search stands.
   *
   * @param holds the highest rung that holds; -1 if none does so far
   * @param due the trial to make next
   */
  private record State(int holds, Optional<TrialSpec> due) {}

  private State search() {
    int holds = -1;
    int fails = ladder.rungs().size();
    while (fails - holds > 1) {
      int middle = (holds + fails) / 2;
      Optional<Boolean> there = verdict(middle);
      if (there.isEmpty()) {
        return new State(holds, Optional.of(ladder.rungs().get(middle)));
      }
      if (there.get()) {
        holds = middle;
        continue;
      }
      int above = middle + 1;
      Optional<Boolean> higher =
          above < ladder.rungs().size() ? verdict(above) : Optional.of(false);
      if (higher.isEmpty()) {
        return new State(holds, Optional.of(ladder.rungs().get(above)));
      }
      if (higher.get()) {
        holds = above;
      } else {
        fails = middle;
      }
    }
    return new State(holds, Optional.empty());
  }

  /** Empty as long as the trial, or its repetition, is not made. */
  private Optional<Boolean> verdict(int rung) {
    String id = ladder.rungs().get(rung).id();
    boolean owed =
        history.stream()
            .anyMatch(trial -> trial.id().equals(id) && Attempts.repeatDue(trial, history));
    return owed ? Optional.empty() : Optional.ofNullable(counting.get(id)).map(RateSearch::holds);
  }
}
