package io.pyrometer.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class TrialSourceTest {
  private static final int BLOCKS = 12;
  private final List<Group> groups = FakeRun.blocksOf(BLOCKS, "put");

  private static TrialRecord record(Group group, double throughput) {
    return Trials.of(group.trials().get(0).id(), group.block(), 1, "put", Outcome.OK, throughput);
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
    List<TrialRecord> history =
        exhaust(
            source,
            (group, before) -> {
              now[0] += group.block() == 1 ? 30 : 10;
              return List.of(record(group, 1_000));
            });
    assertThat(source.next(history)).as("it stays ended").isEmpty();
    return history.size();
  }

  /** Carries groups out as long as the source has some; returns all records. */
  static List<TrialRecord> exhaust(
      TrialSource source, BiFunction<Group, List<TrialRecord>, List<TrialRecord>> made) {
    List<TrialRecord> history = new ArrayList<>();
    for (Optional<Group> next = source.next(history);
        next.isPresent();
        next = source.next(history)) {
      assertThat(source.next(List.copyOf(history))).isEqualTo(next);
      history.addAll(made.apply(next.get(), history));
    }
    return history;
  }
}
