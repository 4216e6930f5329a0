package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.ProcessStart;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private static TrialRecord failed(String id, int attempt) {
    return Trials.of(id, 0, attempt, "put", Outcome.FAILED, 0);
  }

  @Test
  void aFailedOrDisturbedTrialIsMadeOnceMoreAndNoOtherIs() {
    TrialRecord busyClient = Trials.ok("a", 1, new Check("client CPU", 90, 70, "%", true));
    assertThat(Attempts.repeatDue(failed("a", 1), List.of(failed("a", 1)))).isTrue();
    assertThat(Attempts.repeatDue(Trials.ok("a", 1, Trials.steal()), List.of())).isTrue();
    assertThat(Attempts.repeatDue(Trials.ok("a", 1), List.of())).isFalse();
    assertThat(Attempts.repeatDue(busyClient, List.of(busyClient))).isFalse();
    assertThat(Attempts.repeatDue(failed("a", 2), List.of(failed("a", 1), failed("a", 2))))
        .isFalse();
    assertThat(Attempts.repeatDue(failed("a", 1), List.of(failed("a", 1), failed("a", 2))))
        .isFalse();
  }

  @Test
  void theProgramThatDisturbedMostIsNamed() {
    TrialRecord trial =
        Trials.ok("a", 1, new Check(Check.OTHER_PROCESSES, 40, 10, "%", true), Trials.steal());
    trial = Trials.with(trial, Metric.OTHER_PROGRAM + "backup", Metric.neutral(32, "%"));
    trial = Trials.with(trial, Metric.OTHER_PROGRAM + "cron", Metric.neutral(8, "%"));
    assertThat(Attempts.marks(trial)).startsWith(Check.OTHER_PROCESSES + " 40 % by backup, steal ");
  }

  @Test
  void repeatingDisturbedTrialsIsGivenUpWhereItDoesNotHelp() {
    List<TrialRecord> finished = new ArrayList<>();
    for (String id : List.of("a", "b", "c")) {
      finished.add(Trials.ok(id, 1, Trials.steal()));
      finished.add(Trials.ok(id, 2, Trials.steal()));
    }
    assertThat(Attempts.repeatDue(Trials.ok("d", 1, Trials.steal()), finished)).isFalse();
    assertThat(Attempts.repeatDue(failed("d", 1), finished)).isTrue();
  }

  @Test
  void theUndisturbedAttemptCounts() {
    TrialRecord calm = Trials.ok("a", 1);
    TrialRecord disturbed = Trials.ok("a", 2, Trials.steal());
    assertThat(Attempts.selectedAttempts(List.of(calm, disturbed))).containsExactly(calm);
    assertThat(Attempts.selectedAttempts(List.of(failed("a", 1), disturbed)))
        .containsExactly(disturbed);
  }

  @Test
  void aSettledAttemptCountsBeforeAFasterOneThatDidNotSettle() {
    Check steal = Trials.steal();
    TrialRecord settled = Trials.of("a", 0, 1, "put", Outcome.OK, 503, steal);
    TrialRecord unsettled =
        Trials.settled(Trials.of("a", 0, 2, "put", Outcome.OK, 4_090, steal), false);
    assertThat(Attempts.selectedAttempts(List.of(settled, unsettled))).containsExactly(settled);
  }

  @Test
  void anAttemptThatKeptItsRateCountsBeforeOneThatDidNot() {
    Check missed = new Check(Attempts.ACHIEVED_RATE, 90, 98, "%", true);
    TrialRecord first = Trials.ok("a", 1, missed, Trials.steal());
    TrialRecord second = Trials.ok("a", 2, Trials.steal());
    assertThat(Attempts.selectedAttempts(List.of(first, second))).containsExactly(second);
  }

  @Test
  void anUndisturbedFailedVerificationIsNotHiddenByADisturbedSuccess() {
    TrialRecord disturbed = Trials.ok("a", 1, Trials.steal());
    TrialRecord wrong = Trials.of("a", 0, 2, "put", Outcome.WRONG, 0);
    assertThat(Attempts.selectedAttempts(List.of(disturbed, wrong))).containsExactly(wrong);
  }

  @Test
  void theFiguresOfTwoEquallyFoundedAttemptsDoNotDecide() {
    TrialRecord slow = Trials.of("a", 0, 1, "put", Outcome.OK, 10, Trials.steal());
    TrialRecord fast = Trials.of("a", 0, 2, "put", Outcome.OK, 1_000, Trials.steal());
    assertThat(Attempts.selectedAttempts(List.of(fast, slow))).containsExactly(slow);
  }

  @Test
  void ofTwoEquallyDisturbedAttemptsTheWarmerCountsWhateverItsFigures() {
    Check compiling = new Check(Check.JIT_COMPILERS, 40, 10, "%", true);
    TrialRecord cold = Trials.of("a", 0, 1, "put", Outcome.OK, 1_000, Trials.steal(), compiling);
    TrialRecord warm = Trials.of("a", 0, 2, "put", Outcome.OK, 10, Trials.steal());
    assertThat(Attempts.selectedAttempts(List.of(cold, warm))).containsExactly(warm);
    assertThat(Attempts.whyNot(cold, warm)).isEqualTo("not warm");

    TrialRecord early =
        Trials.of("a", 0, 1, "put", Outcome.OK, 1_000, Trials.steal())
            .madeOn(new ProcessStart(1, 2));
    TrialRecord late = warm.madeOn(new ProcessStart(1, 9));
    assertThat(Attempts.selectedAttempts(List.of(early, late))).containsExactly(late);
    assertThat(Attempts.whyNot(early, late)).isEqualTo(Messages.format("journal.less-warm"));
    TrialRecord onFreshProcesses = warm.madeOn(new ProcessStart(2, 1));
    assertThat(Attempts.selectedAttempts(List.of(early, onFreshProcesses))).containsExactly(early);
  }
}
