package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.TelemetryKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A device whose recorder of the same id runs inside each worker's JVM. It is told to all processes
 * at once; their files are fetched over their pipes, so that it does not matter on which host they
 * are.
 */
class RecorderDevice implements TelemetryDevice {
  private static final Duration TO_ANSWER = Duration.ofSeconds(30);

  /** A file larger than this is left where it is. */
  private static final long MOST_BYTES = 256L << 20;

  private final String name;

  RecorderDevice(TelemetryKind kind) {
    this.name = kind.id();
  }

  @Override
  public final String name() {
    return name;
  }

  /** What the recorders are told. */
  Map<String, String> options() {
    return Map.of();
  }

  /**
   * What one process's recorder left.
   *
   * @param files fetched to this machine
   */
  record Recording(
      TelemetryTarget process, double seconds, List<Reading> readings, List<Path> files) {}

  /**
   * Makes metrics and artefacts of what the recorders left; by default the recorders' own values,
   * and each file as it is.
   */
  void evaluate(List<Recording> recordings, Path folder, Readings.Builder into) throws IOException {
    for (Recording recording : recordings) {
      recording.readings().forEach(reading -> into.addWithRole(recording.process(), reading));
      for (Path file : recording.files()) {
        into.add(new Readings.Artefact(name, recording.process().process(), file));
      }
    }
  }

  @Override
  public final Attachment attach(List<TelemetryTarget> processes, Path folder) {
    Recorders recorders = new Recorders(folder);
    List<TelemetryTarget> ready = new ArrayList<>();
    recorders
        .tell(
            processes,
            process -> new Command.PrepareRecording(name, process.folder() + "/" + name, options()),
            Answer.RecordingPrepared.class)
        .forEach(
            (process, answer) ->
                answer
                    .unavailable()
                    .ifPresentOrElse(
                        why -> recorders.failed(process, why), () -> ready.add(process)));
    recorders.requireAny(ready);
    recorders.running = ready;
    return recorders;
  }

  /** The recorders of one trial. */
  private final class Recorders implements Attachment {
    private final Path folder;
    private final Map<String, String> failures = new LinkedHashMap<>();
    private List<TelemetryTarget> running = List.of();

    Recorders(Path folder) {
      this.folder = folder;
    }

    @Override
    public void measurementStarted() {
      running =
          List.copyOf(
              tell(running, process -> new Command.StartRecording(name), Answer.Done.class)
                  .keySet());
      requireAny(running);
    }

    @Override
    public Readings measurementEnded() {
      List<Recording> recordings = new ArrayList<>();
      tell(running, process -> new Command.StopRecording(name), Answer.Recorded.class)
          .forEach(
              (process, recorded) -> {
                try {
                  recordings.add(
                      new Recording(
                          process,
                          recorded.seconds(),
                          recorded.readings(),
                          fetch(process, recorded.files())));
                } catch (TelemetryException lost) {
                  failed(process, lost.sentence());
                } catch (IOException failure) {
                  failed(process, "Its file cannot be written to " + folder + ": " + failure);
                }
              });
      requireAny(recordings);
      Readings.Builder into = new Readings.Builder(name);
      try {
        evaluate(recordings, folder, into);
      } catch (IOException failure) {
        throw new TelemetryException(
            "The recordings of '%s' cannot be read: %s.".formatted(name, failure.getMessage()),
            failure);
      }
      if (!failures.isEmpty()) {
        into.unavailable(sentence());
      }
      return into.build();
    }

    /** Of processes that fail alike, the sentence is said once. */
    private String sentence() {
      Map<String, List<String>> byReason = new LinkedHashMap<>();
      failures.forEach(
          (process, why) -> byReason.computeIfAbsent(why, w -> new ArrayList<>()).add(process));
      List<String> parts = new ArrayList<>();
      byReason.forEach((why, who) -> parts.add(String.join(", ", who) + ": " + why));
      return "Telemetry '%s' did not record %s".formatted(name, String.join(" ", parts));
    }

    private void failed(TelemetryTarget process, String why) {
      failures.putIfAbsent(process.process(), why);
    }

    private void requireAny(List<?> some) {
      if (some.isEmpty()) {
        throw new TelemetryException(
            failures.isEmpty()
                ? "Telemetry '%s' found no process to record.".formatted(name)
                : sentence());
      }
    }

    /** The answers of those that did what they were told; the others are noted as failed. */
    private <A extends Answer> Map<TelemetryTarget, A> tell(
        List<TelemetryTarget> processes,
        java.util.function.Function<TelemetryTarget, Command> command,
        Class<A> kind) {
      Map<TelemetryTarget, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
      processes.forEach(process -> asked.put(process, process.send(command.apply(process))));
      Map<TelemetryTarget, A> answers = new LinkedHashMap<>();
      asked.forEach(
          (process, future) -> {
            try {
              answers.put(process, answer(process, future, kind));
            } catch (TelemetryException failure) {
              failed(process, failure.sentence());
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
          long offset = 0;
          for (long size = 1; offset < size; ) {
            Answer.FilePart part =
                answer(
                    process,
                    process.send(
                        new Command.FetchFile(file, offset, Command.FetchFile.MOST_FILE_BYTES)),
                    Answer.FilePart.class);
            size = part.fileBytes();
            if (size > MOST_BYTES) {
              throw new TelemetryException(
                  "Its file %s is of %d MiB, more than the %d MiB that are fetched."
                      .formatted(file, size >> 20, MOST_BYTES >> 20));
            }
            byte[] bytes = Base64.getDecoder().decode(part.base64());
            if (bytes.length == 0 && offset < size) {
              throw new TelemetryException("Its file " + file + " became shorter.");
            }
            out.write(bytes);
            offset += bytes.length;
          }
        }
        fetched.add(to);
      }
      return fetched;
    }

    private <A extends Answer> A answer(
        TelemetryTarget process, CompletableFuture<Answer> future, Class<A> kind) {
      try {
        Answer answer = process.time().await(future, TO_ANSWER);
        if (answer instanceof Answer.Failed failed) {
          throw new TelemetryException(failed.why());
        } else if (!kind.isInstance(answer)) {
          throw new TelemetryException("It answered with " + answer + ".");
        }
        return kind.cast(answer);
      } catch (ExecutionException gone) {
        String why = gone.getCause() == null ? null : gone.getCause().getMessage();
        throw new TelemetryException(why == null ? "It is gone." : why, gone);
      } catch (TimeoutException late) {
        throw new TelemetryException(
            "It did not answer within %d s.".formatted(TO_ANSWER.toSeconds()), late);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new TelemetryException("Waiting for it was interrupted.", interrupted);
      }
    }
  }
}
