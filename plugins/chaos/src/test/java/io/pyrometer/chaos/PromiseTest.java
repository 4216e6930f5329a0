package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PromiseTest {

  private static Promise of(
      String path, int copies, Acknowledgement by, Reads reads, FaultKind... faults) {
    return Promise.ofPrimaryCopies(trial(path, faults), data(copies, by, reads));
  }

  private static DataFacts data(int copies, Acknowledgement by, Reads reads) {
    return new DataFacts(copies, Placement.PARTITIONED, by, Durability.MEMORY, reads);
  }

  private static TrialSpec trial(String path, FaultKind... faults) {
    String words =
        faults.length == 0
            ? "none"
            : Arrays.stream(faults).map(FaultKind::word).collect(Collectors.joining(","));
    Settings settings =
        Settings.NONE.with(CoreSettings.PATH, path).with(ChaosSettings.FAULTS.name(), words);
    return new TrialSpec(
        "0001",
        0,
        0,
        Map.of(),
        ChaosMessages.JOB,
        settings,
        new RecordShape("chaos", Optional.empty(), List.of()),
        7);
  }

  private static Promise backed(FaultKind... faults) {
    return of(ChaosSettings.REGISTERS, 2, Acknowledgement.ALL, Reads.PRIMARY, faults);
  }

  @Test
  void aGridPromisesLessWhenServersLeaveAndNothingWhenItIsSplit() {
    assertThat(backed()).isEqualTo(Promise.LINEARIZABLE);
    assertThat(backed(FaultKind.PAUSE, FaultKind.LOSS)).isEqualTo(Promise.LINEARIZABLE);
    assertThat(backed(FaultKind.PAUSE, FaultKind.KILL)).isEqualTo(Promise.REGULAR);
    assertThat(backed(FaultKind.HEAP)).isEqualTo(Promise.REGULAR);
    assertThat(backed(FaultKind.DISK_FULL)).isEqualTo(Promise.REGULAR);
    assertThat(backed(FaultKind.READ_ONLY, FaultKind.DEACTIVATE, FaultKind.CLOCK_JUMP))
        .isEqualTo(Promise.LINEARIZABLE);
    assertThat(backed(FaultKind.KILL, FaultKind.ONE_WAY)).isEqualTo(Promise.NONE);
    assertThat(backed(FaultKind.RING)).isEqualTo(Promise.NONE);
  }

  @Test
  void nothingIsPromisedOfWritesThatAreInOneCopyWhenItsServerIsKilled() {
    assertThat(of(ChaosSettings.REGISTERS, 1, Acknowledgement.ALL, Reads.PRIMARY, FaultKind.KILL))
        .isEqualTo(Promise.NONE);
    assertThat(
            of(ChaosSettings.REGISTERS, 2, Acknowledgement.PRIMARY, Reads.PRIMARY, FaultKind.STOP))
        .isEqualTo(Promise.NONE);
    assertThat(of(ChaosSettings.COUNTERS, 2, Acknowledgement.ALL, Reads.PRIMARY, FaultKind.KILL))
        .isEqualTo(Promise.NONE);
  }

  @Test
  void nobodyPromisesWhatIsLostWithAServer() {
    TrialSpec kill = trial(ChaosSettings.REGISTERS, FaultKind.KILL);
    TrialSpec pause = trial(ChaosSettings.REGISTERS, FaultKind.PAUSE);
    DataFacts majority = data(3, Acknowledgement.MAJORITY, Reads.PRIMARY);
    DataFacts alone = data(1, Acknowledgement.MAJORITY, Reads.PRIMARY);
    DataFacts behind = data(2, Acknowledgement.PRIMARY, Reads.ANY);
    assertThat(Promise.LINEARIZABLE.given(kill, majority)).isEqualTo(Promise.LINEARIZABLE);
    assertThat(Promise.LINEARIZABLE.given(kill, alone)).isEqualTo(Promise.NONE);
    assertThat(Promise.LINEARIZABLE.given(pause, alone)).isEqualTo(Promise.LINEARIZABLE);
    assertThat(Promise.LINEARIZABLE.given(pause, behind)).isEqualTo(Promise.NONE);
  }

  @Test
  void copiesThatAnswerReadsAreRegularIfAWriteWaitsForThem() {
    assertThat(of(ChaosSettings.REGISTERS, 2, Acknowledgement.ALL, Reads.ANY))
        .isEqualTo(Promise.REGULAR);
    assertThat(of(ChaosSettings.REGISTERS, 2, Acknowledgement.NONE, Reads.ANY))
        .isEqualTo(Promise.NONE);
  }
}
