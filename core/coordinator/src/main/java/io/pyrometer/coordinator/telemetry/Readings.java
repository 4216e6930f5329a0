package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Reading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The metrics and artefacts of one device, or of all devices of a trial. */
public final class Readings {
  /** The end of the names of readings that are maxima, not sums. */
  private static final String LARGEST = "max";

  private final String device;
  private final Map<String, Reading> metrics = new TreeMap<>();
  private final List<Artefact> artefacts = new ArrayList<>();
  private final List<String> unavailable = new ArrayList<>();

  Readings(String device) {
    this.device = device;
  }

  /**
   * A file that a device left.
   *
   * @param kind such as {@code flame-graph}
   * @param process or role that it belongs to
   * @param file on this machine
   */
  public record Artefact(String kind, String process, Path file) {}

  /**
   * By name: the device, the reading and its process or role, such as {@code gc.pause-max.node-0}
   * or {@code gc.pause-max.nodes}.
   */
  public Map<String, Reading> metrics() {
    return metrics;
  }

  public List<Artefact> artefacts() {
    return artefacts;
  }

  /** One sentence for each device, or process of it, that did not record. */
  public List<String> unavailable() {
    return unavailable;
  }

  void add(String processOrRole, Reading reading) {
    if (!Double.isFinite(reading.value())) {
      throw new IllegalArgumentException(reading + " is not finite.");
    }
    metrics.put(device + "." + reading.name() + "." + processOrRole, reading);
  }

  /** Adds a value of a process that also counts towards its role, as the maximum or in the sum. */
  void addWithRole(TelemetryTarget of, Reading reading) {
    add(of.process(), reading);
    Reading other = metrics.get(device + "." + reading.name() + "." + of.role());
    double before = other == null ? 0 : other.value();
    boolean largest = other != null && reading.name().endsWith(LARGEST);
    double value = largest ? Math.max(before, reading.value()) : before + reading.value();
    add(of.role(), new Reading(reading.name(), value, reading.unit(), reading.better()));
  }

  void add(Artefact artefact) {
    artefacts.add(artefact);
  }

  void addUnavailable(String sentence) {
    unavailable.add(sentence);
  }

  void addAll(Readings others) {
    metrics.putAll(others.metrics);
    artefacts.addAll(others.artefacts);
    unavailable.addAll(others.unavailable);
  }
}
