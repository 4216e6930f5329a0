package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.coordinator.fake.StacksAnalysis;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProfiledTrialsTest extends RunFixture {
  @BeforeEach
  void analyse() {
    run.analyses("ranking", StacksAnalysis.ID);
  }

  @Test
  void eachTreatmentIsProfiledOnceAfterTheMeasuredTrialsOfTheFirstBlockAndDoesNotCount() {
    RunFolder folder = run.recorded(FakeRun.blocksOf(2, "put", "put-all"));
    List<TrialRecord> counted = folder.trials();
    assertThat(counted).hasSize(4).noneMatch(trial -> trial.id().startsWith("profile-"));
    assertThat(folder.profiles())
        .extracting(TrialRecord::id)
        .containsExactly("profile-0001-b1-put", "profile-0002-b1-put-all");
    assertThat(folder.profiles())
        .allMatch(trial -> trial.settings().get(CoreSettings.TELEMETRY).equals(List.of("profile")));
    assertThat(folder.profiles().get(0).started()).isGreaterThan(counted.get(1).started());
    assertThat(folder.profiles().get(1).started()).isLessThan(counted.get(2).started());
  }

  @Test
  void theGridIsExaminedOnceWhileTheyLoadIt() {
    RunFolder folder = run.recorded(FakeRun.blocksOf(2, "put", "put-all", "get", "get-all"));
    assertThat(folder.examinations()).hasSize(1);
    assertThat(folder.examinations().get(0).levels()).isEmpty();
    assertThat(folder.examinations().get(0).report().seconds())
        .isEqualTo(4 * AnalysisDeclaration.PROFILE_SECONDS);
    List<String> order = run.grid().order();
    assertThat(order.subList(0, order.indexOf("agent-0 Examine")))
        .filteredOn("agent-0 Measure"::equals)
        .as("measured before")
        .hasSize(4);
  }

  @Test
  void aGridThatCannotBeExaminedLosesNothingElse() {
    run.grid().refuses("agent-0", Command.Examine.class, 0, 1, "It does not answer.");
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put", "put-all"));
    assertThat(folder.trials()).hasSize(2).allMatch(t -> t.throughput().isPresent());
    assertThat(folder.profiles()).hasSize(2);
    assertThat(folder.examinations()).isEmpty();
    assertThat(run.notes()).anyMatch(note -> note.contains("It does not answer."));
  }
}
