package io.pyrometer.coordinator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.TelemetryKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TelemetryTest {
  private static final byte[] FILE = new byte[3 * Command.FetchFile.MOST_FILE_BYTES + 17];

  static {
    new Random(11).nextBytes(FILE);
  }

  @TempDir Path folder;

  /** A worker whose recorder reads a value and leaves a file. */
  private static final class FakeWorker {
    private final String process;
    private final double value;
    private final Function<Command, Optional<Answer>> first;
    private final List<Command> told = new ArrayList<>();

    FakeWorker(String process, double value) {
      this(process, value, command -> Optional.empty());
    }

    FakeWorker(String process, double value, Function<Command, Optional<Answer>> first) {
      this.process = process;
      this.value = value;
      this.first = first;
    }

    FakeWorker(String process, double value, Class<?> to, Answer own) {
      this(process, value, command -> to.isInstance(command) ? Optional.of(own) : Optional.empty());
    }

    TelemetryTarget target() {
      String role = process.startsWith("node") ? "nodes" : "agents";
      return new TelemetryTarget(process, role, "/far/away", Set.of(), this::send, Time.SYSTEM);
    }

    private CompletableFuture<Answer> send(Command command) {
      told.add(command);
      return CompletableFuture.completedFuture(
          first.apply(command).orElseGet(() -> usual(command)));
    }

    private Answer usual(Command command) {
      if (command instanceof Command.PrepareRecording) {
        return new Answer.RecordingPrepared(Map.of(), Optional.empty());
      } else if (command instanceof Command.StopRecording) {
        Reading seconds = Reading.lower("seconds", value, "s");
        Reading queue = Reading.neutral("queue.max", value, "");
        return new Answer.Recorded(2, List.of(seconds, queue), List.of("/far/away/stalls/file"));
      } else if (command instanceof Command.FetchFile fetch) {
        int from = (int) Math.min(FILE.length, fetch.offset());
        byte[] part = Arrays.copyOfRange(FILE, from, Math.min(FILE.length, from + fetch.bytes()));
        return new Answer.FilePart(Base64.getEncoder().encodeToString(part), FILE.length);
      }
      return new Answer.Done();
    }
  }

  private Readings recorded(List<String> devices, FakeWorker... workers) {
    Telemetry.OfTrial trial =
        Telemetry.of(devices)
            .attach(Arrays.stream(workers).map(FakeWorker::target).toList(), folder);
    trial.measurementStarted();
    return trial.measurementEnded();
  }

  @Test
  void aDeviceReadsEveryProcessAndSumsThemByRole() throws Exception {
    Readings read =
        recorded(
            List.of("stalls"),
            new FakeWorker("node-0", 1),
            new FakeWorker("node-1", 2),
            new FakeWorker("agent-0", 4));
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
    FakeWorker worker = new FakeWorker("node-0", 1);
    recorded(List.of("stalls", "grid"), worker);
    assertThat(worker.told.stream().filter(c -> !(c instanceof Command.FetchFile)))
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
    Function<Command, Optional<Answer>> noGrid =
        command ->
            command instanceof Command.PrepareRecording p && p.device().equals("grid")
                ? Optional.of(
                    new Answer.RecordingPrepared(Map.of(), Optional.of("There is no grid.")))
                : Optional.empty();
    Readings read =
        recorded(
            List.of("grid", "stalls"),
            new FakeWorker("node-0", 1, noGrid),
            new FakeWorker("agent-0", 2, noGrid));
    assertThat(read.unavailable())
        .singleElement()
        .asString()
        .contains("'grid'", "node-0, agent-0", "There is no grid.");
    assertThat(read.metrics()).containsKey("stalls.seconds.node-0");
  }

  @Test
  void aProcessThatFailsIsNamedAndTheOthersAreRead() {
    FakeWorker broken =
        new FakeWorker(
            "node-0", 1, Command.StopRecording.class, new Answer.Failed("No space left."));
    Readings read = recorded(List.of("stalls"), broken, new FakeWorker("node-1", 2));
    assertThat(read.unavailable())
        .singleElement()
        .asString()
        .contains("'stalls'", "node-0", "No space left.");
    assertThat(read.metrics().get("stalls.seconds.nodes").value()).isEqualTo(2);
  }

  @Test
  void aFileThatIsTooLargeIsLeftWhereItIs() {
    FakeWorker huge =
        new FakeWorker("node-0", 1, Command.FetchFile.class, new Answer.FilePart("AA==", 1L << 40));
    assertThat(recorded(List.of("stalls"), huge).unavailable())
        .singleElement()
        .asString()
        .contains("/far/away/stalls/file", "256 MiB");
  }

  @Test
  void aRecorderThatDoesNotDoAsItShouldIsSaid() {
    assertThat(recorded(List.of("stalls")).unavailable()).as("no process").hasSize(1);
    FakeWorker nonsense =
        new FakeWorker("node-0", 1, Command.StopRecording.class, new Answer.Ports(List.of()));
    assertThat(recorded(List.of("stalls"), nonsense).unavailable())
        .singleElement()
        .asString()
        .contains("'stalls'", "node-0", "Ports");
    FakeWorker cut =
        new FakeWorker("node-0", 1, Command.FetchFile.class, new Answer.FilePart("", 5));
    assertThat(recorded(List.of("stalls"), cut).unavailable())
        .singleElement()
        .asString()
        .contains("/far/away/stalls/file");
  }

  @Test
  void aRecordingThatCannotBeReadIsSaidWithTheDevice() {
    FakeWorker garbled =
        new FakeWorker("node-0", 1, Command.FetchFile.class, new Answer.FilePart("AAAA", 3));
    assertThat(recorded(List.of("profile"), garbled).unavailable())
        .singleElement()
        .asString()
        .contains("'profile'");
  }

  @Test
  void aFaultOfADeviceItselfIsASentenceToo() {
    TelemetryDevice faulty =
        new TelemetryDevice(TelemetryKind.GRID) {
          @Override
          Map<String, String> options() {
            throw new IllegalStateException("a defect");
          }
        };
    Telemetry.OfTrial trial =
        new Telemetry(List.of(faulty))
            .attach(List.of(new FakeWorker("node-0", 1).target()), folder);
    trial.measurementStarted();
    assertThat(trial.measurementEnded().unavailable())
        .singleElement()
        .asString()
        .contains("'grid'", "a defect");
  }

  @Test
  void everyDeviceIsFoundByNameAndAnotherIsRefused() {
    assertThat(Telemetry.all())
        .extracting(TelemetryDevice::name)
        .containsExactly("gc", "grid", "profile", "stalls");
    assertThatThrownBy(() -> Telemetry.of(List.of("gc", "perf"))).hasMessageContaining("'perf'");
    assertThat(Telemetry.of(List.of("profile", "gc")).jvmFlags())
        .containsExactly("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");
    assertThat(Telemetry.of(List.of()).jvmFlags()).isEmpty();
  }
}
