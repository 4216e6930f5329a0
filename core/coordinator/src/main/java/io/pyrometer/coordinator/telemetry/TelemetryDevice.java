package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Records data during a trial, such as garbage collections or a profile, by the recorder of the
 * same id in each worker's JVM. Devices that evaluate the recordings on the coordinator extend this
 * class; an experiment names the devices it wants under {@code telemetry}.
 */
class TelemetryDevice {
  private final String name;

  TelemetryDevice(String name) {
    this.name = name;
  }

  /** The device's name in experiments, and the prefix of its metrics and artefacts. */
  final String name() {
    return name;
  }

  /** The flags that a worker's JVM must be started with so that the device can record well. */
  List<String> jvmFlags() {
    return List.of();
  }

  Map<String, String> options() {
    return Map.of();
  }

  /**
   * The recording of one process.
   *
   * @param files fetched to this machine
   */
  record Recording(TelemetryTarget process, List<Reading> readings, List<Path> files) {}

  /**
   * Makes metrics and artefacts of the recordings; by default the recorders' own values, and each
   * file as it is.
   *
   * @param folder of the trial's artefacts
   */
  void evaluate(List<Recording> recordings, Path folder, Readings into) throws IOException {
    for (Recording recording : recordings) {
      recording.readings().forEach(reading -> into.addWithRole(recording.process(), reading));
      for (Path file : recording.files()) {
        into.add(new Readings.Artefact(name, recording.process().process(), file));
      }
    }
  }
}
