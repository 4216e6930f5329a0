package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The devices that an experiment asked for. None of them can fail a trial. */
public final class Telemetry {
  private final List<TelemetryDevice> devices;

  private Telemetry(List<TelemetryDevice> devices) {
    this.devices = devices;
  }

  /** The devices that a trial's settings ask for. */
  public static Telemetry of(Settings settings) {
    return of(settings.get(CoreSettings.TELEMETRY));
  }

  static Telemetry of(List<String> names) {
    return new Telemetry(names.stream().distinct().map(Telemetry::device).toList());
  }

  private static TelemetryDevice device(String name) {
    return name.equals(TelemetryKind.GC.id())
        ? new GcDevice()
        : name.equals(TelemetryKind.PROFILE.id()) ? new ProfileDevice() : new TelemetryDevice(name);
  }

  /** The flags that the JVMs of workers must be started with. */
  public List<String> jvmFlags() {
    return devices.stream().flatMap(device -> device.jvmFlags().stream()).toList();
  }

  /**
   * Prepares the devices for one trial, after its set-up and before it begins to load.
   *
   * @param folder of the trial's artefacts on this machine; created when something is written
   */
  public OfTrial attach(List<TelemetryTarget> processes, Path folder) {
    return new OfTrial(
        devices.stream().map(device -> new Recorders(device, processes, folder)).toList());
  }

  public static final class OfTrial {
    private final List<Recorders> working;
    private final Readings readings = new Readings("");

    private OfTrial(List<Recorders> recorders) {
      working = new ArrayList<>(recorders);
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
