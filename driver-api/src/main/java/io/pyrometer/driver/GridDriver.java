package io.pyrometer.driver;

import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;

/**
 * Pyrometer's adapter to one product, found by {@link java.util.ServiceLoader} in a worker's class
 * path.
 */
public interface GridDriver {

  /** Says what the driver can do, without starting anything. */
  DriverDescription describe();

  /**
   * Starts a server node in this JVM.
   *
   * @throws GridException with one sentence for the user
   */
  GridNode startNode(Command.StartNode spec);

  /**
   * Joins or connects to the grid as a client.
   *
   * @throws GridException with one sentence for the user
   */
  GridSession openSession(Command.OpenSession spec);
}
