package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.message.Messages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Carries out the commands of telemetry: every {@link Recorder} of the class path, and the files
 * they leave.
 */
public final class Recorders {
  private final Map<String, Recorder> byDevice = new TreeMap<>();
  private final Map<String, Long> startedNanos = new HashMap<>();
  private final Supplier<Optional<GridMetrics>> grid;

  /**
   * @param grid the product's metrics in this process, asked for at each preparation
   */
  public Recorders(Supplier<Optional<GridMetrics>> grid) {
    this(ServiceLoader.load(Recorder.class), grid);
  }

  Recorders(Iterable<Recorder> recorders, Supplier<Optional<GridMetrics>> grid) {
    recorders.forEach(recorder -> byDevice.put(recorder.device(), recorder));
    this.grid = grid;
  }

  /** Recorders of a server that is watched from this process. */
  public static Recorders of(WatchedServer server) {
    return new Recorders(
        List.of(new GridRecorder(), new WatchedGcRecorder(server)),
        () -> Optional.of(server.metrics()));
  }

  /**
   * The answer to a command of telemetry; empty for any other.
   *
   * @throws GridException with one sentence if the command failed
   */
  public Optional<Answer> answer(Command command) {
    if (command instanceof Command.PrepareRecording prepare) {
      return Optional.of(prepare(prepare));
    } else if (command instanceof Command.StartRecording start) {
      recorder(start.device()).start();
      startedNanos.put(start.device(), System.nanoTime());
      return Optional.of(new Answer.Done());
    } else if (command instanceof Command.StopRecording stop) {
      return Optional.of(stop(stop.device()));
    } else if (command instanceof Command.FetchFile fetch) {
      return Optional.of(read(fetch));
    }
    return Optional.empty();
  }

  private Answer.RecordingPrepared prepare(Command.PrepareRecording command) {
    try {
      Recorder recorder = recorder(command.device());
      Path folder = Files.createDirectories(Path.of(command.folder()).toAbsolutePath());
      return new Answer.RecordingPrepared(
          recorder.prepare(new Recorder.Setup(folder, command.options(), grid.get())),
          Optional.empty());
    } catch (GridException unavailable) {
      return new Answer.RecordingPrepared(
          Map.of(), Optional.of(String.valueOf(unavailable.getMessage())));
    } catch (IOException failure) {
      return new Answer.RecordingPrepared(
          Map.of(), Optional.of("The folder " + command.folder() + " cannot be made: " + failure));
    }
  }

  private Answer.Recorded stop(String device) {
    Long started = startedNanos.remove(device);
    if (started == null) {
      throw new GridException("The recorder of '" + device + "' is not started.");
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    Recorder.Result result = recorder(device).stop();
    return new Answer.Recorded(
        seconds, result.readings(), result.files().stream().map(Path::toString).toList());
  }

  private Recorder recorder(String device) {
    Recorder recorder = byDevice.get(device);
    if (recorder == null) {
      throw GridException.of(Messages.format("worker.no-recorder"), device, byDevice.keySet());
    }
    return recorder;
  }

  private static Answer.FilePart read(Command.FetchFile fetch) {
    int bytes = Math.min(fetch.bytes(), Command.FetchFile.MOST_FILE_BYTES);
    try (RandomAccessFile file = new RandomAccessFile(fetch.file(), "r")) {
      file.seek(fetch.offset());
      byte[] part = Channels.newInputStream(file.getChannel()).readNBytes(Math.max(0, bytes));
      return new Answer.FilePart(Base64.getEncoder().encodeToString(part), file.length());
    } catch (FileNotFoundException absent) {
      throw new GridException("There is no file " + fetch.file() + " to fetch.", absent);
    } catch (IOException failure) {
      throw GridException.of(
          "The file %s cannot be read: %s.", fetch.file(), failure.getMessage(), failure);
    }
  }
}
