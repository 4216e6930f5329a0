package io.pyrometer.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HighestRateTest {
  private static final double LIMIT_SECONDS = 0.1;
  private static final int RUNGS = 16;
  private static final double STEP = 1.25;

  private static double rate(int rung) {
    return Math.rint(100 * Math.pow(STEP, rung));
  }

  private static List<Group> ladder(int blocks) {
    List<Group> groups = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      List<TrialSpec> trials = new ArrayList<>();
      for (int rung = RUNGS - 1; rung >= 0; rung--) {
        Settings settings =
            FakeRun.settings("put").with("rate", rate(rung)).with("p99-limit", LIMIT_SECONDS);
        TrialSpec trial = FakeRun.trial(block * RUNGS + rung, block, "put", settings);
        trials.add(trial.at(trial.id(), trial.ordinal(), Map.of("rate", "" + rate(rung))));
      }
      groups.add(new Group(block, Settings.NONE.with("nodes", 2).with("agents", 1), trials));
    }
    return groups;
  }

  private static TrialRecord record(
      TrialSpec trial, Outcome outcome, double p99Seconds, double share, double timedOut) {
    Map<String, Metric> metrics = new TreeMap<>();
    metrics.put("latency.request.p99", Metric.lowerIsBetter(p99Seconds * 1e6, "µs"));
    // The slowest operation decides.
    metrics.put("latency.read.p99", Metric.lowerIsBetter(p99Seconds * 1e5, "µs"));
    metrics.put("outcome.timed-out", Metric.lowerIsBetter(timedOut, "%"));
    long calls = Math.round(trial.settings().decimal("rate") * 10 * share);
    return new TrialRecord(
        TrialRecord.SCHEMA,
        TrialRecord.Identity.of(trial, 1),
        "2026-11-22T00:00:00Z",
        new Result(outcome, Optional.empty(), Optional.empty()),
        new Timeline(new Phases(1, 1, 1, 1, 1), new WarmUp(true, 1, ""), List.of(), 0),
        new Counts(10, calls, calls, 0, List.of()),
        metrics,
        List.of(),
        List.of(),
        Map.of(),
        Map.of());
  }

  /** The p99 of a queue that holds up to {@code knee}. */
  private static TrialRecord response(TrialSpec trial, double knee, double noise) {
    double p99 = LIMIT_SECONDS * Math.pow(trial.settings().decimal("rate") / knee, 4) * noise;
    return record(trial, Outcome.OK, p99, 1, 0);
  }

  private static TrialSource search(List<Group> groups) {
    return history -> RateSearch.next(groups, history);
  }

  private static List<TrialRecord> searched(
      List<Group> groups, Function<TrialSpec, TrialRecord> response) {
    return TrialSourceTest.exhaust(
        search(groups),
        (group, before) -> {
          assertThat(group.trials()).hasSize(1);
          assertThat(before).hasSizeLessThan(groups.size() * RUNGS);
          return List.of(response.apply(group.trials().get(0)));
        });
  }

  private static Optional<Double> found(Group group, List<TrialRecord> history) {
    return RateSearch.highest(RateLadder.of(group).get(0), history);
  }

  @Test
  void everyKneeOfTheLadderIsFoundWithHalfOfItsTrialsOrFewer() {
    List<Group> groups = ladder(1);
    for (int knee = 0; knee < RUNGS; knee++) {
      double truth = rate(knee);
      List<TrialRecord> history =
          searched(groups, trial -> response(trial, truth * Math.sqrt(STEP), 1));
      assertThat(found(groups.get(0), history)).contains(truth);
      assertThat(history).hasSizeLessThanOrEqualTo(RUNGS / 2);
    }
  }

  @Test
  void oneDisturbedTrialDoesNotEndTheSearchBelowTheKnee() {
    List<Group> groups = ladder(1);
    double knee = rate(12);
    for (int disturbed = 0; disturbed < 12; disturbed++) {
      double slow = rate(disturbed);
      List<TrialRecord> history =
          searched(
              groups,
              trial ->
                  response(
                      trial, knee * 1.01, trial.settings().decimal("rate") == slow ? 1_000 : 1));
      assertThat(found(groups.get(0), history)).as("disturbed at %s", slow).contains(knee);
    }
  }

  @Test
  void aRateWithATimeOutOrAShortfallOrAFailureDoesNotHold() {
    TrialSpec trial = ladder(1).get(0).trials().get(0);
    assertThat(RateSearch.holds(record(trial, Outcome.OK, 0.09, 1, 0))).isTrue();
    assertThat(RateSearch.holds(record(trial, Outcome.OK, 0.11, 1, 0))).isFalse();
    assertThat(RateSearch.holds(record(trial, Outcome.OK, 0.09, 0.97, 0))).isFalse();
    assertThat(RateSearch.holds(record(trial, Outcome.OK, 0.09, 1, 0.01))).isFalse();
    assertThat(RateSearch.holds(record(trial, Outcome.WRONG, 0.09, 1, 0))).isFalse();
  }

  @Test
  void aPlanThatSearchesMakesOnlyTheTrialsThatTheSearchVisitsAndResumesThere(@TempDir Path runs) {
    FakeRun run = new FakeRun(runs).searching();
    List<TrialRecord> made = run.run(ladder(1));
    assertThat(made).isNotEmpty().hasSizeLessThan(RUNGS);
    assertThat(search(ladder(1)).next(made)).isEmpty();
    assertThat(search(ladder(1)).next(made.subList(0, 1)).orElseThrow().trials().get(0).id())
        .isEqualTo(made.get(1).id());
  }
}
