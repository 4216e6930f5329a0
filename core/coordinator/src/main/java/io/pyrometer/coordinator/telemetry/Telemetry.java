package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The devices that an experiment asked for. None of them can fail a trial. */
public final class Telemetry {
  /** Costs two readings of the process's own counters a trial. */
  private static final List<String> ALWAYS = List.of(TelemetryKind.CPU.id());

  private final List<TelemetryDevice> devices;

  Telemetry(List<TelemetryDevice> devices) {
    this.devices = List.copyOf(devices);
  }

  /** All devices, by name: those with a class of their own, and a plain recorder of each other. */
  public static List<TelemetryDevice> all() {
    Map<String, TelemetryDevice> byName = new TreeMap<>();
    for (TelemetryKind kind : TelemetryKind.values()) {
      byName.put(kind.id(), new RecorderDevice(kind));
    }
    ServiceLoader.load(TelemetryDevice.class).forEach(device -> byName.put(device.name(), device));
    return List.copyOf(byName.values());
  }

  /**
   * The devices that a trial's settings ask for, and those that always record.
   *
   * @throws IllegalArgumentException with one sentence if there is none of a name
   */
  public static Telemetry of(Settings settings) {
    List<String> names = new ArrayList<>(ALWAYS);
    names.addAll(settings.get(CoreSettings.TELEMETRY));
    return of(names);
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
    return "There is no telemetry '%s'; there is %s."
        .formatted(
            name, all().stream().map(TelemetryDevice::name).collect(Collectors.joining(", ")));
  }

  /** What the JVMs of workers must be started with. */
  public List<String> jvmFlags() {
    return devices.stream()
        .map(TelemetryDevice::jvmFlags)
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  /**
   * Makes the devices ready for one trial; see {@link TelemetryDevice#attach}.
   *
   * @param folder of the trial's artefacts
   */
  public OfTrial attach(List<TelemetryTarget> processes, Path folder) {
    OfTrial trial = new OfTrial();
    for (TelemetryDevice device : devices) {
      trial.doing(device, d -> d.attach(processes, folder));
    }
    return trial;
  }

  /** The devices that record one trial. */
  public static final class OfTrial {
    private final Map<TelemetryDevice, TelemetryDevice.Attachment> attached = new LinkedHashMap<>();
    private final List<String> unavailable = new ArrayList<>();

    private void doing(
        TelemetryDevice device, Function<TelemetryDevice, TelemetryDevice.Attachment> what) {
      try {
        attached.put(device, what.apply(device));
      } catch (TelemetryException why) {
        unavailable.add(why.sentence());
      } catch (RuntimeException fault) {
        unavailable.add(fault(device, fault));
      }
    }

    private static String fault(TelemetryDevice device, RuntimeException fault) {
      return "Telemetry '%s' failed: %s.".formatted(device.name(), fault);
    }

    /**
     * Told right before the measured part. The device that stands first is started last and ended
     * first, so that what it records, the CPU time, holds nothing of the others' start and end.
     */
    public void measurementStarted() {
      List<TelemetryDevice> ready = new ArrayList<>(attached.keySet());
      Collections.reverse(ready);
      for (TelemetryDevice device : ready) {
        TelemetryDevice.Attachment attachment = attached.remove(device);
        if (attachment != null) {
          doing(
              device,
              d -> {
                attachment.measurementStarted();
                return attachment;
              });
        }
      }
    }

    /** Told right after the measured part; what the devices read, and why some read nothing. */
    public Readings measurementEnded() {
      Readings all = new Readings(Map.of(), List.of(), unavailable);
      List<Map.Entry<TelemetryDevice, TelemetryDevice.Attachment>> started =
          new ArrayList<>(attached.entrySet());
      Collections.reverse(started);
      for (Map.Entry<TelemetryDevice, TelemetryDevice.Attachment> entry : started) {
        try {
          all = all.and(entry.getValue().measurementEnded());
        } catch (TelemetryException why) {
          all = all.and(Readings.unavailable(why.sentence()));
        } catch (RuntimeException fault) {
          all = all.and(Readings.unavailable(fault(entry.getKey(), fault)));
        }
      }
      return all;
    }
  }
}
