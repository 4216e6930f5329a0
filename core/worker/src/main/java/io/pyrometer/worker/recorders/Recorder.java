package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a telemetry device that runs inside a worker's JVM. Found by {@link
 * java.util.ServiceLoader}, so that a new one changes nothing in the worker; one instance serves
 * all trials of its process, one after the other.
 */
public interface Recorder {

  /** The telemetry device whose recorder this is, as experiments name it. */
  String device();

  /**
   * Loads and allocates what the recording needs, so that its start disturbs little.
   *
   * @return how it will record, by name; may be empty
   * @throws GridException with one sentence that says why it cannot run here
   */
  Map<String, String> prepare(Setup setup);

  /** Starts to record; told once after each {@link #prepare}. */
  void start();

  /** Stops, writes files and forgets what it was prepared for. */
  Result stop();

  /**
   * Surroundings that a recorder is given.
   *
   * @param folder exists and is the device's own; files of an earlier trial may be overwritten
   * @param options of the device, by name
   * @param grid the product's metrics in this process; empty where it keeps none
   */
  record Setup(Path folder, Map<String, String> options, Optional<GridMetrics> grid) {
    static final Setup NONE = new Setup(Path.of("."), Map.of(), Optional.empty());

    /**
     * Writes activities by their kind to a file.
     *
     * @throws GridException with one sentence if it cannot be written
     */
    Path write(Map<String, List<GridActivity>> activities) {
      Path file = folder.resolve(GridActivity.FILE);
      try {
        Json.LINES.writeValue(file.toFile(), activities);
        return file;
      } catch (IOException failure) {
        throw GridException.of(
            Messages.format("worker.activities-unwritable"), file, failure.getMessage(), failure);
      }
    }

    /** The value of an option, or a default. */
    public String option(String name, String otherwise) {
      return options.getOrDefault(name, otherwise);
    }
  }

  /** Readings and files that a recorder left; see {@link Answer.Recorded}. */
  record Result(List<Reading> readings, List<Path> files) {}
}
