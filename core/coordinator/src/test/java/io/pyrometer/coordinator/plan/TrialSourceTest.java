package io.pyrometer.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TrialSourceTest {
  private static final int BLOCKS = 12;
  private final List<Group> groups = FakeRun.blocksOf(BLOCKS, "put");

  private static TrialRecord record(Group group, double throughput) {
    return Trials.of(group.trials().get(0).id(), group.block(), 1, "put", Outcome.OK, throughput);
  }

  @Test
  void theSameHistoryAlwaysHasTheSameNextGroup() {
    TrialSource source = TrialSources.untilPrecise(groups, new StoppingRule(3, 0.05, BLOCKS, 0.95));
    List<TrialRecord> history = new ArrayList<>();
    Random random = new Random(1);
    for (Optional<Group> next = source.next(history);
        next.isPresent();
        next = source.next(history)) {
      assertThat(source.next(List.copyOf(history))).isEqualTo(next);
      history.add(record(next.get(), 1_000 * Math.exp(0.02 * random.nextGaussian())));
    }
    assertThat(history).hasSizeBetween(3, BLOCKS);
  }

  /** Blocks of 10 s, 30 s and 10 s each from then on. */
  @Test
  void noBlockIsBegunThatWouldEndTooLate() {
    assertThat(blocksWithin(100, 1)).as("the sixth begins after 70 s").isEqualTo(6);
    assertThat(blocksWithin(99, 1)).isEqualTo(5);
    assertThat(blocksWithin(39, 1)).as("it is not known that the second takes 30 s").isEqualTo(2);
    assertThat(blocksWithin(15, 1)).isEqualTo(1);
    assertThat(blocksWithin(15, 5)).isEqualTo(5);
    assertThat(blocksWithin(1e6, 1)).isEqualTo(BLOCKS);
  }

  private int blocksWithin(double seconds, int least) {
    double[] now = new double[1];
    TrialSource source =
        TrialSource.within(seconds, least, () -> now[0], TrialSource.fixed(groups));
    List<TrialRecord> history = new ArrayList<>();
    for (Optional<Group> next = source.next(history);
        next.isPresent();
        next = source.next(history)) {
      now[0] += next.get().block() == 1 ? 30 : 10;
      history.add(record(next.get(), 1_000));
    }
    assertThat(source.next(history)).as("it stays ended").isEmpty();
    return history.size();
  }

  @Test
  void aFailedTrialIsDueOnceMoreAndThenNot() {
    TrialSource source = TrialSource.fixed(groups.subList(0, 1));
    TrialRecord failed =
        Trials.of(groups.get(0).trials().get(0).id(), 0, 1, "put", Outcome.FAILED, 0);
    assertThat(source.next(List.of(failed))).contains(groups.get(0));
    assertThat(Attempts.due(groups.get(0), List.of(failed)))
        .extracting(Attempts.Due::attempt)
        .containsExactly(2);
    TrialRecord again =
        Trials.of(groups.get(0).trials().get(0).id(), 0, 2, "put", Outcome.FAILED, 0);
    assertThat(source.next(List.of(failed, again))).isEmpty();
  }

  @Test
  void aTreatmentThatAlwaysFailsDoesNotHoldTheRunUp() {
    TrialSource source = TrialSources.untilPrecise(FakeRun.blocksOf(5, "put", "bad"), rule(5));
    List<TrialRecord> history = new ArrayList<>();
    for (Optional<Group> next = source.next(history);
        next.isPresent();
        next = source.next(history)) {
      for (Attempts.Due due : Attempts.due(next.get(), history)) {
        boolean bad = due.spec().path().equals("bad");
        history.add(
            Trials.of(
                due.spec().id(),
                due.spec().block(),
                due.attempt(),
                due.spec().path(),
                bad ? Outcome.FAILED : Outcome.OK,
                1_000));
      }
    }
    assertThat(history.stream().mapToInt(TrialRecord::block).max()).hasValue(2);
  }

  private static StoppingRule rule(int cap) {
    return new StoppingRule(3, 0.03, cap, 0.95);
  }

  /** The interval that the rule gives at its stop covers the truth as often as it says. */
  @Tag("simulation")
  @Test
  void theIntervalAtTheStopCoversTheTruthAsOftenAsItSays() {
    for (double noise : new double[] {0.03, 0.06}) {
      assertThat(coverage(noise, 2_000)).as("noise %s", noise).isBetween(0.935, 0.97);
    }
  }

  private double coverage(double noise, int runs) {
    StoppingRule rule = new StoppingRule(5, 0.03, BLOCKS, 0.95);
    Random random = new Random(42);
    DoubleSupplier throughput = () -> 1_000 * (1 + noise * random.nextGaussian());
    int covered = 0;
    for (int i = 0; i < runs; i++) {
      TrialSource source = TrialSources.untilPrecise(groups, rule);
      List<TrialRecord> history = new ArrayList<>();
      for (Optional<Group> next = source.next(history);
          next.isPresent();
          next = source.next(history)) {
        history.add(record(next.get(), throughput.getAsDouble()));
      }
      double[] values =
          history.stream().mapToDouble(trial -> trial.throughput().orElseThrow()).toArray();
      double confidence = rule.confidenceAt(values.length);
      covered += Means.arithmetic(values, "records/s", confidence).contains(1_000) ? 1 : 0;
    }
    return covered / (double) runs;
  }
}
