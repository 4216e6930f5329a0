package io.pyrometer.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Sources of groups without a plan around them. */
final class TrialSources {
  private TrialSources() {}

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
