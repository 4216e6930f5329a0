package io.pyrometer.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The fingerprint of what a run ran on.
 *
 * @param memoryBytes of the machine
 * @param jvm the workers' JVM
 * @param workerFlags by kind of process
 * @param versions of Pyrometer, the driver and the product
 * @param commit of the sources that Pyrometer was built from; empty where they are no repository
 * @param taken ISO-8601 instant
 */
public record Environment(
    int schema,
    String cpu,
    int cores,
    int physicalCores,
    long memoryBytes,
    String operatingSystem,
    String kernel,
    String jvm,
    Map<String, List<String>> workerFlags,
    Map<String, String> versions,
    String commit,
    String taken) {

  public static final int SCHEMA = 1;

  /** The differences that make figures of both incomparable, each in a few words. */
  public List<String> differences(Environment other) {
    List<String> differences = new ArrayList<>(ofMachine(other));
    TreeSet<String> names = new TreeSet<>(versions.keySet());
    names.addAll(other.versions.keySet());
    for (String name : names) {
      add(
          differences,
          name,
          versions.getOrDefault(name, "none"),
          other.versions.getOrDefault(name, "none"));
    }
    return differences;
  }

  /** Checks whether both were taken on the same machine, system and JVM, of whatever versions. */
  public boolean sameMachine(Environment other) {
    return ofMachine(other).isEmpty();
  }

  private List<String> ofMachine(Environment other) {
    List<String> differences = new ArrayList<>();
    add(differences, "CPU", cpu, other.cpu);
    add(differences, "cores", String.valueOf(cores), String.valueOf(other.cores));
    add(differences, "kernel", kernel, other.kernel);
    add(differences, "JVM", jvm, other.jvm);
    return differences;
  }

  private static void add(List<String> differences, String what, String one, String other) {
    if (!one.equals(other)) {
      differences.add("%s (%s and %s)".formatted(what, one, other));
    }
  }
}
