package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.TelemetryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Recordings of Java Flight Recorder with the JDK's settings {@code profile}. */
public final class JfrDevice extends TelemetryDevice {
  private static final String BLOCKED = "jdk.JavaMonitorEnter";
  private static final String SAMPLE = "jdk.ExecutionSample";

  public JfrDevice() {
    super(TelemetryKind.JFR);
  }

  @Override
  public List<String> jvmFlags() {
    return ProfileDevice.DEBUG_NON_SAFEPOINTS;
  }

  @Override
  Map<String, String> options() {
    return Map.of("settings", "profile");
  }

  /** Only waits of at least 10 ms are recorded with these settings. */
  @Override
  void evaluate(List<Recording> recordings, Path folder, Readings into) throws IOException {
    for (Recording recording : recordings) {
      for (Path file : recording.files()) {
        double blockedMillis = 0;
        double samples = 0;
        try (RecordingFile events = new RecordingFile(file)) {
          while (events.hasMoreEvents()) {
            RecordedEvent event = events.readEvent();
            String type = event.getEventType().getName();
            if (type.equals(BLOCKED)) {
              blockedMillis += event.getDuration().toNanos() / 1e6;
            } else if (type.equals(SAMPLE)) {
              samples++;
            }
          }
        }
        into.addWithRole(recording.process(), Reading.lower("lock-wait", blockedMillis, "ms"));
        into.addWithRole(recording.process(), Reading.neutral("samples", samples, "samples"));
        into.add(new Readings.Artefact("flight-recording", recording.process().process(), file));
      }
    }
  }
}
