package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.JMException;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * A recording of Java Flight Recorder. The option {@value #SETTINGS} names the JDK's settings:
 * {@code default} or {@code profile}.
 */
public final class JfrRecorder implements Recorder {
  static final String SETTINGS = "settings";

  /** The newest events are kept, so that a long trial cannot fill the disk. */
  private static final long MOST_BYTES = 128L << 20;

  private Optional<Recording> recording = Optional.empty();
  private Path file = Path.of("recording.jfr");

  @Override
  public String device() {
    return "jfr";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    recording.ifPresent(Recording::close);
    if (!FlightRecorder.isAvailable()) {
      throw new GridException(
          "This JVM has no Java Flight Recorder, or it is switched off with"
              + " -XX:-FlightRecorder.");
    }
    String settings = setup.option(SETTINGS, "profile");
    try {
      initialize(setup.folder());
      Recording made = new Recording(Configuration.getConfiguration(settings));
      made.setName("pyrometer");
      made.setToDisk(true);
      made.setMaxSize(MOST_BYTES);
      file = setup.folder().resolve("recording.jfr");
      recording = Optional.of(made);
    } catch (IOException | ParseException failure) {
      throw GridException.of(
          "The JDK has no settings '%s' of Java Flight Recorder: %s.",
          settings, failure.getMessage(), failure);
    }
    return Map.of(SETTINGS, settings);
  }

  /**
   * Makes the JVM keep its recordings in a folder that Pyrometer removes: by default they are in
   * that for temporary files, where a JVM that is killed leaves them.
   */
  static void initialize(Path folder) {
    try {
      if (!FlightRecorder.isInitialized()) {
        String unused =
            DiagnosticCommand.run("jfrConfigure", "repositorypath=\"%s\"".formatted(folder));
      }
    } catch (JMException unsupported) {
      // Recordings are kept in the default folder.
    }
    FlightRecorder unused = FlightRecorder.getFlightRecorder();
  }

  @Override
  public void start() {
    recording().start();
  }

  @Override
  public Result stop() {
    try (Recording running = recording()) {
      recording = Optional.empty();
      running.stop();
      running.dump(file);
    } catch (IOException failure) {
      throw GridException.of(
          "The flight recording cannot be written to %s: %s.", file, failure.getMessage(), failure);
    }
    return new Result(List.of(), List.of(file));
  }

  private Recording recording() {
    return recording.orElseThrow(() -> new GridException("No flight recording is prepared."));
  }
}
