package io.pyrometer.coordinator.run;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * How many servers a grid that a run attaches to has, which must be the same in all of its trials.
 */
final class AttachedServerCount {
  private final RunContext context;
  private final List<TrialRecord> finished;
  private OptionalInt known = OptionalInt.empty();

  /**
   * @param finished every attempt of the run, to which others add
   */
  AttachedServerCount(RunContext context, List<TrialRecord> finished) {
    this.context = context;
    this.finished = finished;
  }

  /** As it was when the run began; empty before it was counted. */
  OptionalInt known() {
    return known;
  }

  /**
   * @param now empty if the grid does not tell
   * @throws RunException if the grid has lost or got servers since the run began
   */
  void require(OptionalInt now) {
    if (now.isEmpty()) {
      return;
    }
    int expected = known.orElseGet(() -> before().orElse(now.getAsInt()));
    known = OptionalInt.of(expected);
    if (now.getAsInt() != expected) {
      throw stopped(
          "has %s in place of %d".formatted(Figures.count(now.getAsInt(), "server"), expected));
    }
  }

  private OptionalInt before() {
    return finished.stream()
        .flatMap(trial -> Stream.ofNullable(trial.configuration().get(Answer.Prepared.SERVERS)))
        .mapToInt(Integer::parseInt)
        .findFirst();
  }

  RunException lost(WorkerException failure) {
    return stopped("cannot be used any more (%s)".formatted(failure.sentence()));
  }

  private RunException stopped(String why) {
    return RunException.of(
        "The run stops because the grid that it attaches to %s; the trials finished so far are saved in %s. Resume the run when the grid is complete again.",
        why, context.folder().path());
  }
}
