package io.pyrometer.coordinator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Reading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TelemetryTest {
  private static final byte[] FILE = new byte[3 * Command.FetchFile.MOST_FILE_BYTES + 17];

  static {
    new Random(11).nextBytes(FILE);
  }

  @TempDir Path folder;

  private final FakeGrid grid = new FakeGrid(new VirtualTime());

  /** A worker whose recorder reads a value and leaves a file. */
  private FakeProcess worker(String name, double value) {
    List<Reading> readings =
        List.of(Reading.lower("seconds", value, "s"), Reading.neutral("queue.max", value, ""));
    grid.answers(
            name,
            Command.PrepareRecording.class,
            new Answer.RecordingPrepared(Map.of(), Optional.empty()))
        .answers(
            name,
            Command.StopRecording.class,
            new Answer.Recorded(2, readings, List.of("/far/away/stalls/file")))
        .on(
            name,
            Command.FetchFile.class,
            (it, told) -> Optional.of(part((Command.FetchFile) told)));
    return (FakeProcess) grid.start(name).get(0);
  }

  private static Answer part(Command.FetchFile fetch) {
    int from = (int) Math.min(FILE.length, fetch.offset());
    byte[] part = Arrays.copyOfRange(FILE, from, Math.min(FILE.length, from + fetch.bytes()));
    return new Answer.FilePart(Base64.getEncoder().encodeToString(part), FILE.length);
  }

  private Readings recorded(List<String> devices, FakeProcess... workers) {
    Telemetry.OfTrial trial =
        Telemetry.of(devices)
            .attach(
                Stream.of(workers)
                    .map(each -> new TelemetryTarget(each, "/far/away", Set.of()))
                    .toList(),
                folder);
    trial.measurementStarted();
    return trial.measurementEnded();
  }

  @Test
  void aDeviceReadsEveryProcessAndSumsThemByRole() throws Exception {
    Readings read =
        recorded(List.of("stalls"), worker("node-0", 1), worker("node-1", 2), worker("agent-0", 4));
    assertThat(read.unavailable()).isEmpty();
    assertThat(read.metrics().get("stalls.seconds.node-1").value()).isEqualTo(2);
    assertThat(read.metrics().get("stalls.seconds.nodes").value()).isEqualTo(3);
    assertThat(read.metrics().get("stalls.queue.max.nodes").value()).isEqualTo(2);
    assertThat(read.metrics().get("stalls.seconds.agents").value()).isEqualTo(4);
    assertThat(read.artefacts())
        .extracting(Readings.Artefact::process)
        .containsExactly("node-0", "node-1", "agent-0");
    assertThat(Files.readAllBytes(read.artefacts().get(2).file())).isEqualTo(FILE);
    assertThat(folder.resolve("agent-0-file")).isEqualTo(read.artefacts().get(2).file());
  }

  @Test
  void theFirstDeviceIsStartedLastAndEndedFirst() {
    FakeProcess worker = worker("node-0", 1);
    recorded(List.of("stalls", "grid"), worker);
    assertThat(worker.told().stream().filter(c -> !(c instanceof Command.FetchFile)))
        .containsExactly(
            new Command.PrepareRecording("stalls", "/far/away/stalls", Map.of()),
            new Command.PrepareRecording("grid", "/far/away/grid", Map.of()),
            new Command.StartRecording("grid"),
            new Command.StartRecording("stalls"),
            new Command.StopRecording("stalls"),
            new Command.StopRecording("grid"));
  }

  @Test
  void aDeviceThatCanRunNowhereGivesOneSentenceAndTheOthersRecord() {
    Answer none = new Answer.RecordingPrepared(Map.of(), Optional.of("There is no grid."));
    grid.answers("node-0", Command.PrepareRecording.class, 0, 1, none)
        .answers("agent-0", Command.PrepareRecording.class, 0, 1, none);
    Readings read = recorded(List.of("grid", "stalls"), worker("node-0", 1), worker("agent-0", 2));
    assertThat(read.unavailable())
        .singleElement()
        .asString()
        .contains("'grid'", "node-0, agent-0", "There is no grid.");
    assertThat(read.metrics()).containsKey("stalls.seconds.node-0");
  }

  @Test
  void aProcessThatFailsIsNamedAndTheOthersAreRead() {
    grid.refuses("node-0", Command.StopRecording.class, 0, 1, "No space left.");
    Readings read = recorded(List.of("stalls"), worker("node-0", 1), worker("node-1", 2));
    assertThat(read.unavailable())
        .singleElement()
        .asString()
        .contains("'stalls'", "node-0", "No space left.");
    assertThat(read.metrics().get("stalls.seconds.nodes").value()).isEqualTo(2);
  }

  @Test
  void aRecorderThatDoesNotDoAsItShouldIsSaid() {
    assertThat(recorded(List.of("stalls")).unavailable()).as("no process").hasSize(1);
    grid.answers("node-0", Command.StopRecording.class, 0, 1, new Answer.Ports(List.of()))
        .answers("node-1", Command.FetchFile.class, 0, 1, new Answer.FilePart("", 5))
        .answers("node-2", Command.FetchFile.class, 0, 1, new Answer.FilePart("AA==", 1L << 40));
    assertThat(
            recorded(
                    List.of("stalls"),
                    worker("node-0", 1),
                    worker("node-1", 1),
                    worker("node-2", 1))
                .unavailable())
        .singleElement()
        .asString()
        .contains("'stalls'", "node-0", "Ports", "node-1", "node-2", "/far/away/stalls/file");
  }

  @Test
  void aProfileNeedsFlagsOfTheJvm() {
    assertThat(Telemetry.of(List.of("profile", "gc")).jvmFlags())
        .containsExactly("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");
    assertThat(Telemetry.of(List.of()).jvmFlags()).isEmpty();
  }
}
