package io.pyrometer.coordinator.telemetry;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The devices that an experiment asked for. None of them can fail a trial. */
public final class Telemetry {
  private final List<TelemetryDevice> devices;

  private Telemetry(List<TelemetryDevice> devices) {
    this.devices = devices;
  }

  /** The devices that a trial's settings ask for. */
  public static Telemetry of(Settings settings) {
    return of(settings.get(CoreSettings.TELEMETRY));
  }

  static Telemetry of(List<String> names) {
    return new Telemetry(names.stream().distinct().map(Telemetry::device).toList());
  }

  private static TelemetryDevice device(String name) {
    return name.equals(TelemetryKind.GC.id())
        ? new GcDevice()
        : name.equals(TelemetryKind.PROFILE.id()) ? new ProfileDevice() : new TelemetryDevice(name);
  }

  /** The flags that the JVMs of workers must be started with. */
  public List<String> jvmFlags() {
    return devices.stream().flatMap(device -> device.jvmFlags().stream()).toList();
  }

  /**
   * Prepares the devices for one trial, after its set-up and before it begins to load.
   *
   * @param folder of the trial's artefacts on this machine; created when something is written
   */
  public OfTrial attach(List<TelemetryTarget> processes, Path folder) {
    return new OfTrial(
        devices.stream().map(device -> new Recorders(device, processes, folder)).toList());
  }

  public static final class OfTrial {
    private final List<Recorders> working;
    private final Readings readings = new Readings("");

    private OfTrial(List<Recorders> recorders) {
      working = new ArrayList<>(recorders);
      working.removeIf(each -> !succeeds(each, each::prepare));
    }

    private boolean succeeds(Recorders recorders, Runnable step) {
      try {
        step.run();
        return true;
      } catch (RuntimeException fault) {
        readings.addUnavailable(
            "Telemetry '%s' failed: %s.".formatted(recorders.device.name(), fault));
        return false;
      }
    }

    /**
     * Starts recording, right before the measured part. The device that stands first is started
     * last and ended first, so that its recording excludes the others' start and end.
     */
    public void measurementStarted() {
      Collections.reverse(working);
      working.removeIf(each -> !succeeds(each, each::start));
      Collections.reverse(working);
    }

    /** Ends recording, right after the measured part, and returns the readings of all devices. */
    public Readings measurementEnded() {
      working.removeIf(each -> !succeeds(each, () -> readings.addAll(each.stop())));
      return readings;
    }
  }

  /**
   * The recorders of one device in all processes of one trial. Commands are sent to all processes
   * at once; their files are fetched over their pipes, so that it does not matter on which host
   * they are. A process that fails is left out from then on.
   */
  private static final class Recorders {
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);

    private static final long MAX_BYTES = 256L << 20;

    private final TelemetryDevice device;
    private final Path folder;
    private final Map<TelemetryTarget, String> failures = new LinkedHashMap<>();
    private List<TelemetryTarget> running;

    Recorders(TelemetryDevice device, List<TelemetryTarget> processes, Path folder) {
      this.device = device;
      this.running = processes.stream().filter(each -> each.recordsOn(device.name())).toList();
      this.folder = folder;
    }

    void prepare() {
      tell(
              process ->
                  new Command.PrepareRecording(
                      device.name(), process.folder() + "/" + device.name(), device.options()),
              Answer.RecordingPrepared.class)
          .forEach(
              (process, answer) ->
                  answer.unavailable().ifPresent(why -> failures.putIfAbsent(process, why)));
    }

    void start() {
      Map<TelemetryTarget, Answer.Done> unused =
          tell(process -> new Command.StartRecording(device.name()), Answer.Done.class);
    }

