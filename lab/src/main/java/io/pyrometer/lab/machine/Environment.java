package io.pyrometer.lab.machine;

import java.time.Clock;
import java.util.List;
import java.util.Map;

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

  /** Asks the machine; takes about a second. */
  public static Environment of(
      Map<String, List<String>> workerFlags,
      Map<String, String> versions,
      String commit,
      Clock clock) {
    oshi.SystemInfo system = new oshi.SystemInfo();
    oshi.hardware.CentralProcessor processor = system.getHardware().getProcessor();
    oshi.software.os.OperatingSystem os = system.getOperatingSystem();
    return new Environment(
        SCHEMA,
        processor.getProcessorIdentifier().getName().strip(),
        Runtime.getRuntime().availableProcessors(),
        processor.getPhysicalProcessorCount(),
        system.getHardware().getMemory().getTotal(),
        os.getFamily() + " " + os.getVersionInfo(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        workerFlags,
        versions,
        commit,
        clock.instant().toString());
  }

  /** Whether figures of both can be set side by side: the same machine, kernel and JVM. */
  public boolean like(Environment other) {
    return cpu.equals(other.cpu)
        && cores == other.cores
        && kernel.equals(other.kernel)
        && jvm.equals(other.jvm)
        && versions.equals(other.versions);
  }
}
