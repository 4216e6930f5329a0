package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridRoom;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFactRules.Rule;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RoomCheckTest {
  private static final int BYTES = 60_000;
  private static final RecordShape SHAPE =
      new RecordShape(
          "document",
          Optional.empty(),
          List.of(new FieldShape("text", FieldType.BYTES, BYTES, 0, 0, 0, List.of(), false)));

  static final DriverDescription DRIVER =
      new DriverDescription(
          "two-copies",
          "Test",
          "1",
          "",
          List.of(),
          ServerDescription.NO_PORTS,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          new DataFactRules(List.of(new Rule("copies", "2", List.of(), Map.of()))),
          List.of(),
          List.of());

  private final RoomCheck room =
      new RoomCheck(
          DRIVER, new Grid(new GridRoom(OptionalLong.of(100L << 20), OptionalLong.of(512L << 20))));

  private record Grid(GridRoom room) implements GridSession {
    @Override
    public OptionalInt servers() {
      return OptionalInt.of(2);
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public TrialSession open(TrialSpec trial, Records records, boolean creator) {
      throw new AssertionError("Nothing may be written.");
    }

    @Override
    public void close() {}
  }

  private static TrialSpec trial(Job job, long records) {
    Settings settings = new Settings(Map.of("path", "put-all", "records", records));
    return new TrialSpec("t", 0, 0, Map.of(), job, settings, SHAPE, 7);
  }

  @Test
  void recordsMustFitWithAllTheirCopies() {
    assertThatCode(() -> room.ofRecords(trial(Job.WRITE, 690))).doesNotThrowAnyException();
    assertThatThrownBy(() -> room.ofRecords(trial(Job.MIX, 700)))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(" 80 MB");
  }

  @Test
  void recordsThatAreThereAlreadyAreNotWritten() {
    assertThatCode(() -> room.ofRecords(trial(Job.READ, 1_000_000))).doesNotThrowAnyException();
  }

  @Test
  void aProductThatDoesNotTellItsRoomIsNotJudged() {
    RoomCheck unknown = new RoomCheck(DRIVER, new Grid(GridRoom.UNKNOWN));
    TrialSpec large = trial(Job.WRITE, 1_000_000);
    assertThatCode(() -> unknown.ofRecords(large)).doesNotThrowAnyException();
    AccessPath path = path(1_000_000, new AtomicBoolean());
    assertThat(unknown.ofCalls(path, large, records(large), 1)).isSameAs(path);
  }

  @Test
  void callsMustFitIntoAQuarterOfTheHeaps() {
    TrialSpec trial = trial(Job.WRITE, 800);
    AtomicBoolean closed = new AtomicBoolean();
    AccessPath fits = path(1_000, closed);
    assertThat(room.ofCalls(fits, trial, records(trial), 4)).isSameAs(fits);
    assertThatThrownBy(() -> room.ofCalls(path(1_000, closed), trial, records(trial), 5))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(" 286 MB");
    assertThat(closed).isTrue();
  }

  private static Records records(TrialSpec trial) {
    return Records.of(trial);
  }

  private static AccessPath path(int batch, AtomicBoolean closed) {
    return FunctionPath.writing("put-all", batch, call -> {}).closing(() -> closed.set(true));
  }
}
