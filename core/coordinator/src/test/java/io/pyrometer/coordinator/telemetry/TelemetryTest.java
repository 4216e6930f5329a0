package io.pyrometer.coordinator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.Settings;
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

    TelemetryTarget target() {
      String role = process.startsWith("node") ? "nodes" : "agents";
      return new TelemetryTarget(process, role, "/far/away", Set.of(), this::send, Time.SYSTEM);
    }

    private CompletableFuture<Answer> send(Command command) {
      told.add(command);
      Optional<Answer> own = first.apply(command);
      if (own.isPresent()) {
        return CompletableFuture.completedFuture(own.get());
      } else if (command instanceof Command.PrepareRecording) {
        return CompletableFuture.completedFuture(
            new Answer.RecordingPrepared(Map.of(), Optional.empty()));
      } else if (command instanceof Command.StopRecording) {
        return CompletableFuture.completedFuture(
            new Answer.Recorded(
                2,
                List.of(
                    Reading.lower("seconds", value, "s"), Reading.neutral("queue.max", value, "")),
                List.of("/far/away/stalls/file")));
      } else if (command instanceof Command.FetchFile fetch) {
        int from = (int) Math.min(FILE.length, fetch.offset());
        int to = Math.min(FILE.length, from + fetch.bytes());
        return CompletableFuture.completedFuture(
            new Answer.FilePart(
                Base64.getEncoder().encodeToString(Arrays.copyOfRange(FILE, from, to)),
                FILE.length));
      }
      return CompletableFuture.completedFuture(new Answer.Done());
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
  void workersAreToldInTheOrderOfATrialAndUnderTheFolderOfTheDevice() {
    FakeWorker worker = new FakeWorker("node-0", 1);
    recorded(List.of("stalls"), worker);
    assertThat(worker.told.subList(0, 3))
        .containsExactly(
            new Command.PrepareRecording("stalls", "/far/away/stalls", Map.of()),
            new Command.StartRecording("stalls"),
            new Command.StopRecording("stalls"));
  }

  @Test
  void theFirstDeviceIsStartedLastAndEndedFirst() {
    FakeWorker worker = new FakeWorker("node-0", 1);
    recorded(List.of("stalls", "grid"), worker);
    assertThat(worker.told.stream().filter(c -> !(c instanceof Command.FetchFile)).skip(2))
        .containsExactly(
            new Command.StartRecording("grid"),
            new Command.StartRecording("stalls"),
            new Command.StopRecording("stalls"),
            new Command.StopRecording("grid"));
  }

  @Test
  void onlyWhatTheSettingsAskForRecords() {
    FakeWorker worker = new FakeWorker("node-0", 1);
    Telemetry.OfTrial unused =
        Telemetry.of(Settings.NONE.with("telemetry", "gc,grid"))
            .attach(List.of(worker.target()), folder);
    assertThat(worker.told)
        .extracting(command -> ((Command.PrepareRecording) command).device())
        .containsExactly("gc", "grid");
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
        .containsExactly("Telemetry 'grid' did not record node-0, agent-0: There is no grid.");
    assertThat(read.metrics()).containsKey("stalls.seconds.node-0");
  }

  @Test
  void aProcessThatFailsIsNamedAndTheOthersAreRead() {
    Function<Command, Optional<Answer>> broken =
        command ->
            command instanceof Command.StopRecording
                ? Optional.of(new Answer.Failed("No space left."))
                : Optional.empty();
    Readings read =
        recorded(
            List.of("stalls"), new FakeWorker("node-0", 1, broken), new FakeWorker("node-1", 2));
    assertThat(read.unavailable())
        .containsExactly("Telemetry 'stalls' did not record node-0: No space left.");
    assertThat(read.metrics().get("stalls.seconds.nodes").value()).isEqualTo(2);
  }

  @Test
  void aFileThatIsTooLargeIsLeftWhereItIs() {
    Function<Command, Optional<Answer>> huge =
        command ->
            command instanceof Command.FetchFile
                ? Optional.of(new Answer.FilePart("AA==", 1L << 40))
                : Optional.empty();
    assertThat(recorded(List.of("stalls"), new FakeWorker("node-0", 1, huge)).unavailable())
        .containsExactly(
            "Telemetry 'stalls' did not record node-0: Its file /far/away/stalls/file is of 1048576"
                + " MiB, more than the 256 MiB that are fetched.");
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
        .containsExactly("Telemetry 'grid' failed: java.lang.IllegalStateException: a defect.");
  }

  @Test
  void everyDeviceIsFoundByNameAndAnotherIsRefused() {
    assertThat(Telemetry.all())
        .extracting(TelemetryDevice::name)
        .containsExactly("gc", "grid", "profile", "stalls");
    assertThatThrownBy(() -> Telemetry.of(List.of("gc", "perf")))
        .hasMessage("There is no telemetry 'perf'; there is gc, grid, profile, stalls.");
    assertThat(Telemetry.of(List.of("profile", "gc")).jvmFlags())
        .containsExactly("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");
    assertThat(Telemetry.of(List.of()).jvmFlags()).isEmpty();
  }
}
