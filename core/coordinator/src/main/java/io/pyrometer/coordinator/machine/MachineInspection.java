package io.pyrometer.coordinator.machine;

import io.pyrometer.journal.Environment;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Reads what this machine is. */
public final class MachineInspection {
  private MachineInspection() {}

  /** Asks the machine; takes about a second. */
  public static Environment environment(
      Map<String, List<String>> workerFlags,
      Map<String, String> versions,
      String commit,
      Clock clock) {
    oshi.SystemInfo system = new oshi.SystemInfo();
    oshi.hardware.CentralProcessor processor = system.getHardware().getProcessor();
    oshi.software.os.OperatingSystem os = system.getOperatingSystem();
    return new Environment(
        Environment.SCHEMA,
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
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
