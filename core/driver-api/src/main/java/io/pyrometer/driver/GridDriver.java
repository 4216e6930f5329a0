package io.pyrometer.driver;

import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import java.util.Optional;

/**
 * Pyrometer's adapter to one product, found by {@link java.util.ServiceLoader} in a worker's class
 * path.
 */
public interface GridDriver {

  /** The driver's capabilities, without starting anything. The same on every machine. */
  DriverDescription describe();

  /**
   * Why servers of the product cannot be started on this machine: one sentence that says what is
   * missing and how to get it. Empty where nothing is missing. A driver that carries its product in
   * its class path has nothing to look for.
   */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /**
   * Loads the classes of the user that a trial names for this driver, beside that of its record.
   *
   * @throws GridException with one sentence for the user if one is missing or does not fit
   */
  default void loadClasses(TrialSpec trial) {}

  /**
   * Looks for faults in a configuration file of the product, or in a folder of the statistics that
   * it recorded.
   *
   * @throws GridException with one sentence if the driver has no checks, or the file cannot be read
   */
  default HealthReport examine(String config) {
    throw new GridException("This driver has no checks of configuration files.");
  }

  /**
   * Reads the workload from a folder of the product's own statistics.
   *
   * @param records that the experiment writes
   * @throws GridException with one sentence if the product has none, or they cannot be read
   */
  default WorkloadSample sample(String folder, long records) {
    throw new GridException("This driver reads no statistics of its product.");
  }

  /**
   * Starts a server on its reserved ports and returns when it is ready to be joined by others. A
   * server runs in this JVM, for which {@link JvmServer} exists, or as a native process, for which
   * {@link NativeServer} exists; {@link io.pyrometer.protocol.ServerDescription} says which.
   *
   * <p>Where the system lets a reserved port be bound beside its reservation (Linux, for servers
   * that set {@code SO_REUSEADDR}), the ports stay reserved until this returns. After a {@link
   * PortTakenException} the worker gives the reservation up and calls this once more, so a failed
   * start must leave nothing behind.
   *
   * @throws PortTakenException if one of the ports cannot be bound
   * @throws GridException with one sentence for the user
   */
  default RunningServer start(Command.StartServer spec) {
    throw new GridException("This product has no servers.");
  }

  /**
   * Joins or connects to the grid as a client.
   *
   * @throws GridException with one sentence for the user
   */
  GridSession openSession(Command.OpenSession spec);
}
