package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.Margins;
import io.pyrometer.results.compare.RunComparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An interleaved run from its plan to its verdict, with the code that the command uses: only what
 * the trials measure is made up.
 */
@Tag("simulation")
class InterleavedStoppingTest {
  private static final int MOST = 20;

  @TempDir Path runs;

  private record End(GateVerdict outcome, int blocks) {}

  private End end(double noise, double factor, long seed) {
    MadeUpRun made = MadeUpExperiment.interleaved(MOST).noise(noise).seed(seed);
    RunFolder folder = made.write(runs, trial -> Double.NaN);
    PlannedRun plan = folder.plan();
    Map<String, TrialRecord> measured = new HashMap<>();
    made.records(
            trial ->
                1000
                    * (1 + 0.1 * trial.block())
                    * ("B".equals(trial.levels().get(InterleavedPlan.FACTOR)) ? factor : 1))
        .forEach(record -> measured.put(record.id(), record));
    RunRecord begun = RunRecord.load(folder);
    TrialSource source = TrialSource.until(plan.groups(), RunComparison.decided(begun));
    List<TrialRecord> history = new ArrayList<>();
    for (Optional<Group> next = source.next(history);
        next.isPresent();
        next = source.next(history)) {
      next.get().trials().forEach(trial -> history.add(measured.get(trial.id())));
    }
    RunRecord whole =
        new RunRecord(folder, plan, begun.environment(), List.copyOf(history), List.of());
    return new End(
        RunComparison.interleaved(whole, Margins.DEFAULT, JudgedMetrics.USUAL).outcome(),
        whole.blocksSeen());
  }

  @Test
  void stoppingWhenItIsClearRaisesFewFalseAlarms() {
    int alarms = 0;
    for (int i = 0; i < 60; i++) {
      alarms += end(0.05, 1, 1000 + i).outcome() == GateVerdict.REGRESSION ? 1 : 0;
    }
    // At most 1 in 100: three would be seen in 2 of 100 such tests at that rate.
    assertThat(alarms).isLessThanOrEqualTo(2);
  }

  @Test
  void aLossOfTenPercentIsFoundEarlyAndQuietVersionsPassEarly() {
    int found = 0;
    int passed = 0;
    int blocks = 0;
    for (int i = 0; i < 20; i++) {
      End slower = end(0.03, 0.9, 2000 + i);
      found += slower.outcome() == GateVerdict.REGRESSION ? 1 : 0;
      blocks += slower.blocks();
      End same = end(0.01, 1, 3000 + i);
      passed += same.outcome() == GateVerdict.PASS ? 1 : 0;
      assertThat(same.blocks()).isLessThan(MOST);
    }
    assertThat(found).isGreaterThanOrEqualTo(19);
    assertThat(blocks / 20.0).isLessThan(14);
    assertThat(passed).isEqualTo(20);
  }
}
