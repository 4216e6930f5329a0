package io.pyrometer.coordinator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.protocol.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcDeviceTest {
  @TempDir Path folder;

  private static TelemetryTarget process(String name) {
    return new TelemetryTarget(
        new FakeGrid(new VirtualTime()).start(name).get(0), "/far", Set.of());
  }

  /** One collection a second, which takes so long and leaves 4 of 20 MiB. */
  private TelemetryDevice.Recording log(String process, double... pauseMillis) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < pauseMillis.length; i++) {
      lines.add(
          "[%d.000s][info][gc          ] GC(%d) Pause Young (Normal) (G1 Evacuation Pause)"
                  .formatted(i + 1, i)
              + " 20M->4M(64M) %sms".formatted(pauseMillis[i]));
    }
    Path file = Files.write(folder.resolve(process + ".log"), lines);
    return new TelemetryDevice.Recording(process(process), List.of(), List.of(file));
  }

  private Map<String, Reading> metrics(TelemetryDevice.Recording... recordings) throws IOException {
    Readings into = new Readings("gc");
    new GcDevice().evaluate(List.of(recordings), folder, into);
    return into.metrics();
  }

  private static double value(Map<String, Reading> metrics, String name) {
    return metrics.get(name).value();
  }

  @Test
  void thePausesOfARoleArePooled() throws IOException {
    Map<String, Reading> metrics = metrics(log("node-0", 2, 5), log("node-1", 7));
    assertThat(value(metrics, "gc.pauses.nodes")).isEqualTo(3);
    assertThat(value(metrics, "gc.pause-total.nodes")).isCloseTo(14, within(1e-9));
    assertThat(value(metrics, "gc.pause-max.nodes")).isEqualTo(7);
    assertThat(value(metrics, "gc.live-set.nodes")).as("of both heaps").isEqualTo(8);
  }

  @Test
  void ofServersThatAreWatchedFromOutsideTheReadingsCount() throws IOException {
    Map<String, Reading> metrics = metrics(watched("node-0", 3, 20), watched("node-1", 2, 5));
    assertThat(value(metrics, "gc.pauses.node-0")).isEqualTo(3);
    assertThat(value(metrics, "gc.pauses.nodes")).isEqualTo(5);
    assertThat(value(metrics, "gc.pause-total.nodes")).isEqualTo(25);
  }

  private static TelemetryDevice.Recording watched(String process, int pauses, double millis) {
    return new TelemetryDevice.Recording(
        process(process),
        List.of(
            Reading.lower("pauses", pauses, "pauses"), Reading.lower("pause-total", millis, "ms")),
        List.of());
  }

  @Test
  void aHundredPausesAreNeededForTheirPercentile() throws IOException {
    double[] pauses = new double[99];
    for (int i = 0; i < pauses.length; i++) {
      pauses[i] = i + 1;
    }
    double[] enough = Arrays.copyOf(pauses, 100);
    enough[99] = 1_000;
    assertThat(metrics(log("node-0", pauses))).doesNotContainKey("gc.pause-p99.node-0");
    assertThat(value(metrics(log("node-0", enough)), "gc.pause-p99.node-0")).isEqualTo(99);
  }

  @Test
  void aProcessWithoutACollectionHasNoPausesAndNoHeapToTellOf() throws IOException {
    Map<String, Reading> metrics = metrics(log("node-0"));
    assertThat(value(metrics, "gc.pauses.node-0")).isZero();
    assertThat(metrics)
        .doesNotContainKeys(
            "gc.pause-max.node-0", "gc.live-set.node-0", "gc.allocation-rate.node-0");
  }
}