    Readings stop() {
      List<TelemetryDevice.Recording> recordings = new ArrayList<>();
      tell(process -> new Command.StopRecording(device.name()), Answer.Recorded.class)
          .forEach(
              (process, recorded) -> {
                try {
                  recordings.add(
                      new TelemetryDevice.Recording(
                          process, recorded.readings(), fetch(process, recorded.files())));
                } catch (WorkerException lost) {
                  failures.put(process, lost.sentence());
                } catch (IOException failure) {
                  failures.put(
                      process,
                      Messages.format("coordinator.recording-unwritable", folder, failure));
                }
              });
      Readings readings = new Readings(device.name());
      try {
        device.evaluate(recordings, folder, readings);
      } catch (IOException failure) {
        Readings none = new Readings(device.name());
        none.addUnavailable(
            Messages.format(
                "coordinator.recording-unreadable", device.name(), failure.getMessage()));
        return none;
      }
      if (!failures.isEmpty()) {
        readings.addUnavailable(failed());
      } else if (recordings.isEmpty()) {
        readings.addUnavailable(
            Messages.format("coordinator.telemetry-without-process", device.name()));
      }
      return readings;
    }

    /** Sentence on the processes that failed, which says a reason once for all that share it. */
    private String failed() {
      StringJoiner parts = new StringJoiner(" ");
      Map<String, List<String>> byReason = new LinkedHashMap<>();
      failures.forEach((process, why) -> ListsByKey.add(byReason, why, process.process()));
      byReason.forEach((why, who) -> parts.add(String.join(", ", who) + ": " + why));
      return "Telemetry '%s' did not record %s".formatted(device.name(), parts);
    }

    /** The answers of those that did as they were told; the others have failed. */
    private <A extends Answer> Map<TelemetryTarget, A> tell(
        Function<TelemetryTarget, Command> command, Class<A> kind) {
      running = running.stream().filter(process -> !failures.containsKey(process)).toList();
      Map<TelemetryTarget, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
      running.forEach(process -> asked.put(process, process.worker().send(command.apply(process))));
      Map<TelemetryTarget, A> answers = new LinkedHashMap<>();
      asked.forEach(
          (process, future) -> {
            try {
              answers.put(process, answer(process, future, kind));
            } catch (WorkerException lost) {
              failures.put(process, lost.sentence());
            }
          });
      return answers;
    }

    private List<Path> fetch(TelemetryTarget process, List<String> files) throws IOException {
      List<Path> fetched = new ArrayList<>();
      for (String file : files) {
        String last = file.substring(file.lastIndexOf('/') + 1);
        Path to = Files.createDirectories(folder).resolve(process.process() + "-" + last);
        try (OutputStream out = Files.newOutputStream(to)) {
          for (long offset = 0, size = 1; offset < size; ) {
            Command part = new Command.FetchFile(file, offset, Command.FetchFile.MOST_FILE_BYTES);
            Answer.FilePart answer =
                answer(process, process.worker().send(part), Answer.FilePart.class);
            size = answer.fileBytes();
            if (size > MAX_BYTES) {
              throw WorkerException.refused(
                  "coordinator.recording-too-large", file, size >> 20, MAX_BYTES >> 20);
            }
            byte[] bytes = Base64.getDecoder().decode(answer.base64());
            if (bytes.length == 0 && offset < size) {
              throw WorkerException.mismatch("Its file %s became shorter.", file);
            }
            out.write(bytes);
            offset += bytes.length;
          }
        }
        fetched.add(to);
      }
      return fetched;
    }

    /** The answer of a process, which is not killed if it is late or wrong. */
    private static <A extends Answer> A answer(
        TelemetryTarget process, CompletableFuture<Answer> future, Class<A> kind) {
      try {
        Answer answer = process.worker().get(future, TO_ANSWER);
        if (answer instanceof Answer.Failed failed) {
          throw WorkerException.mismatch(failed.why());
        } else if (!kind.isInstance(answer)) {
          throw WorkerException.mismatch("It answered with %s.", answer);
        }
        return kind.cast(answer);
      } catch (TimeoutException late) {
        throw WorkerException.mismatch("It did not answer within %d s.", TO_ANSWER.toSeconds());
      }
    }
  }
}
