package io.pyrometer.coordinator.telemetry;

import java.nio.file.Path;
import java.util.List;

/**
 * Records data during a trial, such as garbage collections or a profile. Devices with a class of
 * their own are found by {@link java.util.ServiceLoader}; an experiment names the devices it wants
 * under {@code telemetry}.
 *
 * <p>A device never fails a trial: one that cannot run says why in one sentence, which is kept with
 * the trial.
 */
public interface TelemetryDevice {

  /** The device's name in experiments, and the prefix of its metrics and artefacts. */
  String name();

  /** What a worker's JVM must be started with so that the device can record well. */
  default List<String> jvmFlags() {
    return List.of();
  }

  /**
   * Makes everything ready for one trial: told once the trial is prepared, before it begins to
   * load.
   *
   * @param processes of the trial that have a JVM of ours
   * @param folder of the trial's artefacts on this machine; made when something is written
   * @throws TelemetryException with one sentence if it can run in no process
   */
  Attachment attach(List<TelemetryTarget> processes, Path folder);

  /** A device that is ready to record one trial. */
  interface Attachment {

    /**
     * Told right before the measured part.
     *
     * @throws TelemetryException with one sentence if it cannot start in any process
     */
    void measurementStarted();

    /**
     * Told right after the measured part, when the agents have stopped to load.
     *
     * @throws TelemetryException with one sentence if nothing could be read
     */
    Readings measurementEnded();
  }
}
