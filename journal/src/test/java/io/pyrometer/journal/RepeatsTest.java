package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatsTest {
  private static TrialResult failed(String id, int attempt) {
    return Trials.of(id, 0, attempt, "put", Outcome.FAILED, 0);
  }

  @Test
  void aFailedOrDisturbedTrialIsMadeOnceMoreAndNoOtherIs() {
    TrialResult busyClient = Trials.ok("a", 1, new Check("client CPU", 90, 70, "%", true));
    assertThat(Repeats.due(failed("a", 1), List.of(failed("a", 1)))).isTrue();
    assertThat(Repeats.due(Trials.ok("a", 1, Trials.steal()), List.of())).isTrue();
    assertThat(Repeats.due(Trials.ok("a", 1), List.of())).isFalse();
    assertThat(Repeats.due(busyClient, List.of(busyClient))).isFalse();
    assertThat(Repeats.due(failed("a", 2), List.of(failed("a", 1), failed("a", 2)))).isFalse();
    assertThat(Repeats.due(failed("a", 1), List.of(failed("a", 1), failed("a", 2)))).isFalse();
  }

  @Test
  void repeatingDisturbedTrialsIsGivenUpWhereItDoesNotHelp() {
    List<TrialResult> finished = new ArrayList<>();
    for (String id : List.of("a", "b", "c")) {
      finished.add(Trials.ok(id, 1, Trials.steal()));
      finished.add(Trials.ok(id, 2, Trials.steal()));
    }
    assertThat(Repeats.due(Trials.ok("d", 1, Trials.steal()), finished)).isFalse();
    assertThat(Repeats.due(failed("d", 1), finished)).isTrue();
  }

  @Test
  void theUndisturbedAttemptCounts() {
    TrialResult calm = Trials.ok("a", 1);
    TrialResult disturbed = Trials.ok("a", 2, Trials.steal());
    assertThat(Repeats.counting(List.of(calm, disturbed))).containsExactly(calm);
    assertThat(Repeats.counting(List.of(failed("a", 1), disturbed))).containsExactly(disturbed);
  }
}
