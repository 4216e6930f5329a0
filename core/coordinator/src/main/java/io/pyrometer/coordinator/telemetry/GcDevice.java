package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.TelemetryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Garbage collections: pauses, rate of allocation and live set, of each process and role; of
 * servers that others started, number and total time of the pauses alone.
 */
final class GcDevice extends TelemetryDevice {
  /** Fewer have no 99th percentile of their own but the maximum. */
  private static final int MIN_PAUSES_FOR_P99 = 100;

  private static final double MIB = 1 << 20;

  GcDevice() {
    super(TelemetryKind.GC.id());
  }

  @Override
  void evaluate(List<Recording> recordings, Path folder, Readings into) throws IOException {
    Map<String, List<GcLog.Pause>> pausesByRole = new TreeMap<>();
    for (Recording recording : recordings) {
      TelemetryTarget process = recording.process();
      // A server of others has no log that could be read.
      recording.readings().forEach(reading -> into.addWithRole(process, reading));
      for (Path file : recording.files()) {
        GcLog log = GcLog.read(file);
        into.add(new Readings.Artefact("gc-log", process.process(), file));
        ofPauses(log.pauses()).forEach(reading -> into.add(process.process(), reading));
        pausesByRole
            .computeIfAbsent(process.role(), role -> new ArrayList<>())
            .addAll(log.pauses());
        into.addWithRole(
            process,
            Reading.lower(
                "stopped", log.stops().stream().mapToDouble(GcLog.Pause::millis).sum(), "ms"));
        log.allocationRate()
            .ifPresent(
                rate ->
                    into.addWithRole(
                        process, Reading.neutral("allocation-rate", rate / MIB, "MiB/s")));
        log.liveSet()
            .ifPresent(
                live -> into.addWithRole(process, Reading.neutral("live-set", live / MIB, "MiB")));
      }
    }
    pausesByRole.forEach(
        (role, pauses) -> ofPauses(pauses).forEach(reading -> into.add(role, reading)));
  }

  private static List<Reading> ofPauses(List<GcLog.Pause> pauses) {
    double[] millis = pauses.stream().mapToDouble(GcLog.Pause::millis).sorted().toArray();
    List<Reading> readings = new ArrayList<>();
    readings.add(Reading.lower("pauses", millis.length, "pauses"));
    readings.add(Reading.lower("pause-total", Arrays.stream(millis).sum(), "ms"));
    if (millis.length > 0) {
      readings.add(Reading.lower("pause-max", millis[millis.length - 1], "ms"));
    }
    if (millis.length >= MIN_PAUSES_FOR_P99) {
      int rank = (int) Math.ceil(0.99 * millis.length);
      readings.add(Reading.lower("pause-p99", millis[rank - 1], "ms"));
    }
    return readings;
  }
}
