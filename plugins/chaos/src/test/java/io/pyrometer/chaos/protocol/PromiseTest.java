package io.pyrometer.chaos.protocol;

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
    String words =
        faults.length == 0
            ? "none"
            : Arrays.stream(faults).map(FaultKind::word).collect(Collectors.joining(","));
    Settings settings =
        Settings.NONE.with(CoreSettings.PATH, path).with(ChaosSettings.FAULTS.name(), words);
    TrialSpec trial =
        new TrialSpec(
            "0001",
            0,
            0,
            Map.of(),
            ChaosMessages.JOB,
            settings,
            new RecordShape("chaos", Optional.empty(), List.of()),
            7);
    return Promise.ofPrimaryCopies(
        trial, new DataFacts(copies, Placement.PARTITIONED, by, Durability.MEMORY, reads));
  }

  private static Promise backed(FaultKind... faults) {
    return of(ChaosSettings.REGISTERS, 2, Acknowledgement.ALL, Reads.PRIMARY, faults);
  }

  @Test
  void aGridPromisesLessWhenServersLeaveAndNothingWhenItIsSplit() {
    assertThat(backed()).isEqualTo(Promise.LINEARIZABLE);
    assertThat(backed(FaultKind.PAUSE, FaultKind.LOSS)).isEqualTo(Promise.LINEARIZABLE);
    assertThat(backed(FaultKind.PAUSE, FaultKind.KILL)).isEqualTo(Promise.REGULAR);
    assertThat(backed(FaultKind.KILL, FaultKind.ONE_WAY)).isEqualTo(Promise.NONE);
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
  void copiesThatAnswerReadsAreRegularIfAWriteWaitsForThem() {
    assertThat(of(ChaosSettings.REGISTERS, 2, Acknowledgement.ALL, Reads.ANY))
        .isEqualTo(Promise.REGULAR);
    assertThat(of(ChaosSettings.REGISTERS, 2, Acknowledgement.NONE, Reads.ANY))
        .isEqualTo(Promise.NONE);
  }
}
