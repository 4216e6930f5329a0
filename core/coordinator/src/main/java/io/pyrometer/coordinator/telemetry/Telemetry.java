package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The devices that an experiment asked for. None of them can fail a trial. */
public final class Telemetry {
  private final List<TelemetryDevice> devices;

  Telemetry(List<TelemetryDevice> devices) {
    this.devices = List.copyOf(devices);
  }

  /** All devices, by name: those with a class of their own, and a plain one of each other name. */
  public static List<TelemetryDevice> all() {
    Map<String, TelemetryDevice> byName = new TreeMap<>();
    for (String name : CoreSettings.TELEMETRY.description().choices()) {
      byName.put(name, new TelemetryDevice(name));
    }
    ServiceLoader.load(TelemetryDevice.class).forEach(device -> byName.put(device.name(), device));
    return List.copyOf(byName.values());
  }

  /**
   * The devices that a trial's settings ask for.
   *
   * @throws IllegalArgumentException with one sentence if there is none of a name
   */
  public static Telemetry of(Settings settings) {
    return of(settings.get(CoreSettings.TELEMETRY));
  }

  static Telemetry of(List<String> names) {
    List<TelemetryDevice> all = all();
    return new Telemetry(
        names.stream()
            .distinct()
            .map(
                name ->
                    all.stream()
                        .filter(device -> device.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(unknown(name))))
            .toList());
  }

  private static String unknown(String name) {
    return Messages.format("coordinator.unknown-telemetry")
        .formatted(
            name, all().stream().map(TelemetryDevice::name).collect(Collectors.joining(", ")));
  }

  /** The flags that the JVMs of workers must be started with. */
  public List<String> jvmFlags() {
    return devices.stream().flatMap(device -> device.jvmFlags().stream()).distinct().toList();
  }

  /**
   * Prepares the devices for one trial, after its set-up and before it begins to load.
   *
   * @param folder of the trial's artefacts on this machine; created when something is written
   */
  public OfTrial attach(List<TelemetryTarget> processes, Path folder) {
    return new OfTrial(
        devices.stream()
            .map(
                device ->
                    new Recorders(
                        device,
                        processes.stream().filter(each -> each.recordsOn(device.name())).toList(),
                        folder))
            .toList());
  }

  public static final class OfTrial {
    private final List<Recorders> working = new ArrayList<>();
    private final Readings readings = new Readings("");

    private OfTrial(List<Recorders> recorders) {
      working.addAll(recorders);
      working.removeIf(each -> !succeeds(each, each::prepare));
    }

    private boolean succeeds(Recorders recorders, Runnable step) {
      try {
        step.run();
        return true;
      } catch (RuntimeException fault) {
        readings.addUnavailable(
            "Telemetry '%s' failed: %s.".formatted(recorders.device().name(), fault));
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
}
