package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Reading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the devices of one trial read.
 *
 * @param metrics by name: the device, what was read and of which process or role, such as {@code
 *     gc.pause-max.node-0} or {@code gc.pause-max.nodes}
 * @param artefacts files in the trial's folder
 * @param unavailable one sentence for each device, or process of it, that did not record
 */
public record Readings(
    Map<String, Reading> metrics, List<Artefact> artefacts, List<String> unavailable) {

  public static final Readings NONE = new Readings(Map.of(), List.of(), List.of());

  public Readings {
    metrics = Map.copyOf(metrics);
    artefacts = List.copyOf(artefacts);
    unavailable = List.copyOf(unavailable);
  }

  /**
   * A file that a device left.
   *
   * @param kind such as {@code flame-graph}
   * @param process or role whose it is
   * @param file on this machine
   */
  public record Artefact(String kind, String process, Path file) {}

  /** These and others, whose names are different. */
  Readings and(Readings others) {
    Map<String, Reading> all = new TreeMap<>(metrics);
    all.putAll(others.metrics);
    List<Artefact> files = new ArrayList<>(artefacts);
    files.addAll(others.artefacts);
    List<String> sentences = new ArrayList<>(unavailable);
    sentences.addAll(others.unavailable);
    return new Readings(all, files, sentences);
  }

  /** Nothing but a sentence. */
  static Readings unavailable(String sentence) {
    return new Readings(Map.of(), List.of(), List.of(sentence));
  }

  /** Gathers the readings of one device. */
  static final class Builder {
    /** What the names of readings end with that are largest values, not sums. */
    private static final String LARGEST = "max";

    private final String device;
    private final Map<String, Reading> metrics = new TreeMap<>();
    private final List<Artefact> artefacts = new ArrayList<>();
    private final List<String> unavailable = new ArrayList<>();

    Builder(String device) {
      this.device = device;
    }

    /** A value of a process or role. */
    void add(String processOrRole, Reading reading) {
      Reading unused =
          metrics.put(device + "." + reading.name() + "." + processOrRole, named(reading));
    }

    /**
     * A value of a process that also counts towards its role: as the largest where its name ends
     * so, in the sum otherwise.
     */
    void addWithRole(TelemetryTarget of, Reading reading) {
      add(of.process(), reading);
      String name = device + "." + reading.name() + "." + of.role();
      Reading unused =
          metrics.merge(
              name,
              named(reading),
              (one, other) ->
                  new Reading(
                      one.name(),
                      one.name().endsWith(LARGEST)
                          ? Math.max(one.value(), other.value())
                          : one.value() + other.value(),
                      one.unit(),
                      one.better()));
    }

    private static Reading named(Reading reading) {
      if (!Double.isFinite(reading.value())) {
        throw new IllegalArgumentException(reading + " is not finite.");
      }
      return reading;
    }

    void add(Artefact artefact) {
      artefacts.add(artefact);
    }

    void unavailable(String sentence) {
      unavailable.add(sentence);
    }

    Readings build() {
      return new Readings(metrics, artefacts, unavailable);
    }
  }
}
